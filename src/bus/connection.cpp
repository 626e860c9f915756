#include "bus/connection.hpp"

#include <cstdlib>

namespace hive::bus {

std::string_view name_of(Link link) noexcept {
    switch (link) {
    case Link::up: return "up";
    case Link::blocked: return "blocked";
    case Link::away: return "away";
    case Link::closed: return "closed";
    }
    std::abort();
}

} // namespace hive::bus
