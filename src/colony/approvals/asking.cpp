#include "colony/approvals/asking.hpp"

#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"
#include "kernel/uuid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace hive::colony::approvals {
namespace {

// What the command says is the first evidence of what would be done.
std::vector<Evidence> evidence_of(const Act& act) {
    std::vector<Evidence> all;
    if (const auto note = text_in(act.facts, "note"); !note.empty()) {
        all.push_back({"text", "note", json::string{note}});
    }
    if (const auto* content = act.facts.if_contains("content")) {
        all.push_back({"json", "content", *content});
    }
    return all;
}

std::string subject_of(const Act& act) {
    std::string name = act.entity_id;
    for (const auto* fact : {"ref", "channel", "swarm"}) {
        if (act.facts.contains(fact)) name = text_in(act.facts, fact);
    }
    const std::string title = text_in(act.facts, "title");
    return fmt::format("{} {}{}{}", act.what, name, title.empty() ? "" : ": ", title);
}

Approval opened(NewApproval wanted, Moment& moment) {
    const Duration within = wanted.stages.front().within;
    return {
        .id = make_ordered_uuid(moment.now(), moment.random()),
        .act = std::move(wanted.act),
        .subject = std::move(wanted.subject),
        .evidence = std::move(wanted.evidence),
        .requester = moment.actor(),
        .created = moment.now(),
        .stages = std::move(wanted.stages),
        .stage_ends = moment.now() + within};
}

} // namespace

Result<Verdict> RuleGate::ask(const Act& act, Moment& moment) {
    const auto rules = load_();
    if (!rules) return fail(rules.error());
    const Rule* rule = first_match(**rules, act, moment.actor());
    if (rule == nullptr || rule->effect == Effect::allow) return Free{};
    if (rule->effect == Effect::deny) {
        return Denied{fmt::format("the rule '{}' forbids {}", rule->name, act.what)};
    }
    auto open = book_->open_with_key(key_of(act, moment.actor()));
    if (!open) return fail(open.error());
    if (*open) return Held{(*open)->id};
    Approval approval = opened(
        {.act = act,
         .subject = subject_of(act),
         .evidence = evidence_of(act),
         .stages = rule->stages},
        moment);
    approval.rule = rule->id;
    approval.rule_name = rule->name;
    // What is only for those who decide is evidence now.
    approval.act.facts.erase("note");
    approval.act.facts.erase("content");
    if (auto ok = book_->insert(approval); !ok) return fail(ok.error());
    say(moment, approval, "requested");
    return Held{approval.id};
}

Result<bool> RuleGate::cares(std::string_view what) {
    const auto rules = load_();
    if (!rules) return fail(rules.error());
    return std::ranges::any_of(**rules, [&](const Rule& rule) {
        return rule.enabled && rule.effect != Effect::allow && is_about(rule.match, what);
    });
}

Result<bool> RuleGate::minds(const Act& act, const Actor& who) {
    const auto rules = load_();
    if (!rules) return fail(rules.error());
    const Rule* rule = first_match(**rules, act, who);
    return rule != nullptr && rule->effect != Effect::allow;
}

Outcome<Approval> open_request(Council& council, NewApproval wanted) {
    if (wanted.stages.empty() || wanted.stages.size() > stages_max) {
        return refuse(Errc::invalid, "bad-stages", "say who decides");
    }
    for (const Stage& stage : wanted.stages) {
        if (auto ok = check_stage(stage); !ok) return refuse(ok.error());
    }
    if (auto ok = check_evidence(wanted.evidence); !ok) return refuse(ok.error());
    Approval approval = opened(std::move(wanted), council.moment);
    if (auto ok = council.book.insert(approval); !ok) return refuse(ok.error());
    say(council.moment, approval, "requested");
    return approval;
}

Outcome<Approval> find_approval(const Council& council, std::string_view id) {
    auto found = council.book.find(id);
    if (!found) return refuse(found.error());
    if (!*found) {
        return refuse(
            Errc::not_found, "no-such-approval", fmt::format("there is no approval '{}'", id));
    }
    return **std::move(found);
}

Outcome<Approval>
add_evidence(Council& council, std::string_view id, std::vector<Evidence> evidence) {
    auto approval = find_approval(council, id);
    if (!approval) return approval;
    const Actor& actor = council.moment.actor();
    if (actor.role == accounts::Role::bee && actor.id != approval->requester.id) {
        return refuse(
            Errc::denied, "not-yours",
            fmt::format("{} may add evidence only to its own requests", actor.id));
    }
    if (approval->state != State::open) {
        return refuse(
            Errc::conflict, "already-decided",
            fmt::format("the request is {}", name_of(approval->state)),
            {{"state", name_of(approval->state)}});
    }
    const std::size_t added = evidence.size();
    std::ranges::move(evidence, std::back_inserter(approval->evidence));
    if (auto ok = check_evidence(approval->evidence); !ok) return refuse(ok.error());
    if (auto ok = save(council, *approval); !ok) return refuse(ok.error());
    say(council.moment, *approval, "evidence", {{"added", added}});
    return approval;
}

Outcome<Approval> withdraw(Council& council, std::string_view id, const std::string& why) {
    auto approval = find_approval(council, id);
    if (!approval) return approval;
    const Actor& actor = council.moment.actor();
    if (approval->requester.id != actor.id) {
        return refuse(
            Errc::denied, "not-yours",
            fmt::format("only {}, who asked, can withdraw this", approval->requester.id));
    }
    if (approval->state != State::open) {
        return refuse(
            Errc::conflict, "already-decided",
            fmt::format("the request is {}", name_of(approval->state)),
            {{"state", name_of(approval->state)}});
    }
    end(council, *approval, {State::withdrawn, actor.id, why});
    if (auto ok = save(council, *approval); !ok) return refuse(ok.error());
    say(council.moment, *approval, "withdrawn");
    return approval;
}

Outcome<void>
drop_requests_about(Council& council, std::string_view entity, const std::string& why) {
    auto open = council.book.list({.state = State::open, .entity = std::string{entity}});
    if (!open) return refuse(open.error());
    for (Approval& approval : *open) {
        end(council, approval, {State::withdrawn, council.moment.actor().id, why});
        approval.carry = Carry::nothing;
        if (auto ok = save(council, approval); !ok) return ok;
        say(council.moment, approval, "withdrawn");
    }
    return {};
}

Outcome<void> save(Council& council, Approval& approval) {
    ++approval.revision;
    const auto saved = council.book.update(approval);
    if (!saved) return refuse(saved.error());
    if (!*saved) {
        return refuse(
            Errc::conflict, "changed-meanwhile",
            "the request was changed at the same time; look at it and try again");
    }
    return {};
}

void end(Council& council, Approval& approval, Ending ending) {
    approval.state = ending.state;
    approval.ended = council.now();
    approval.ended_by = std::move(ending.by);
    approval.reason = std::move(ending.reason);
    // What waits for the answer hears of it either way; the rest just does not happen.
    const std::string& what = approval.act.what;
    const bool waits = what == "task.complete" || what == "budget.extend";
    const bool follows = what != question && (ending.state == State::approved || waits);
    approval.carry = follows ? Carry::pending : Carry::nothing;
}

void say(Moment& moment, const Approval& approval, std::string_view what, json::object more) {
    json::object told = std::move(more);
    told["approval"] = approval.id;
    told["state"] = name_of(approval.state);
    told["act"] = approval.act.what;
    told["entity"] = approval.act.entity_id;
    told["subject"] = approval.subject;
    told["requester"] = approval.requester.id;
    told["stage"] = approval.stage;
    put(told, "rule", approval.rule_name);
    put(told, "reason", approval.reason);
    if (approval.state == State::open) {
        told["decides"] = to_json(current_stage(approval));
        told["until"] = format_timestamp(approval.stage_ends);
    }
    moment.say(
        {.type = fmt::format("approval.{}", what),
         .entity_type = "approval",
         .entity_id = approval.id,
         .told = std::move(told),
         .words = {approval.act.entity_id}});
}

Status check_evidence(const std::vector<Evidence>& evidence) {
    constexpr std::size_t value_max = 64 * 1024;
    if (evidence.size() > evidence_max) {
        return fail(Errc::invalid, fmt::format("evidence: at most {} pieces", evidence_max));
    }
    for (const Evidence& piece : evidence) {
        const bool words = piece.kind == "link" || piece.kind == "text";
        if (words && !piece.value.is_string()) {
            return fail(Errc::invalid, fmt::format("evidence: a {} is a string", piece.kind));
        }
        const std::string_view link =
            piece.kind == "link" ? std::string_view{piece.value.get_string()} : "https://";
        if (!link.starts_with("https://") && !link.starts_with("http://")) {
            return fail(Errc::invalid, "evidence: a link begins with https:// or http://");
        }
        if (to_text(piece.value).size() > value_max) {
            return fail(Errc::invalid, fmt::format("evidence: at most {} bytes each", value_max));
        }
    }
    return {};
}

} // namespace hive::colony::approvals
