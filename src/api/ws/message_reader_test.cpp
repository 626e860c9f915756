#include "api/ws/message_reader.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hive::ws;

namespace {

// A frame as a client sends it: masked.
std::string frame(unsigned first, std::string_view payload) {
    std::string out;
    append_frame(out, Opcode::text, payload);
    const std::size_t header = out.size() - payload.size();
    out[0] = static_cast<char>(first);
    out[1] = static_cast<char>(static_cast<unsigned char>(out[1]) | 0x80U);
    const std::array<std::uint8_t, 4> mask{1, 2, 3, 250};
    unmask(out.data() + header, payload.size(), mask, 0);
    out.insert(header, "\x01\x02\x03\xfa");
    return out;
}

// What the reader makes of the bytes, as words, fed `step` bytes at a time.
std::vector<std::string> read(std::string_view bytes, std::size_t step, std::size_t max = 1000) {
    MessageReader reader{max};
    std::vector<std::string> seen;
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        reader.input() += bytes.substr(at, step);
        for (;;) {
            const Incoming incoming = reader.next();
            if (std::holds_alternative<NeedMore>(incoming)) break;
            if (const auto* text = std::get_if<TextMessage>(&incoming)) {
                seen.push_back("text " + std::string{text->text});
            } else if (const auto* binary = std::get_if<BinaryMessage>(&incoming)) {
                seen.push_back("binary " + std::string{binary->bytes});
            } else if (const auto* ping = std::get_if<Ping>(&incoming)) {
                seen.push_back("ping " + std::string{ping->payload});
            } else if (const auto* pong = std::get_if<Pong>(&incoming)) {
                seen.push_back("pong " + std::string{pong->payload});
            } else if (const auto* closing = std::get_if<Closing>(&incoming)) {
                seen.push_back(
                    "close " + std::to_string(static_cast<int>(closing->code)) + " " +
                    std::string{closing->reason});
            } else {
                const auto& violation = std::get<Violation>(incoming);
                seen.push_back("violation " + std::to_string(static_cast<int>(violation.code)));
            }
        }
    }
    return seen;
}

using Words = std::vector<std::string>;

} // namespace

TEST_CASE("messages, fragments and control frames between them are read in any pieces") {
    const std::string bytes = frame(0x81, "hello") + frame(0x01, "frag\xe2") + frame(0x89, "p1") +
                              frame(0x00, "\x82\xac") + frame(0x80, "!") + frame(0x82, "bin") +
                              frame(0x8a, "") + frame(0x81, "") +
                              frame(0x88, std::string{"\x03\xe8"} + "bye");
    const Words expected{"text hello", "ping p1", "text frag\u20ac!", "binary bin",
                         "pong ",      "text ",   "close 1000 bye"};
    for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{5}, bytes.size()}) {
        CHECK(read(bytes, step) == expected);
    }
}

TEST_CASE("what breaks the protocol ends in the right close code, and nothing after it counts") {
    struct Case {
        std::string bytes;
        std::string expected;
    };
    const std::string after = frame(0x81, "after");
    std::string unmasked;
    append_frame(unmasked, Opcode::text, "x");
    for (const Case& bad : std::vector<Case>{
             {unmasked, "violation 1002"},
             {frame(0x80, "x"), "violation 1002"},                    // nothing to continue
             {frame(0x01, "x") + frame(0x81, "y"), "violation 1002"}, // new before the old ended
             {frame(0xc1, "x"), "violation 1002"},
             {frame(0x83, "x"), "violation 1002"},
             {frame(0x81, "\xff"), "violation 1007"},
             {frame(0x81, "\xe2\x82"), "violation 1007"},
             {frame(0x01, "\xe2") + frame(0x80, "x"), "violation 1007"},
             {frame(0x81, std::string(1001, 'x')), "violation 1009"},
             {frame(0x88, "x"), "violation 1002"},
             {frame(0x88, std::string{"\x03\xed"}), "violation 1002"}, // 1005
             {frame(0x88, std::string{"\x03\xe8\xff"}), "violation 1007"}}) {
        CHECK(read(bad.bytes + after, 1) == Words{bad.expected});
        CHECK(read(bad.bytes + after, 4096) == Words{bad.expected});
    }
    CHECK(read(frame(0x88, "") + after, 4096) == Words{"close 1005 "});
}

TEST_CASE("a message cannot grow beyond its bound by fragments") {
    std::string bytes = frame(0x01, std::string(600, 'x'));
    CHECK(read(bytes + frame(0x80, std::string(400, 'x')), 4096).size() == 1);
    CHECK(read(bytes + frame(0x80, std::string(401, 'x')), 4096) == Words{"violation 1009"});
}
