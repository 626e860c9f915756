#pragma once

#include "kernel/result.hpp"
#include "wire/command.hpp"
#include "wire/scope.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::wire {

// The four families of control traffic; a key starts with `signal`, `event.outcome`,
// `event.metric` or `event.alert`.
enum class Family : std::uint8_t { signal, outcome, metric, alert };
inline constexpr std::array all_families{
    Family::signal, Family::outcome, Family::metric, Family::alert};

std::string_view name_of(Family family) noexcept;   // `signal`, `outcome`, `metric`, `alert`
std::string_view prefix_of(Family family) noexcept; // `signal`, `event.outcome`, ...

inline constexpr std::string_view status_full = "status-full";
inline constexpr std::string_view status_delta = "status-delta";
inline constexpr std::string_view alert_type = "alert"; // the only one so far

// The types that exist in a family, as they are written on the wire.
const std::vector<std::string_view>& types_of(Family family);

// `signal.<type>.<swarmId>.<role>.<instance>` or `event.<family>.<type>.<swarmId>...`.
struct RoutingKey {
    Family family;
    std::string_view type; // one of types_of(family); static storage
    Scope scope;

    static RoutingKey signal(Command command, Scope target);
    static RoutingKey outcome(Command command, Scope subject);
    static RoutingKey full_status(Scope subject);
    static RoutingKey delta_status(Scope subject);
    static RoutingKey alert(Scope subject);

    auto operator<=>(const RoutingKey&) const = default;
};

std::string to_text(const RoutingKey& key);

// Errc::invalid for anything that is not a key of the contract, with the word that is wrong.
Result<RoutingKey> parse_routing_key(std::string_view text);

} // namespace hive::wire
