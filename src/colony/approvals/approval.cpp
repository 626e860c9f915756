#include "colony/approvals/approval.hpp"

#include "colony/stored.hpp"
#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace hive::colony::approvals {
namespace {

constexpr std::array<std::string_view, state_count> state_names{
    "open", "approved", "denied", "timed_out", "withdrawn"};
constexpr std::array<std::string_view, 4> carry_names{"nothing", "pending", "done", "refused"};

template <class Enum, std::size_t N>
Enum enum_at(
    const json::object& in, std::string_view name, const std::array<std::string_view, N>& names) {
    const auto* found = std::ranges::find(names, std::string_view{in.at(name).as_string()});
    if (found == names.end()) throw std::invalid_argument{std::string{name}};
    return static_cast<Enum>(found - names.begin());
}

json::object evidence_json(const Evidence& evidence) {
    json::object out{{"kind", evidence.kind}, {"value", evidence.value}};
    put(out, "title", evidence.title);
    return out;
}

json::object vote_json(const Vote& vote) {
    json::object out{
        {"who", vote.who},
        {"verdict", vote.approve ? "approve" : "deny"},
        {"at", format_timestamp(vote.at)},
        {"stage", vote.stage},
        {"via", vote.via}};
    put(out, "comment", vote.comment);
    return out;
}

json::object act_json(const Act& act) {
    json::object out{
        {"what", act.what}, {"entityType", act.entity_type}, {"entityId", act.entity_id}};
    put(out, "facts", act.facts);
    return out;
}

Vote vote_in(const json::object& in) {
    return {
        .who = text_in(in, "who"),
        .approve = text_in(in, "verdict") == "approve",
        .comment = text_in(in, "comment"),
        .at = time_at(in, "at"),
        .stage = number_in<int>(in, "stage"),
        .via = text_in(in, "via")};
}

Approval approval_in(const json::object& in) {
    const auto& act = in.at("act").as_object();
    const auto& requester = in.at("requester").as_object();
    Approval approval{
        .id = text_in(in, "id"),
        .rule = text_in(in, "rule"),
        .rule_name = text_in(in, "ruleName"),
        .act =
            {.what = text_in(act, "what"),
             .entity_type = text_in(act, "entityType"),
             .entity_id = text_in(act, "entityId"),
             .facts = object_in(act, "facts"),
             .command = object_in(in, "command")},
        .subject = text_in(in, "subject"),
        .requester =
            {.id = text_in(requester, "id"),
             .role = accounts::parse_role(text_in(requester, "role")).value()},
        .created = time_at(in, "createdAt"),
        .revision = number_in<std::uint64_t>(in, "revision"),
        .stage = number_in<int>(in, "stage"),
        .stage_ends = time_at(in, "stageEnds"),
        .state = enum_at<State>(in, "state", state_names),
        .ended = time_in(in, "endedAt"),
        .ended_by = text_in(in, "endedBy"),
        .reason = text_in(in, "reason"),
        .overridden = in.contains("overridden"),
        .carry = enum_at<Carry>(in, "carry", carry_names),
        .carry_note = text_in(in, "carryNote")};
    for (const auto& stage : in.at("stages").as_array()) {
        approval.stages.push_back(stage_in(stage.as_object()));
    }
    for (const auto& vote : in.at("votes").as_array()) {
        approval.votes.push_back(vote_in(vote.as_object()));
    }
    for (const auto& item : in.at("evidence").as_array()) {
        const auto& one = item.as_object();
        approval.evidence.push_back({text_in(one, "kind"), text_in(one, "title"), one.at("value")});
    }
    return approval;
}

} // namespace

const Stage& current_stage(const Approval& approval) {
    return approval.stages.at(static_cast<std::size_t>(approval.stage));
}

int approvals_in_stage(const Approval& approval) {
    return static_cast<int>(std::ranges::count_if(approval.votes, [&](const Vote& vote) {
        return vote.approve && vote.stage == approval.stage;
    }));
}

bool may_vote(const Approval& approval, const Actor& who) {
    const auto voted = [&](const Vote& vote) {
        return vote.who == who.id && vote.stage == approval.stage;
    };
    return approval.state == State::open && approval.requester.id != who.id &&
           may_decide(current_stage(approval), who) && std::ranges::none_of(approval.votes, voted);
}

std::string key_of(const Act& act, const Actor& who) {
    std::string key = fmt::format("{}\n{}\n{}", act.what, act.entity_id, who.id);
    // One channel takes many messages, and each is an act of its own.
    if (act.entity_type == "channel") key += '\n' + to_text(act.command);
    // One swarm takes many patches; but what a plan does belongs to one start.
    if (act.what == "swarm.config" && !act.facts.contains("planned")) {
        key += '\n' + to_text(act.command);
    }
    // One budget has many who spend it and many days; the facts say which.
    if (act.entity_type == "budget") key += '\n' + to_text(act.facts);
    return to_hex(sha256(bytes_of(key)));
}

std::string_view name_of(State state) noexcept {
    return state_names.at(static_cast<std::size_t>(state));
}

Result<State> parse_state(std::string_view text) {
    const auto* found = std::ranges::find(state_names, text);
    if (found == state_names.end()) {
        return fail(
            Errc::invalid,
            fmt::format(
                "'{}' is not a state of approvals; one of {}", text, fmt::join(state_names, ", ")));
    }
    return static_cast<State>(found - state_names.begin());
}

std::string_view name_of(Carry carry) noexcept {
    return carry_names.at(static_cast<std::size_t>(carry));
}

json::object to_json(const Approval& approval) {
    json::array stages;
    for (const Stage& stage : approval.stages) stages.push_back(to_json(stage));
    json::array votes;
    for (const Vote& vote : approval.votes) votes.push_back(vote_json(vote));
    json::array evidence;
    for (const Evidence& item : approval.evidence) evidence.push_back(evidence_json(item));
    json::object out{
        {"id", approval.id},
        {"state", name_of(approval.state)},
        {"subject", approval.subject},
        {"act", act_json(approval.act)},
        {"requester",
         json::object{
             {"id", approval.requester.id}, {"role", accounts::name_of(approval.requester.role)}}},
        {"createdAt", format_timestamp(approval.created)},
        {"revision", approval.revision},
        {"stages", std::move(stages)},
        {"stage", approval.stage},
        {"stageEnds", format_timestamp(approval.stage_ends)},
        {"votes", std::move(votes)},
        {"evidence", std::move(evidence)},
        {"carry", name_of(approval.carry)}};
    put(out, "rule", approval.rule);
    put(out, "ruleName", approval.rule_name);
    put(out, "endedAt", approval.ended);
    put(out, "endedBy", approval.ended_by);
    put(out, "reason", approval.reason);
    put(out, "carryNote", approval.carry_note);
    if (approval.overridden) out["overridden"] = true;
    return out;
}

std::string to_stored(const Approval& approval) {
    json::object all = to_json(approval);
    all["command"] = approval.act.command;
    return to_text(all);
}

Result<Approval> from_stored(std::string_view text) {
    return read_stored("approval", text, approval_in);
}

} // namespace hive::colony::approvals
