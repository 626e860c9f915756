#include "colony/approvals/deciding.hpp"

#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::colony::approvals {
namespace {

Outcome<Approval> open_approval(const Council& council, std::string_view id) {
    auto approval = find_approval(council, id);
    if (!approval) return approval;
    if (approval->state != State::open) {
        return refuse(
            Errc::conflict, "already-decided",
            fmt::format("the request is {} already", name_of(approval->state)),
            {{"state", name_of(approval->state)}});
    }
    return approval;
}

Outcome<void> check_voter(const Approval& approval, const Actor& who, Timestamp now) {
    if (approval.requester.id == who.id) {
        return refuse(
            Errc::denied, "own-request", "nobody decides about their own request; ask another");
    }
    if (!may_decide(current_stage(approval), who)) {
        return refuse(
            Errc::denied, "not-a-decider", fmt::format("{} is not among those who decide", who.id),
            {{"decides", to_json(current_stage(approval))}});
    }
    // Whether or not anybody has noticed: the time is over for everyone at once.
    if (approval.stage_ends <= now) {
        return refuse(
            Errc::conflict, "too-late",
            fmt::format("the time to decide ended at {}", format_timestamp(approval.stage_ends)));
    }
    if (!may_vote(approval, who)) {
        return refuse(
            Errc::conflict, "voted-already", fmt::format("{} has decided before", who.id));
    }
    return {};
}

Refusal bad_link(std::string code, std::string detail) {
    return {Errc::conflict, std::move(code), std::move(detail)};
}

Outcome<void> escalate(Council& council, Approval& approval) {
    ++approval.stage;
    approval.stage_ends = council.now() + current_stage(approval).within;
    if (auto ok = save(council, approval); !ok) return ok;
    say(council.moment, approval, "escalated");
    return {};
}

} // namespace

Outcome<Approval> decide(Council& council, std::string_view id, const Ballot& ballot) {
    auto approval = open_approval(council, id);
    if (!approval) return approval;
    if (auto ok = check_voter(*approval, ballot.who, council.now()); !ok) {
        return refuse(ok.error());
    }
    approval->votes.push_back(
        {.who = ballot.who.id,
         .approve = ballot.approve,
         .comment = ballot.comment,
         .at = council.now(),
         .stage = approval->stage,
         .via = ballot.via});
    const bool enough = approvals_in_stage(*approval) >= current_stage(*approval).quorum;
    const bool over = !ballot.approve || enough;
    if (over) {
        end(council, *approval,
            {ballot.approve ? State::approved : State::denied, ballot.who.id, ballot.comment});
    }
    if (auto ok = save(council, *approval); !ok) return refuse(ok.error());
    say(council.moment, *approval, over ? "decided" : "voted",
        {{"who", ballot.who.id},
         {"verdict", ballot.approve ? "approve" : "deny"},
         {"via", ballot.via}});
    return approval;
}

Outcome<Approval> override_with(Council& council, std::string_view id, const Ballot& ballot) {
    if (!ballot.who.is_admin()) {
        return refuse(Errc::denied, "admins-only", "only an admin overrides a decision");
    }
    if (ballot.comment.find_first_not_of(" \t\r\n") == std::string::npos) {
        return refuse(Errc::invalid, "reason-needed", "say why: an override needs a reason");
    }
    auto approval = open_approval(council, id);
    if (!approval) return approval;
    approval->overridden = true;
    end(council, *approval,
        {ballot.approve ? State::approved : State::denied, ballot.who.id, ballot.comment});
    if (auto ok = save(council, *approval); !ok) return refuse(ok.error());
    say(council.moment, *approval, "overridden",
        {{"who", ballot.who.id}, {"verdict", ballot.approve ? "approve" : "deny"}});
    return approval;
}

Outcome<Link>
make_link(Council& council, std::string_view id, const LinkWish& wish, const Digest& word) {
    if (wish.valid_for < within_shortest || wish.valid_for > link_longest) {
        return refuse(
            Errc::invalid, "bad-time",
            fmt::format(
                "a link is good for {} to {}", format_duration(within_shortest),
                format_duration(link_longest)));
    }
    auto approval = open_approval(council, id);
    if (!approval) return refuse(approval.error());
    const Actor& actor = council.moment.actor();
    const bool own = wish.person.empty() || wish.person == actor.id;
    // Whoever made a link for another could decide in their name: admins only, and recorded.
    if (!own && (!actor.is_admin() || approval->requester.id == actor.id)) {
        return refuse(
            Errc::denied, "not-yours",
            "a link for somebody else is made by an admin who did not ask for the approval");
    }
    const Actor person = own ? actor : Actor{wish.person, accounts::Role::human};
    if (auto ok = check_voter(*approval, person, council.now()); !ok) return refuse(ok.error());
    Link link{
        .word = word,
        .approval = approval->id,
        .person = person,
        .made_by = actor.id,
        .expires = std::min(council.now() + wish.valid_for, approval->stage_ends)};
    if (auto ok = council.links.insert(link); !ok) return refuse(ok.error());
    say(council.moment, *approval, "linked",
        {{"for", person.id}, {"expires", format_timestamp(link.expires)}});
    return link;
}

Outcome<Invitation> find_invitation(const Council& council, const Digest& word) {
    auto link = council.links.find(word);
    if (!link) return refuse(link.error());
    if (!*link) return refuse(Errc::not_found, "no-such-link", "this link is not known here");
    if ((*link)->used) return refuse(bad_link("link-used", "this link was used before"));
    if ((*link)->expires <= council.now()) {
        return refuse(bad_link("link-expired", "this link has expired; ask for another"));
    }
    auto approval = open_approval(council, (*link)->approval);
    if (!approval) return refuse(approval.error());
    return Invitation{**std::move(link), *std::move(approval)};
}

Outcome<Approval> decide_by_link(Council& council, const Digest& word, const Ballot& ballot) {
    auto invitation = find_invitation(council, word);
    if (!invitation) return refuse(invitation.error());
    const auto used = council.links.use(word, council.now());
    if (!used) return refuse(used.error());
    if (!*used) return refuse(bad_link("link-used", "this link was used before"));
    Ballot signed_ballot = ballot;
    signed_ballot.who = invitation->link.person;
    signed_ballot.via = "link";
    return decide(council, invitation->approval.id, signed_ballot);
}

Outcome<std::vector<Approval>> run_out(Council& council, std::size_t limit) {
    auto due = council.book.due(council.now(), limit);
    if (!due) return refuse(due.error());
    std::vector<Approval> over;
    for (Approval& approval : *due) {
        if (static_cast<std::size_t>(approval.stage) + 1 < approval.stages.size()) {
            if (auto ok = escalate(council, approval); !ok) return refuse(ok.error());
            continue;
        }
        end(council, approval, {State::timed_out, {}, "nobody decided in time"});
        if (auto ok = save(council, approval); !ok) return refuse(ok.error());
        say(council.moment, approval, "timeout");
        over.push_back(std::move(approval));
    }
    return over;
}

Outcome<void> note_carried(Council& council, Approval& approval, const std::string& refusal) {
    if (approval.carry != Carry::pending) {
        return refuse(
            Errc::conflict, "carried-already",
            fmt::format("what {} held back was done before", approval.id));
    }
    approval.carry = refusal.empty() ? Carry::done : Carry::refused;
    approval.carry_note = refusal;
    if (auto ok = save(council, approval); !ok) return ok;
    say(council.moment, approval, "carried",
        {{"carry", name_of(approval.carry)}, {"note", refusal}});
    return {};
}

} // namespace hive::colony::approvals
