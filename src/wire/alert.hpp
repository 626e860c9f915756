#pragma once

#include "kernel/json.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hive::wire {

enum class AlertLevel : std::uint8_t { info, warn, error };
inline constexpr std::array all_alert_levels{AlertLevel::info, AlertLevel::warn, AlertLevel::error};
std::string_view name_of(AlertLevel level) noexcept;

// Codes that dashboards and filters know. Others are allowed: short, stable, lower case.
namespace alert_code {
inline constexpr std::string_view worker_runtime_error = "worker.runtime-error";
inline constexpr std::string_view controller_runtime_error = "controller.runtime-error";
inline constexpr std::string_view io_out_of_data = "io.out-of-data";
inline constexpr std::string_view io_backpressure = "io.backpressure";
inline constexpr std::string_view io_downstream_error = "io.downstream-error";
inline constexpr std::string_view generator_limit_reached = "generator.limit-reached";
} // namespace alert_code

struct Alert {
    AlertLevel level = AlertLevel::error;
    std::string code{};
    std::string message{};
    std::optional<std::string> error_type{};
    std::optional<std::string> error_detail{};
    std::optional<std::string> log_ref{}; // a pointer to logs, never the logs themselves
    std::optional<json::object> context{};

    bool operator==(const Alert&) const = default;
};

} // namespace hive::wire
