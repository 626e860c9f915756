#include "store/checksum.hpp"

#include <fmt/format.h>

namespace hive::store {

std::string Checksum::text() const {
    return fmt::format("{:016x}", crc_.checksum());
}

} // namespace hive::store
