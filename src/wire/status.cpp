#include "wire/status.hpp"

#include <cstdlib>

namespace hive::wire {

std::string_view name_of(InputState state) noexcept {
    switch (state) {
    case InputState::ok: return "ok";
    case InputState::out_of_data: return "out-of-data";
    case InputState::backpressure: return "backpressure";
    case InputState::upstream_error: return "upstream-error";
    case InputState::unknown: return "unknown";
    }
    std::abort();
}

std::string_view name_of(OutputState state) noexcept {
    switch (state) {
    case OutputState::ok: return "ok";
    case OutputState::blocked: return "blocked";
    case OutputState::throttled: return "throttled";
    case OutputState::downstream_error: return "downstream-error";
    case OutputState::unknown: return "unknown";
    }
    std::abort();
}

} // namespace hive::wire
