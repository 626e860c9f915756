#include "mock/framing.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::mock;

namespace {

using State = Frame::State;
constexpr Framing framed[] = {
    Framing::delimiter, Framing::stx_etx, Framing::length_2, Framing::length_4};

} // namespace

TEST_CASE("a message that was framed is found again, with its last byte and not before") {
    for (const Framing framing : framed) {
        CAPTURE(name_of(framing));
        for (const std::string& payload :
             {std::string{}, std::string{"ping"}, std::string(300, 'x')}) {
            std::string bytes;
            append_frame(framing, payload, bytes);
            const std::size_t size = bytes.size();
            for (std::size_t length = 0; length < size; ++length)
                REQUIRE(scan_frame(framing, bytes.substr(0, length)).state == State::more);
            bytes += "next";
            const Frame frame = scan_frame(framing, bytes);
            REQUIRE(frame.state == State::whole);
            CHECK(frame.payload == payload);
            CHECK(frame.size == size);
        }
    }
}

TEST_CASE("an echo has no messages: all that is there comes back") {
    CHECK(scan_frame(Framing::echo, "").state == State::more);
    const Frame frame = scan_frame(Framing::echo, "abc");
    CHECK(frame.payload == "abc");
    CHECK(frame.size == 3);
}

TEST_CASE("what cannot become a message is refused, not kept for ever") {
    CHECK(scan_frame(Framing::stx_etx, "x").state == State::bad);
    CHECK(scan_frame(Framing::length_4, "\xff\xff\xff\xff").state == State::bad);
    CHECK(scan_frame(Framing::delimiter, std::string(frame_max + 1, 'x')).state == State::bad);
    CHECK(scan_frame(Framing::stx_etx, '\x02' + std::string(frame_max, 'x')).state == State::bad);
}

TEST_CASE("an endpoint is a port with a framing, lines without one") {
    CHECK(*parse_tcp_endpoint("9001") == TcpEndpoint{9001, Framing::delimiter});
    CHECK(*parse_tcp_endpoint("0:stx-etx") == TcpEndpoint{0, Framing::stx_etx});
    for (const char* text : {"", "x", "70000", "9001:", "9001:lines", ":echo"})
        CHECK_FALSE(parse_tcp_endpoint(text).has_value());
}
