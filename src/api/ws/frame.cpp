#include "api/ws/frame.hpp"

#include "api/ws/utf8.hpp"

#include <algorithm>

namespace hive::ws {
namespace {

constexpr std::size_t control_payload_max = 125;

bool is_known(unsigned opcode) noexcept {
    return opcode <= 0x2 || (opcode >= 0x8 && opcode <= 0xa);
}

FrameHeaderRead broken(std::string_view problem) noexcept {
    return {.state = FrameHeaderRead::State::broken, .problem = problem};
}

unsigned byte_at(std::string_view input, std::size_t at) noexcept {
    return static_cast<unsigned char>(input[at]);
}

std::uint64_t big_endian(std::string_view input, std::size_t at, std::size_t bytes) noexcept {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes; ++i) value = (value << 8U) | byte_at(input, at + i);
    return value;
}

} // namespace

bool is_valid_close(std::uint16_t code) noexcept {
    if (code >= 3000 && code <= 4999) return true;
    return code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006;
}

FrameHeaderRead read_frame_header(std::string_view input) noexcept {
    if (input.size() < 2) return {};
    const unsigned first = byte_at(input, 0);
    const unsigned second = byte_at(input, 1);
    if ((first & 0x70U) != 0) return broken("a reserved bit is set and no extension was agreed");
    if (!is_known(first & 0xfU)) return broken("the opcode is reserved");
    FrameHeaderRead read{.bytes = 2};
    FrameHeader& header = read.header;
    header.final = (first & 0x80U) != 0;
    header.opcode = static_cast<Opcode>(first & 0xfU);
    header.masked = (second & 0x80U) != 0;
    header.length = second & 0x7fU;
    if (is_control(header.opcode)) {
        if (!header.final) return broken("a control frame is fragmented");
        if (header.length > control_payload_max) return broken("a control frame is too long");
    }
    if (header.length >= 126) {
        const std::size_t extended = header.length == 126 ? 2 : 8;
        if (input.size() < 2 + extended) return {};
        header.length = big_endian(input, 2, extended);
        if (header.length < (extended == 2 ? 126U : 65'536U)) {
            return broken("the length is not written in its shortest form");
        }
        if ((header.length >> 63U) != 0) return broken("the length has its highest bit set");
        read.bytes += extended;
    }
    if (header.masked) {
        if (input.size() < read.bytes + 4) return {};
        for (std::size_t i = 0; i < 4; ++i) {
            header.mask[i] = static_cast<std::uint8_t>(byte_at(input, read.bytes + i));
        }
        read.bytes += 4;
    }
    read.state = FrameHeaderRead::State::whole;
    return read;
}

void unmask(
    char* data, std::size_t size, const std::array<std::uint8_t, 4>& mask,
    std::size_t offset) noexcept {
    for (std::size_t i = 0; i < size; ++i) {
        data[i] = static_cast<char>(static_cast<unsigned char>(data[i]) ^ mask[(offset + i) & 3U]);
    }
}

void append_frame(std::string& out, Opcode opcode, std::string_view payload) {
    out += static_cast<char>(0x80U | static_cast<unsigned>(opcode));
    const std::size_t size = payload.size();
    if (size < 126) {
        out += static_cast<char>(size);
    } else {
        const bool wide = size > 0xffff;
        out += static_cast<char>(wide ? 127 : 126);
        for (unsigned shift = wide ? 64 : 16; shift > 0; shift -= 8) {
            out += static_cast<char>((static_cast<std::uint64_t>(size) >> (shift - 8)) & 0xffU);
        }
    }
    out += payload;
}

std::string close_payload(CloseCode code, std::string_view reason) {
    const auto number = static_cast<unsigned>(code);
    std::string out{static_cast<char>(number >> 8U), static_cast<char>(number & 0xffU)};
    // Two bytes of a control frame are the code; the rest must not end inside a character.
    std::size_t size = std::min(reason.size(), control_payload_max - 2);
    while (!is_utf8(reason.substr(0, size)) && size > 0) --size;
    out += reason.substr(0, size);
    return out;
}

} // namespace hive::ws
