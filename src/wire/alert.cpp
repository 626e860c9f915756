#include "wire/alert.hpp"

#include <cstdlib>

namespace hive::wire {

std::string_view name_of(AlertLevel level) noexcept {
    switch (level) {
    case AlertLevel::info: return "info";
    case AlertLevel::warn: return "warn";
    case AlertLevel::error: return "error";
    }
    std::abort();
}

} // namespace hive::wire
