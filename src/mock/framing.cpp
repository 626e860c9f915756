#include "mock/framing.hpp"

#include <algorithm>
#include <array>

namespace hive::mock {
namespace {

constexpr std::array<Named<Framing>, 5> names{{
    {"echo", Framing::echo},
    {"delimiter", Framing::delimiter},
    {"stx-etx", Framing::stx_etx},
    {"length-2", Framing::length_2},
    {"length-4", Framing::length_4},
}};
constexpr char stx = 2;
constexpr char etx = 3;

Frame bad(std::string_view reason) {
    return {.state = Frame::State::bad, .reason = reason};
}

// From `begin` to the byte that ends it.
Frame until(char end, std::size_t begin, std::string_view bytes) {
    const std::size_t found = bytes.find(end, begin);
    if (found == bytes.npos) return bytes.size() > frame_max ? bad("no end within 1 MiB") : Frame{};
    return {
        .state = Frame::State::whole,
        .payload = bytes.substr(begin, found - begin),
        .size = found + 1};
}

Frame counted(std::size_t digits, std::string_view bytes) {
    if (bytes.size() < digits) return {};
    std::size_t length = 0;
    for (std::size_t i = 0; i < digits; ++i)
        length = (length << 8U) | static_cast<unsigned char>(bytes[i]);
    if (length > frame_max) return bad("longer than 1 MiB");
    if (bytes.size() < digits + length) return {};
    return {
        .state = Frame::State::whole,
        .payload = bytes.substr(digits, length),
        .size = digits + length};
}

} // namespace

std::span<const Named<Framing>> names_of(Framing) {
    return names;
}

std::string_view name_of(Framing framing) noexcept {
    return std::ranges::find(names, framing, &Named<Framing>::value)->name;
}

Frame scan_frame(Framing framing, std::string_view bytes) {
    if (bytes.empty()) return {};
    switch (framing) {
    case Framing::echo:
        return {.state = Frame::State::whole, .payload = bytes, .size = bytes.size()};
    case Framing::delimiter: return until('\n', 0, bytes);
    case Framing::stx_etx:
        if (bytes.front() != stx) return bad("a message must begin with STX");
        return until(etx, 1, bytes);
    case Framing::length_2: return counted(2, bytes);
    case Framing::length_4: return counted(4, bytes);
    }
    return {};
}

void append_frame(Framing framing, std::string_view payload, std::string& out) {
    if (framing == Framing::stx_etx) out.push_back(stx);
    if (framing == Framing::length_4) {
        out.push_back(static_cast<char>((payload.size() >> 24U) & 0xffU));
        out.push_back(static_cast<char>((payload.size() >> 16U) & 0xffU));
    }
    if (framing == Framing::length_2 || framing == Framing::length_4) {
        out.push_back(static_cast<char>((payload.size() >> 8U) & 0xffU));
        out.push_back(static_cast<char>(payload.size() & 0xffU));
    }
    out += payload;
    if (framing == Framing::delimiter) out.push_back('\n');
    if (framing == Framing::stx_etx) out.push_back(etx);
}

Result<TcpEndpoint> parse_tcp_endpoint(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto port = ConfigType<std::uint16_t>::parse(text.substr(0, colon));
    TcpEndpoint out;
    const auto* framing = names.begin() + 1;
    if (colon != text.npos)
        framing = std::ranges::find(names, text.substr(colon + 1), &Named<Framing>::name);
    if (!port || framing == names.end())
        return fail(Errc::invalid, "expected " + ConfigType<TcpEndpoint>::expected());
    out.port = *port;
    out.framing = framing->value;
    return out;
}

} // namespace hive::mock
