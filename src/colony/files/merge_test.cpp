#include "colony/files/merge.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::colony;
using namespace hive::colony::files;
using tasks::Move;
using tasks::State;
using tasks::Task;

namespace {

const Timestamp early{std::chrono::seconds{100}};
const Timestamp late{std::chrono::seconds{200}};

Task task(const std::string& title, int priority = 2) {
    Task made{.id = "i", .ref = "T", .title = title, .created_by = "a"};
    made.priority = priority;
    made.changed = early;
    return made;
}

} // namespace

TEST_CASE("a field that only one side changed is no conflict, whatever the policy") {
    const Task base = task("base");
    for (const Policy policy : {Policy::last_write, Policy::files_win, Policy::api_win}) {
        const auto by_file = merge({&base, task("file"), base, early}, policy);
        CHECK(by_file.changes.title == "file");
        CHECK(by_file.conflicts.empty());
        const auto by_api = merge({&base, base, task("api"), late}, policy);
        CHECK_FALSE(by_api.any);
        const auto both_same = merge({&base, task("same"), task("same"), late}, policy);
        CHECK_FALSE(both_same.any);
        CHECK(both_same.conflicts.empty());
    }
}

TEST_CASE("a field that both changed goes to the policy, and both values are told") {
    const Task base = task("base");
    const auto merged = [&](Policy policy, Timestamp file_changed) {
        return merge({&base, task("file", 0), task("api", 4), file_changed}, policy);
    };
    CHECK(merged(Policy::last_write, late).changes.title == "file");
    CHECK_FALSE(merged(Policy::last_write, Timestamp{}).any);
    CHECK(merged(Policy::files_win, Timestamp{}).changes.priority == 0);
    CHECK_FALSE(merged(Policy::api_win, late).any);
    const auto told = merged(Policy::api_win, late).conflicts;
    REQUIRE(told.size() == 2);
    CHECK(told[0].field == "title");
    CHECK(told[0].file == json::value("file"));
    CHECK(told[0].api == json::value("api"));
    CHECK_FALSE(told[0].file_won);
    CHECK(parse_policy("files-win") == Policy::files_win);
    CHECK_FALSE(parse_policy("coin"));
}

TEST_CASE("every way from a state to one that a file can say is a way of the state machine") {
    for (std::size_t from = 0; from < tasks::state_count; ++from) {
        for (std::size_t to = 0; to < tasks::state_count; ++to) {
            Task moving = task("t");
            moving.state = static_cast<State>(from);
            const auto moves = moves_to(moving, static_cast<State>(to));
            if (!moves) continue;
            for (const Move move : *moves) {
                CAPTURE(name_of(moving.state));
                CAPTURE(name_of(move));
                REQUIRE(tasks::can(moving.state, move));
                for (const auto& step : tasks::transitions()) {
                    if (step.from == moving.state && step.move == move) moving.state = step.to;
                }
                if (move == Move::ready || move == Move::unblock || move == Move::redrive)
                    moving.state = State::pending; // nothing else holds it
            }
        }
    }
    Task waiting = task("t");
    waiting.state = State::waiting;
    waiting.unmet = {"another"};
    CHECK_FALSE(moves_to(waiting, State::completed)); // files cannot jump the queue
    Task dead = task("t");
    dead.state = State::dead;
    CHECK_FALSE(moves_to(dead, State::failed));
}
