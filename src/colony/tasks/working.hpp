#pragma once

#include "colony/tasks/bench.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::colony::tasks {

inline constexpr Duration lease_usual = std::chrono::minutes{5};
inline constexpr Duration lease_shortest = std::chrono::seconds{1};
inline constexpr Duration lease_longest = std::chrono::hours{24};
inline constexpr std::size_t claimed_at_once_max = 100;

struct Terms {
    std::string bee{};      // empty: whoever acts; for another only people may take one
    std::string instance{}; // which process of that bee
    Duration lease = lease_usual;
};
Outcome<Task> claim(Bench& bench, std::string_view id, const Terms& terms);

struct Wish {
    Words skills{}; // what the bee can
    Words tags{};   // the task must have all of them
    std::size_t count = 1;
    Terms terms{};
};
// The most urgent tasks that the bee may take, of those the oldest; as many as there are.
Outcome<std::vector<Task>> claim_next(Bench& bench, const Wish& wish);

// How a caller shows that it still has the task. A bee must show its token: it may run twice.
struct Hold {
    std::optional<std::uint64_t> token{};
};
Outcome<Task> heartbeat(Bench& bench, std::string_view id, const Hold& hold);

struct Report {
    Hold hold{};
    std::optional<int> percent{};
    std::string note{};
    json::value result{};
};
Outcome<Task> progress(Bench& bench, std::string_view id, const Report& report);
Outcome<Task> complete(Bench& bench, std::string_view id, const Report& report);
Outcome<Task> block(Bench& bench, std::string_view id, const Report& report);   // note: why
Outcome<Task> release(Bench& bench, std::string_view id, const Report& report); // note: why

struct Failure {
    Hold hold{};
    std::string error{};
    bool retryable = true;
};
Outcome<Task> fail_attempt(Bench& bench, std::string_view id, const Failure& failure);

} // namespace hive::colony::tasks
