#pragma once

#include <cstdint>
#include <span>

namespace hive {

// Unguessable bytes for keys, salts and tickets, from the operating system through OpenSSL. Only
// shells call this; pure code is handed the bytes. Throws when the machine has none to give.
void fill_from_entropy(std::span<std::uint8_t> bytes);

} // namespace hive
