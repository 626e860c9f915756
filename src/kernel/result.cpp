#include "kernel/result.hpp"

#include <cstdlib>

namespace hive {

std::string_view name_of(Errc code) noexcept {
    switch (code) {
    case Errc::invalid: return "invalid";
    case Errc::not_found: return "not-found";
    case Errc::conflict: return "conflict";
    case Errc::denied: return "denied";
    case Errc::limit: return "limit";
    case Errc::timeout: return "timeout";
    case Errc::unavailable: return "unavailable";
    case Errc::closed: return "closed";
    }
    std::abort();
}

} // namespace hive
