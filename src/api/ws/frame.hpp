#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hive::ws {

enum class Opcode : std::uint8_t {
    continuation = 0x0,
    text = 0x1,
    binary = 0x2,
    close = 0x8,
    ping = 0x9,
    pong = 0xa,
};

constexpr bool is_control(Opcode opcode) noexcept {
    return (static_cast<unsigned>(opcode) & 0x8U) != 0;
}

// RFC 6455 §7.4, and some of our own range.
enum class CloseCode : std::uint16_t {
    normal = 1000,
    going_away = 1001, // the server shuts down
    protocol_error = 1002,
    unsupported_data = 1003,
    no_status = 1005, // never sent: the peer gave no code
    invalid_data = 1007,
    policy = 1008,
    too_big = 1009,
    internal_error = 1011,
    try_again_later = 1013,
    signed_out = 4001,    // the key or session has ended: sign in again
    slow_consumer = 4008, // you did not read fast enough; resume from your last sequence number
};

// A code that a peer may send.
bool is_valid_close(std::uint16_t code) noexcept;

struct FrameHeader {
    bool final = true;
    Opcode opcode = Opcode::text;
    bool masked = false;
    std::uint64_t length = 0;
    std::array<std::uint8_t, 4> mask{};
};

struct FrameHeaderRead {
    enum class State : std::uint8_t { whole, need_more, broken };
    State state = State::need_more;
    std::size_t bytes = 0; // of the header, once whole
    FrameHeader header{};
    std::string_view problem{};
};

// Reads a header off the start of `input`. Reserved bits and opcodes, lengths that are not minimal,
// and control frames that are long or fragmented are broken.
FrameHeaderRead read_frame_header(std::string_view input) noexcept;

// In place; `offset` is how far into the payload `data` starts.
void unmask(
    char* data, std::size_t size, const std::array<std::uint8_t, 4>& mask,
    std::size_t offset) noexcept;

// Server frames are not masked.
void append_frame(std::string& out, Opcode opcode, std::string_view payload);
std::string close_payload(CloseCode code, std::string_view reason);

} // namespace hive::ws
