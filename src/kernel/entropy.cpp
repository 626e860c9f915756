#include "kernel/entropy.hpp"

#include <openssl/rand.h>

#include <climits>
#include <stdexcept>

namespace hive {

void fill_from_entropy(std::span<std::uint8_t> bytes) {
    const bool filled =
        bytes.size() <= INT_MAX && RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) == 1;
    if (!filled) throw std::runtime_error{"the machine's source of random bytes is not available"};
}

} // namespace hive
