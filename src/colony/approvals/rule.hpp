#pragma once

#include "colony/gate.hpp"
#include "colony/moment.hpp"
#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::approvals {

inline constexpr std::size_t stages_max = 10;
inline constexpr int quorum_max = 20;
inline constexpr Duration within_shortest = std::chrono::seconds{1};
inline constexpr Duration within_longest = std::chrono::hours{24 * 90};
inline constexpr Duration within_usual = std::chrono::hours{24};

using Roles = std::vector<accounts::Role>;

// Who decides, how many of them have to agree, and how long they have.
struct Stage {
    Roles roles{};
    Words people{};
    int quorum = 1;
    Duration within = within_usual;

    bool operator==(const Stage&) const = default;
};
bool may_decide(const Stage& stage, const Actor& who);

// Which acts a rule is about. What is empty matches everything; `*` in a pattern any text.
struct Match {
    Words acts{};                  // `task.complete`, `swarm.*`
    Words tags{};                  // of the task or message: all of these
    std::optional<int> priority{}; // of the task: this or more urgent
    Words tasks{};                 // patterns of refs
    Words channels{};
    Words swarms{};
    Roles from{}; // of whoever acts

    bool operator==(const Match&) const = default;
};

enum class Effect : std::uint8_t { ask, allow, deny };

// The first rule that matches an act decides about it: by rank, of equal ones the oldest.
struct Rule {
    std::string id;
    std::string name;
    int rank = 100;
    bool enabled = true;
    Effect effect = Effect::ask;
    Match match{};
    std::vector<Stage> stages{}; // one after another, each when the one before ran out of time
    std::string created_by{};
    Timestamp created{};
    Timestamp changed{};
    std::uint64_t revision = 1;

    bool operator==(const Rule&) const = default;
};
// In the order in which they are asked.
using Rules = std::vector<Rule>;
using RulesPtr = std::shared_ptr<const Rules>;

bool matches_pattern(std::string_view pattern, std::string_view text);
bool is_about(const Match& match, std::string_view what);
bool matches(const Match& match, const Act& act, const Actor& who);
const Rule* first_match(const Rules& rules, const Act& act, const Actor& who);
void sort_rules(Rules& rules);

// Says what is wrong with it, naming the member.
Status check_rule(const Rule& rule);
Status check_stage(const Stage& stage);

std::string_view name_of(Effect effect) noexcept;
Result<Effect> parse_effect(std::string_view text);

json::object to_json(const Stage& stage);
Stage stage_in(const json::object& in); // throws as colony/stored.hpp says
json::object to_json(const Rule& rule);
Result<Rule> rule_from_stored(std::string_view text);

} // namespace hive::colony::approvals
