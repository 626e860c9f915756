#include "colony/tasks/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::colony::tasks {
namespace {

using enum State;

constexpr std::array table{
    Transition{waiting, Move::ready, pending},
    Transition{waiting, Move::cancel, cancelled},
    Transition{pending, Move::wait, waiting},
    Transition{pending, Move::claim, claimed},
    Transition{pending, Move::cancel, cancelled},
    Transition{claimed, Move::progress, in_progress},
    Transition{claimed, Move::complete, completed},
    Transition{claimed, Move::complete, in_review},
    Transition{claimed, Move::fail, waiting}, // for its next attempt
    Transition{claimed, Move::fail, pending},
    Transition{claimed, Move::fail, failed},
    Transition{claimed, Move::fail, dead},
    Transition{claimed, Move::block, blocked},
    Transition{claimed, Move::release, pending},
    Transition{claimed, Move::lapse, pending},
    Transition{claimed, Move::lapse, dead},
    Transition{claimed, Move::cancel, cancelled},
    Transition{in_progress, Move::progress, in_progress},
    Transition{in_progress, Move::complete, completed},
    Transition{in_progress, Move::complete, in_review},
    Transition{in_progress, Move::fail, waiting},
    Transition{in_progress, Move::fail, pending},
    Transition{in_progress, Move::fail, failed},
    Transition{in_progress, Move::fail, dead},
    Transition{in_progress, Move::block, blocked},
    Transition{in_progress, Move::release, pending},
    Transition{in_progress, Move::lapse, pending},
    Transition{in_progress, Move::lapse, dead},
    Transition{in_progress, Move::cancel, cancelled},
    Transition{blocked, Move::unblock, pending},
    Transition{blocked, Move::unblock, waiting},
    Transition{blocked, Move::cancel, cancelled},
    Transition{in_review, Move::approve, completed},
    Transition{in_review, Move::reject, pending},
    Transition{in_review, Move::cancel, cancelled},
    Transition{completed, Move::reopen, pending},
    Transition{failed, Move::redrive, pending},
    Transition{failed, Move::redrive, waiting},
    Transition{cancelled, Move::redrive, pending},
    Transition{cancelled, Move::redrive, waiting},
    Transition{dead, Move::redrive, pending},
    Transition{dead, Move::redrive, waiting},
};

constexpr std::array<std::string_view, state_count> state_names{
    "waiting",   "pending",   "claimed", "in_progress", "blocked",
    "in_review", "completed", "failed",  "cancelled",   "dead"};

constexpr std::array<std::string_view, 15> move_names{
    "ready",   "wait",  "claim",   "progress", "complete", "fail",    "block", "unblock",
    "release", "lapse", "approve", "reject",   "cancel",   "redrive", "reopen"};

} // namespace

std::span<const Transition> transitions() noexcept {
    return table;
}

bool can(State from, Move move) noexcept {
    return std::ranges::any_of(
        table, [&](const Transition& t) { return t.from == from && t.move == move; });
}

bool can(State from, Move move, State to) noexcept {
    return std::ranges::any_of(
        table, [&](const Transition& t) { return t.from == from && t.move == move && t.to == to; });
}

std::vector<Move> moves_from(State from) {
    std::vector<Move> moves;
    for (const Transition& t : table) {
        if (t.from == from && std::ranges::find(moves, t.move) == moves.end())
            moves.push_back(t.move);
    }
    return moves;
}

std::string_view name_of(State state) noexcept {
    return state_names.at(static_cast<std::size_t>(state));
}

std::string_view name_of(Move move) noexcept {
    return move_names.at(static_cast<std::size_t>(move));
}

Result<State> parse_state(std::string_view text) {
    const auto* found = std::ranges::find(state_names, text);
    if (found == state_names.end()) {
        return fail(
            Errc::invalid,
            fmt::format(
                "'{}' is not a state of tasks; one of {}", text, fmt::join(state_names, ", ")));
    }
    return static_cast<State>(found - state_names.begin());
}

} // namespace hive::colony::tasks
