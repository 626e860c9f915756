#include "colony/tasks/state.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace hive::colony::tasks;

namespace {
constexpr std::size_t move_count = static_cast<std::size_t>(Move::reopen) + 1;

std::set<State> reachable_from(State start) {
    std::set<State> seen{start};
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto& t : transitions()) {
            if (seen.contains(t.from)) grown = seen.insert(t.to).second || grown;
        }
    }
    return seen;
}
} // namespace

TEST_CASE("every state can be reached from a new task, and every state leads to an end") {
    CHECK(reachable_from(State::pending).size() == state_count);
    for (std::size_t i = 0; i < state_count; ++i) {
        const auto reached = reachable_from(static_cast<State>(i));
        CHECK_MESSAGE(reached.contains(State::completed), name_of(static_cast<State>(i)));
    }
}

TEST_CASE("no row of the table is there twice, and every move is used") {
    std::set<std::tuple<State, Move, State>> rows;
    std::set<Move> moves;
    for (const auto& t : transitions()) {
        CHECK(rows.emplace(t.from, t.move, t.to).second);
        moves.insert(t.move);
    }
    CHECK(moves.size() == move_count);
}

TEST_CASE("what is over can only begin again") {
    for (const auto& t : transitions()) {
        if (is_over(t.from)) CHECK_FALSE(is_over(t.to));
    }
}

TEST_CASE("what the ADR draws is in the table") {
    CHECK(can(State::pending, Move::claim, State::claimed));
    CHECK(can(State::claimed, Move::progress, State::in_progress));
    CHECK(can(State::in_progress, Move::complete, State::completed));
    CHECK(can(State::in_progress, Move::fail, State::failed));
    CHECK(can(State::claimed, Move::release, State::pending));
    CHECK(can(State::in_progress, Move::block, State::blocked));
    CHECK(can(State::blocked, Move::unblock, State::pending));
    CHECK_FALSE(can(State::pending, Move::complete));
    CHECK_FALSE(can(State::completed, Move::claim));
}

TEST_CASE("states have names that read back") {
    for (std::size_t i = 0; i < state_count; ++i) {
        const auto state = static_cast<State>(i);
        CHECK(parse_state(name_of(state)) == state);
    }
    const auto bad = parse_state("done");
    REQUIRE_FALSE(bad);
    CHECK(bad.error().detail.find("completed") != std::string::npos);
}
