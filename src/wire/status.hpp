#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::wire {

// What a component's inputs see. `out_of_data` is said by a source that is exhausted, never
// inferred from an empty queue.
enum class InputState : std::uint8_t { ok, out_of_data, backpressure, upstream_error, unknown };
inline constexpr std::array all_input_states{
    InputState::ok, InputState::out_of_data, InputState::backpressure, InputState::upstream_error,
    InputState::unknown};
std::string_view name_of(InputState state) noexcept;

enum class OutputState : std::uint8_t { ok, blocked, throttled, downstream_error, unknown };
inline constexpr std::array all_output_states{
    OutputState::ok, OutputState::blocked, OutputState::throttled, OutputState::downstream_error,
    OutputState::unknown};
std::string_view name_of(OutputState state) noexcept;

struct Flow {
    InputState input = InputState::unknown;
    OutputState output = OutputState::unknown;
    std::optional<json::object> context{};

    bool operator==(const Flow&) const = default;
};

// Workload and local I/O only; says nothing about the control plane. Managers have no `work`.
struct IoState {
    std::optional<Flow> work{};
    std::optional<Flow> filesystem{};

    bool operator==(const IoState&) const = default;
};

struct QueueDepth {
    std::uint64_t depth = 0;
    std::uint64_t consumers = 0;
    std::optional<std::uint64_t> oldest_age_sec{};

    bool operator==(const QueueDepth&) const = default;
};

// The broker's names of queues, and the routing keys a component publishes to.
struct Wiring {
    std::vector<std::string> in{};
    std::vector<std::string> out{};
    std::vector<std::string> routes{};

    bool operator==(const Wiring&) const = default;
};

struct WorkIo {
    Wiring queues{};
    std::map<std::string, QueueDepth> queue_stats{};

    bool operator==(const WorkIo&) const = default;
};

struct Io {
    std::optional<WorkIo> work{}; // bees only: managers have no workload
    std::optional<Wiring> control{};

    bool operator==(const Io&) const = default;
};

// Everything about a component: at start, after each config-update, on request.
struct StatusFull {
    bool enabled = false;
    Timestamp started_at{};
    std::optional<std::uint64_t> tps{};
    json::object config{}; // effective, without secrets
    Io io{};
    IoState io_state{};
    std::optional<json::object> context{};

    bool operator==(const StatusFull&) const = default;
};

// What changes often, and nothing heavy: see heavy_context_keys().
struct StatusDelta {
    bool enabled = false;
    std::optional<std::uint64_t> tps{};
    IoState io_state{};
    std::optional<json::object> context{};

    bool operator==(const StatusDelta&) const = default;
};

} // namespace hive::wire
