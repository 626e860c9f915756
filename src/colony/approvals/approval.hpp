#pragma once

#include "colony/approvals/rule.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::approvals {

inline constexpr std::size_t evidence_max = 50;
inline constexpr std::string_view question = "question"; // an act that holds nothing back

enum class State : std::uint8_t { open, approved, denied, timed_out, withdrawn };
inline constexpr std::size_t state_count = 5;

// What became of the act. Pending: decided, and still to be done or taken back.
enum class Carry : std::uint8_t { nothing, pending, done, refused };

// What helps to decide: where to look, words, or data.
struct Evidence {
    std::string kind; // link, text, json
    std::string title{};
    json::value value{};

    bool operator==(const Evidence&) const = default;
};

struct Vote {
    std::string who;
    bool approve = false;
    std::string comment{};
    Timestamp at{};
    int stage = 0;
    std::string via = "api"; // or `link`

    bool operator==(const Vote&) const = default;
};

struct Approval {
    std::string id;
    std::string rule{}; // its id; empty: nobody's rule
    std::string rule_name{};
    Act act{};
    std::string subject; // what it is about, in a line
    std::vector<Evidence> evidence{};
    Actor requester{};
    Timestamp created{};
    std::uint64_t revision = 1;

    std::vector<Stage> stages{};
    int stage = 0;
    Timestamp stage_ends{};
    std::vector<Vote> votes{};

    State state = State::open;
    std::optional<Timestamp> ended{};
    std::string ended_by{}; // whoever's word was the last; empty: time
    std::string reason{};
    bool overridden = false;

    Carry carry = Carry::nothing;
    std::string carry_note{}; // why it could not be done

    bool operator==(const Approval&) const = default;
};

const Stage& current_stage(const Approval& approval);
int approvals_in_stage(const Approval& approval);

// May this person decide it now, as far as rules go?
bool may_vote(const Approval& approval, const Actor& who);

// Two requests with one key are about the same act: the second one is the first.
std::string key_of(const Act& act, const Actor& who);

std::string_view name_of(State state) noexcept;
Result<State> parse_state(std::string_view text);
std::string_view name_of(Carry carry) noexcept;

// Without the command: it may hold secrets.
json::object to_json(const Approval& approval);
std::string to_stored(const Approval& approval);
Result<Approval> from_stored(std::string_view text);

} // namespace hive::colony::approvals
