#pragma once

#include <cstdint>

namespace hive::tests {

// A loopback port for a server that has to be told its number. No other test is given it while
// this process lives, and no outgoing connection takes it before the server binds.
std::uint16_t reserve_loopback_port();

} // namespace hive::tests
