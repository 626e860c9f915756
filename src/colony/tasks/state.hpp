#pragma once

#include "kernel/result.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace hive::colony::tasks {

enum class State : std::uint8_t {
    waiting, // for other tasks, or for its time
    pending,
    claimed,
    in_progress,
    blocked,
    in_review, // done, if somebody approves
    completed,
    failed,
    cancelled,
    dead, // attempts used up
};
inline constexpr std::size_t state_count = 10;

enum class Move : std::uint8_t {
    ready,
    wait,
    claim,
    progress,
    complete,
    fail,
    block,
    unblock,
    release,
    lapse,
    approve,
    reject,
    cancel,
    redrive,
    reopen,
};

struct Transition {
    State from;
    Move move;
    State to;
};

// Every move a task can make: enforced by step(), published at /api/v1/tasks/machine, drawn in
// docs/guides/colony.md.
std::span<const Transition> transitions() noexcept;

bool can(State from, Move move) noexcept;
bool can(State from, Move move, State to) noexcept;
std::vector<Move> moves_from(State from);

constexpr bool is_held(State state) noexcept {
    return state == State::claimed || state == State::in_progress;
}
constexpr bool is_over(State state) noexcept {
    return state >= State::completed;
}

std::string_view name_of(State state) noexcept;
std::string_view name_of(Move move) noexcept;
Result<State> parse_state(std::string_view text);

} // namespace hive::colony::tasks
