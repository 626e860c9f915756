#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace hive::mock {

inline constexpr std::size_t head_max = std::size_t{16} << 10U;
inline constexpr std::uint64_t body_max = std::uint64_t{64} << 20U;

// The head of one request, as little of it as a mock needs. The views end with the buffer.
struct RequestHead {
    std::string_view method;
    std::string_view target;
    std::size_t size = 0; // of the head, with the empty line
    std::uint64_t body = 0;
    bool keep_alive = true;
    bool expects_continue = false;
};

struct Scanned {
    enum class State : std::uint8_t { whole, more, bad };
    State state = State::more;
    RequestHead head{};
    int status = 400;          // why it is bad: 400, 413, 431, 501 or 505
    std::string_view reason{}; // in words
};

// Looks at the front of what has arrived.
Scanned scan_request(std::string_view bytes);

} // namespace hive::mock
