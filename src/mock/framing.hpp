#pragma once

#include "kernel/config_type.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hive::mock {

// How messages follow one another on a TCP connection.
enum class Framing : std::uint8_t {
    echo,      // no messages: every byte comes back
    delimiter, // a line break ends each
    stx_etx,   // 0x02 begins, 0x03 ends
    length_2,  // two bytes of length, most significant first, then as many bytes
    length_4,
};
std::span<const Named<Framing>> names_of(Framing framing);
std::string_view name_of(Framing framing) noexcept;

inline constexpr std::size_t frame_max = std::size_t{1} << 20U;

struct Frame {
    enum class State : std::uint8_t { whole, more, bad };
    State state = State::more;
    std::string_view payload{};
    std::size_t size = 0; // with its frame
    std::string_view reason{};
};

// Looks at the front of what has arrived.
Frame scan_frame(Framing framing, std::string_view bytes);
void append_frame(Framing framing, std::string_view payload, std::string& out);

// `9001`, `9001:stx-etx`.
struct TcpEndpoint {
    std::uint16_t port = 0;
    Framing framing = Framing::delimiter;
    bool operator==(const TcpEndpoint&) const = default;
};
Result<TcpEndpoint> parse_tcp_endpoint(std::string_view text);

} // namespace hive::mock

namespace hive {

template <>
struct ConfigType<mock::TcpEndpoint> : PlainType {
    static Result<mock::TcpEndpoint> parse(std::string_view text) {
        return mock::parse_tcp_endpoint(text);
    }
    static std::string show(const mock::TcpEndpoint& value) {
        return std::to_string(value.port) + ':' + std::string{mock::name_of(value.framing)};
    }
    static std::string expected() {
        return "PORT or PORT:FRAMING, where FRAMING is echo, delimiter, stx-etx, length-2 or "
               "length-4";
    }
    static std::string value_name() { return "PORT[:FRAMING]"; }
};

} // namespace hive
