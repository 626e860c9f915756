#pragma once

#include "kernel/fields.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace hive::bees {

enum class ActionType : std::uint8_t { none, rest, shell };
std::span<const Named<ActionType>> names_of(ActionType);

struct TriggerConfig {
    std::uint32_t interval_ms = 1000;
    bool single = false;
    ActionType action = ActionType::none;
    std::string url{}; // it and the next three are templates
    std::string method = "GET";
    std::string body{};
    std::map<std::string, std::string> headers{};
    bool verify_tls = true;
    std::string command{};
    std::uint32_t timeout_ms = 30'000;
    std::uint32_t output_bytes_max = 65'536;
    bool operator==(const TriggerConfig&) const = default;
};
void describe(FieldTable& fields, TriggerConfig& config);

// Beyond the types: whether the action can be done, and may be.
Status check(const TriggerConfig& config, bool allow_shell);

// The whole configuration of the bee with its interval as that of its scheduler.
json::object with_schedule(json::object config);

} // namespace hive::bees
