#pragma once

#include "kernel/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hive::simulation::handshake {

// One attempt at a command. Every attempt has its own correlation id; the key says which command it
// is, however often it is sent.
struct Attempt {
    std::string correlation;
    std::string key;

    bool operator==(const Attempt&) const = default;
};

struct Command {
    Attempt attempt;
};
struct Reaction { // the performer has it on disk; no need to send again
    Attempt attempt;
};
struct Outcome {
    Attempt attempt;
    std::uint64_t entry = 0; // the command's line in the performer's ledger, from 1
};
using Message = std::variant<Command, Reaction, Outcome>;

inline constexpr std::string_view command_key = "signal.perform";
inline constexpr std::string_view reaction_key = "event.reaction";
inline constexpr std::string_view outcome_key = "event.outcome";

std::string_view routing_key_of(const Message& message);
std::string encode(const Message& message);
Result<Message> decode(std::string_view routing_key, std::string_view body);

// Words separated by single spaces; what both sides write to their disks, too.
std::vector<std::string> words(std::string_view text);
Result<std::uint64_t> number(std::string_view text);

} // namespace hive::simulation::handshake
