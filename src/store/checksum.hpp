#pragma once

#include <boost/crc.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::store {

// CRC-64/XZ: finds accidents (an edited migration, a damaged backup), not forgery.
class Checksum {
public:
    void add(std::string_view bytes) { crc_.process_bytes(bytes.data(), bytes.size()); }
    std::string text() const; // 16 hexadecimal digits

private:
    boost::crc_optimal<64, 0x42f0e1eba9ea3693U, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true>
        crc_;
};

} // namespace hive::store
