#include "api/ws/frame.hpp"

#include <doctest/doctest.h>

using namespace hive::ws;
using State = FrameHeaderRead::State;

TEST_CASE("what is written is read back, at every width of the length") {
    for (const std::size_t size : {0U, 1U, 125U, 126U, 65535U, 65536U, 70000U}) {
        std::string out;
        append_frame(out, Opcode::binary, std::string(size, 'x'));
        const auto read = read_frame_header(out);
        REQUIRE(read.state == State::whole);
        CHECK(read.header.length == size);
        CHECK(read.header.opcode == Opcode::binary);
        CHECK_FALSE(read.header.masked);
        CHECK(read.bytes + size == out.size());
        for (std::size_t cut = 0; cut < read.bytes; ++cut) {
            CHECK(
                read_frame_header(std::string_view{out}.substr(0, cut)).state == State::need_more);
        }
    }
}

TEST_CASE("a header that breaks the protocol is broken") {
    const auto state = [](std::string_view bytes) { return read_frame_header(bytes).state; };
    CHECK(state("\xc1\x80") == State::broken);                      // reserved bit
    CHECK(state("\x83\x80") == State::broken);                      // reserved opcode
    CHECK(state("\x8b\x80") == State::broken);                      // reserved control opcode
    CHECK(state(std::string_view{"\x09\x80", 2}) == State::broken); // fragmented ping
    CHECK(state("\x89\xfe") == State::broken);                      // long ping
    CHECK(state(std::string_view{"\x81\x7e\x00\x05", 4}) == State::broken); // not minimal
    CHECK(state(std::string_view{"\x81\x7f\x00\x00\x00\x00\x00\x00\xff\xff", 10}) == State::broken);
    CHECK(state(std::string_view{"\x81\x7f\x80\x00\x00\x00\x00\x00\x00\x00", 10}) == State::broken);
}

TEST_CASE("only the close codes of the registry and of applications may be sent") {
    for (const int good : {1000, 1001, 1003, 1007, 1011, 1014, 3000, 4008, 4999}) {
        CHECK(is_valid_close(static_cast<std::uint16_t>(good)));
    }
    for (const int bad : {0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535}) {
        CHECK_FALSE(is_valid_close(static_cast<std::uint16_t>(bad)));
    }
}

TEST_CASE("a close reason is cut to fit, between two characters") {
    std::string long_reason(122, 'x');
    long_reason += "\u20ac";
    const std::string payload = close_payload(CloseCode::normal, long_reason);
    CHECK(payload.size() == 124);
    CHECK(payload.substr(0, 2) == "\x03\xe8");
}
