#include "api/colony/approval_desk.hpp"

#include "accounts/session.hpp"
#include "api/colony/approval_carrier.hpp"
#include "api/colony/approval_input.hpp"
#include "api/colony/approval_page.hpp"
#include "api/colony/input.hpp"
#include "api/page.hpp"
#include "api/parameter.hpp"
#include "colony/approvals/deciding.hpp"
#include "kernel/entropy.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace hive::rest {
namespace {

using namespace colony::approvals;
using api::Call;

constexpr std::size_t comment_max = 4000;

// With whether the caller may decide it now.
json::object shown(const Approval& approval, const colony::Actor& who) {
    json::object out = to_json(approval);
    out["mayDecide"] = may_vote(approval, who);
    return out;
}

http::Response approval_response(const Approval& approval, const colony::Actor& who) {
    return api::json_response(shown(approval, who));
}

Result<ApprovalQuery> query_of(const Call& call) {
    ApprovalQuery query{
        .requester = std::string{call.text("requester").value_or("")},
        .act = std::string{call.text("act").value_or("")},
        .entity = std::string{call.text("entity").value_or("")},
        .rule = std::string{call.text("rule").value_or("")},
        .limit = static_cast<std::size_t>(*call.integer("limit"))};
    if (const auto state = call.text("state")) {
        const auto parsed = parse_state(*state);
        if (!parsed) return fail(parsed.error());
        query.state = *parsed;
    }
    return query;
}

std::string listing_of(const ApprovalQuery& query) {
    return fmt::format(
        "approvals?{}&{}&{}&{}&{}", query.state ? name_of(*query.state) : "", query.requester,
        query.act, query.entity, query.rule);
}

Ballot ballot_in(const Call& call, std::string_view comment) {
    const json::object& body = call.body().as_object();
    return {
        .who = colony_actor(*call.principal()),
        .approve = text_of(body, "verdict") == "approve",
        .comment = text_of(body, comment)};
}

// What a form of two fields sends; none: it is something else.
std::optional<Ballot> ballot_in_form(std::string_view body) {
    Ballot ballot;
    std::string verdict;
    while (!body.empty()) {
        const std::string_view pair = body.substr(0, body.find('&'));
        body.remove_prefix(std::min(pair.size() + 1, body.size()));
        const std::size_t equals = std::min(pair.find('='), pair.size());
        const auto value = api::decode_query_text(pair.substr(std::min(equals + 1, pair.size())));
        if (!value || value->size() > comment_max) return std::nullopt;
        const std::string_view name = pair.substr(0, equals);
        if (name == "verdict")
            verdict = *value;
        else if (name == "comment")
            ballot.comment = *value;
        else
            return std::nullopt;
    }
    if (verdict != "approve" && verdict != "deny") return std::nullopt;
    ballot.approve = verdict == "approve";
    return ballot;
}

http::Response link_problem(const colony::Refusal& refusal) {
    const unsigned status = refusal.kind == Errc::not_found ? 404 : 410;
    return told_page(
        refusal.kind == Errc::denied ? 409 : status, "This link cannot be used", refusal.detail);
}

} // namespace

asio::awaitable<http::Response>
ApprovalDesk::end_with(Call call, Ending ending, Cause cause) const {
    const colony::Actor actor =
        call.principal() != nullptr ? colony_actor(*call.principal()) : colony::Actor{};
    const auto refused = std::make_shared<std::optional<colony::Refusal>>();
    const auto attempt = [=, this](bool without) {
        return sessions_.transactions.change_as(
            call, cause,
            [=, colony = colony_, hive = hive()](Change& change) -> Result<http::Response> {
                Unit unit{change, hive, actor};
                Workplace place{unit, *colony};
                auto ended = ending(place);
                if (!ended) return unit.refuse(ended.error());
                const auto carried = without
                                         ? note_carried(place.council(), *ended, (*refused)->detail)
                                         : carry_out(place, *ended);
                if (!carried) {
                    if (!without && is_of_the_act(carried.error())) *refused = carried.error();
                    return unit.refuse(carried.error());
                }
                auto answer = place.leave(approval_response(*ended, actor));
                if (!answer || answer->status >= 400) return answer;
                if (auto ok = unit.record(); !ok) return fail(ok.error());
                return answer;
            });
    };
    auto answer = co_await attempt(false);
    if (*refused) answer = co_await attempt(true);
    co_return answer;
}

asio::awaitable<http::Response> ApprovalDesk::list(Call call) const {
    auto query = query_of(call);
    if (!query) co_return call.fail(query.error());
    const std::string listing = listing_of(*query);
    if (const auto cursor = call.text("cursor")) {
        auto after = sessions_.cursors.decode(listing, *cursor);
        if (!after) co_return call.fail(after.error());
        query->after = *std::move(after);
    }
    co_return co_await sessions_.transactions.read(
        call,
        [query = *query, listing, hive = hive(), who = colony_actor(*call.principal()),
         cursors = &sessions_.cursors, following = api::NextPage{call.request()}](
            store::Session& session) -> Result<http::Response> {
            const auto found = store::ApprovalTable{session, hive}.list(query);
            if (!found) return fail(found.error());
            json::array items;
            for (const Approval& approval : *found) items.push_back(shown(approval, who));
            const bool more = found->size() == query.limit;
            return following.page(
                std::move(items),
                more ? cursors->encode(listing, found->back().id) : std::string{});
        });
}

asio::awaitable<http::Response> ApprovalDesk::show(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [id = std::string{call.path("approval")}, hive = hive(),
         who = colony_actor(*call.principal())](store::Session& session) -> Result<http::Response> {
            const auto found = store::ApprovalTable{session, hive}.find(id);
            if (!found) return fail(found.error());
            if (!*found) return fail(Errc::not_found, fmt::format("there is no approval {}", id));
            return approval_response(**found, who);
        });
}

asio::awaitable<http::Response> ApprovalDesk::ask(Call call) const {
    auto wanted = question_in(call.body().as_object());
    if (!wanted) co_return call.fail(wanted.error());
    co_return co_await act_in_colony(
        sessions_, *colony_, call,
        [wanted = *wanted](Workplace& place, const Unit& unit) -> Result<http::Response> {
            const auto asked = open_request(place.council(), wanted);
            return answer(unit, asked, [&](const Approval& approval) {
                auto response = api::json_response(shown(approval, place.actor()), 201);
                response.headers.add("Location", "/api/v1/approvals/" + approval.id);
                return response;
            });
        });
}

asio::awaitable<http::Response> ApprovalDesk::add_evidence(Call call) const {
    co_return co_await act_in_colony(
        sessions_, *colony_, call,
        [id = std::string{call.path("approval")}, more = evidence_in(call.body().as_object())](
            Workplace& place, const Unit& unit) -> Result<http::Response> {
            const auto done = colony::approvals::add_evidence(place.council(), id, more);
            return answer(unit, done, [&](const Approval& approval) {
                return approval_response(approval, place.actor());
            });
        });
}

asio::awaitable<http::Response> ApprovalDesk::withdraw(Call call) const {
    co_return co_await end_with(
        call,
        [id = std::string{call.path("approval")}, why = text_of(call.body().as_object(), "reason")](
            Workplace& place) { return colony::approvals::withdraw(place.council(), id, why); },
        cause_of(call));
}

asio::awaitable<http::Response> ApprovalDesk::decide(Call call) const {
    co_return co_await end_with(
        call,
        [id = std::string{call.path("approval")}, ballot = ballot_in(call, "comment")](
            Workplace& place) { return colony::approvals::decide(place.council(), id, ballot); },
        cause_of(call));
}

asio::awaitable<http::Response> ApprovalDesk::override_it(Call call) const {
    co_return co_await end_with(
        call,
        [id = std::string{call.path("approval")}, ballot = ballot_in(call, "reason")](
            Workplace& place) { return override_with(place.council(), id, ballot); },
        cause_of(call));
}

asio::awaitable<http::Response> ApprovalDesk::make_link(Call call) const {
    const json::object& body = call.body().as_object();
    const auto valid_for = span_of(body, "validFor");
    if (!valid_for) co_return call.fail(valid_for.error());
    const LinkWish wish{
        .person = text_of(body, "person"), .valid_for = valid_for->value_or(link_usual)};
    accounts::TokenEntropy entropy{};
    fill_from_entropy(entropy);
    const auto token = accounts::make_token(entropy);
    const std::string url =
        fmt::format("{}/approve?word={}", sessions_.public_url, token.text.reveal());
    co_return co_await act_in_colony(
        sessions_, *colony_, call,
        [id = std::string{call.path("approval")}, wish, url,
         word = accounts::hash_token(token.text.reveal())](
            Workplace& place, const Unit& unit) -> Result<http::Response> {
            const auto link = colony::approvals::make_link(place.council(), id, wish, word);
            return answer(unit, link, [&](const Link& made) {
                return api::json_response(
                    json::object{
                        {"url", url},
                        {"person", made.person.id},
                        {"expires", format_timestamp(made.expires)}},
                    201);
            });
        });
}

asio::awaitable<http::Response> ApprovalDesk::show_link(Call call) const {
    co_return co_await sessions_.transactions.read(
        call,
        [word = accounts::hash_token(*call.text("word")), hive = hive(),
         now = sessions_.transactions.clock().wall()](
            store::Session& session) -> Result<http::Response> {
            store::ApprovalTable book{session, hive};
            store::ApprovalLinkTable links{session, hive};
            Random random{0}; // nothing is made here
            colony::Moment moment{{}, now, random};
            const auto found = find_invitation({book, links, moment}, word);
            return found ? decision_page(*found) : link_problem(found.error());
        });
}

asio::awaitable<http::Response> ApprovalDesk::follow_link(Call call) const {
    const auto ballot = ballot_in_form(call.request().body);
    if (!ballot) co_return told_page(400, "Nothing was decided", "Choose one of the two buttons.");
    const Digest word = accounts::hash_token(*call.text("word"));
    // Whoever the link is for is who acts: known before the act, for the audit log.
    const auto person = co_await sessions_.transactions.snapshot(
        [word, hive = hive()](store::Session& session) -> Result<std::string> {
            const auto link = store::ApprovalLinkTable{session, hive}.find(word);
            if (!link) return fail(link.error());
            if (!*link) return std::string{"nobody"};
            const colony::Actor& who = (*link)->person;
            return fmt::format("{}:{}", accounts::name_of(who.role), who.id);
        });
    if (!person) co_return call.fail(person.error());
    Cause cause = cause_of(call);
    cause.actor = *person;
    const auto refusal = std::make_shared<std::optional<colony::Refusal>>();
    const auto answer = co_await end_with(
        call,
        [word, ballot = *ballot, refusal](Workplace& place) {
            auto done = decide_by_link(place.council(), word, ballot);
            *refusal = done ? std::nullopt : std::optional{done.error()};
            return done;
        },
        std::move(cause));
    if (*refusal) co_return link_problem(**refusal);
    if (answer.status >= 400) co_return answer;
    co_return told_page(
        200, ballot->approve ? "Approved" : "Denied", "Your decision is recorded. Thank you.");
}

} // namespace hive::rest
