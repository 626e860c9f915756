#include "call/frame.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hive;
using namespace hive::call;
using namespace std::string_literals;

namespace {

struct Seen {
    std::vector<std::string> messages;
    ErrorClass error = ErrorClass::none;
    bool operator==(const Seen&) const = default;
};

// Every message in the bytes when they come in pieces of `step`, and what is wrong at the end.
Seen read_all(std::string_view bytes, const FrameRules& rules, std::size_t step) {
    Seen seen;
    FrameReader reader;
    std::string payload;
    reader.start(rules, payload);
    for (std::size_t at = 0; at < bytes.size(); at += step) {
        std::string_view piece = bytes.substr(at, step);
        while (!piece.empty()) {
            piece.remove_prefix(reader.feed(piece));
            if (reader.progress() == FrameReader::Progress::broken) {
                seen.error = reader.failure().error;
                return seen;
            }
            if (reader.progress() != FrameReader::Progress::whole) continue;
            seen.messages.push_back(payload);
            reader.start(rules, payload);
        }
    }
    return seen;
}

Seen read_any_way(std::string_view bytes, const FrameRules& rules) {
    const Seen whole = read_all(bytes, rules, bytes.size());
    for (std::size_t step = 1; step < bytes.size(); ++step) {
        CAPTURE(step);
        CHECK(read_all(bytes, rules, step) == whole);
    }
    return whole;
}

} // namespace

TEST_CASE("what one side frames the other finds, however the bytes are cut") {
    const std::vector<FrameRules> all{
        {.framing = Framing::delimiter, .delimiter = "\r\n"},
        {.framing = Framing::stx_etx},
        {.framing = Framing::length_16},
        {.framing = Framing::length_32},
        {.framing = Framing::fixed_length, .length = 5}};
    for (const FrameRules& rules : all) {
        CAPTURE(static_cast<int>(rules.framing));
        REQUIRE(check(rules));
        std::string wire;
        REQUIRE(append_frame(wire, "hello", rules));
        REQUIRE(append_frame(wire, "\r\x02\0\r\x01"s, rules));
        CHECK(read_any_way(wire, rules) == Seen{{"hello", "\r\x02\0\r\x01"s}});
    }
}

TEST_CASE("an empty message is a message") {
    CHECK(read_any_way("\0\0"s, {.framing = Framing::length_16}) == Seen{{""}});
    CHECK(read_any_way("\x02\x03", {.framing = Framing::stx_etx}) == Seen{{""}});
    CHECK(
        read_any_way("||a||", {.framing = Framing::delimiter, .delimiter = "||"}) ==
        Seen{{"", "a"}});
}

TEST_CASE("a delimiter that overlaps itself is found at its first place") {
    const FrameRules rules{.framing = Framing::delimiter, .delimiter = "aab"};
    CHECK(read_any_way("xaaaab", rules) == Seen{{"xaa"}});
}

TEST_CASE("a message of exactly the limit is fine and one byte more is not") {
    const std::vector<FrameRules> all{
        {.framing = Framing::delimiter, .delimiter = "\r\n", .bytes_max = 4},
        {.framing = Framing::stx_etx, .bytes_max = 4},
        {.framing = Framing::length_32, .bytes_max = 4}};
    for (const FrameRules& rules : all) {
        std::string wire;
        REQUIRE(append_frame(wire, "four", rules));
        CHECK(read_any_way(wire, rules) == Seen{{"four"}});
        REQUIRE(append_frame(wire, "fives", rules));
        CHECK(read_any_way(wire, rules) == Seen{{"four"}, ErrorClass::body_too_large});
    }
}

TEST_CASE("a peer that never ends its message fills no memory") {
    const FrameRules rules{.framing = Framing::delimiter, .delimiter = "\n", .bytes_max = 100};
    FrameReader reader;
    std::string payload;
    reader.start(rules, payload);
    const std::string endless(1'000'000, 'x');
    CHECK(reader.feed(endless) <= 101);
    CHECK(reader.failure().error == ErrorClass::body_too_large);
    CHECK(payload.size() == 100);
}

TEST_CASE("a message that does not begin with STX is malformed") {
    CHECK(
        read_any_way("hello\x03", {.framing = Framing::stx_etx}) ==
        Seen{{}, ErrorClass::malformed_response});
}

TEST_CASE("the end of the stream ends an open message and breaks a framed one") {
    FrameReader reader;
    std::string payload;
    FrameRules rules;
    reader.start(rules, payload);
    reader.feed("all of it");
    reader.end_of_stream();
    CHECK(reader.progress() == FrameReader::Progress::whole);
    rules.framing = Framing::length_16;
    reader.start(rules, payload);
    reader.feed("\0\x05hel"s);
    reader.end_of_stream();
    CHECK(reader.failure().error == ErrorClass::closed_early);
    CHECK(reader.failure().detail == "the peer closed the connection after 3 bytes of a message");
}

TEST_CASE("what a framing cannot carry is refused before it is sent") {
    std::string out;
    CHECK_FALSE(append_frame(out, "a\nb", {.framing = Framing::delimiter, .delimiter = "\n"}));
    CHECK_FALSE(append_frame(out, "a\x03", {.framing = Framing::stx_etx}));
    CHECK_FALSE(append_frame(out, std::string(65'536, 'x'), {.framing = Framing::length_16}));
    CHECK_FALSE(append_frame(out, "four", {.framing = Framing::fixed_length, .length = 5}));
    CHECK(out.empty());
}

TEST_CASE("rules that make no sense are refused") {
    CHECK_FALSE(check({.framing = Framing::delimiter}));
    CHECK_FALSE(check({.framing = Framing::delimiter, .delimiter = std::string(65, 'x')}));
    CHECK_FALSE(check({.framing = Framing::fixed_length}));
    CHECK_FALSE(check({.framing = Framing::fixed_length, .length = 9000}));
    CHECK_FALSE(check({.bytes_max = 0}));
}
