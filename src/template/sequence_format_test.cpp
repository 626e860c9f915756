#include "template/sequence_format.hpp"

#include <doctest/doctest.h>

#include <cstdint>

using namespace hive;
using namespace hive::templates;

namespace {

std::string shown(std::uint64_t value, std::string_view mode, std::string_view format) {
    std::string out;
    const Status written = append_sequence(out, value, mode, format);
    return written ? out : written.error().detail;
}

} // namespace

TEST_CASE("every mode counts in its alphabet") {
    CHECK(shown(27, "alpha", "%3S") == "ABB");
    CHECK(shown(27, "alpha", "%3s") == "abb");
    CHECK(shown(27, "alpha_lower", "%3S") == "abb");
    CHECK(shown(27, "numeric", "%5S") == "00027");
    CHECK(shown(37, "alphanum", "%2S") == "11");
    CHECK(shown(35, "alphanum_lower", "%2S") == "0z");
    CHECK(shown(5, "binary", "%4S") == "0101");
    CHECK(shown(255, "hex", "%4S") == "00FF");
    CHECK(shown(255, "hex", "%4s") == "00ff");
    CHECK(shown(255, "hex_lower", "%S") == "ff");
}

TEST_CASE("tokens are the wheels of an odometer, the rightmost fastest") {
    CHECK(shown(1, "alpha", "%S-%02d") == "A-01");
    CHECK(shown(99, "alpha", "%1S-%2d") == "A-99");
    CHECK(shown(100, "alpha", "%1S-%2d") == "B-00");
    CHECK(shown(2599, "alpha", "%1S-%2d") == "Z-99");
    CHECK(shown(2600, "alpha", "%1S-%2d") == "A-00"); // starts over
    CHECK(shown(2600, "alpha", "%S-%2d") == "BA-00"); // grows
    CHECK(shown(1000, "numeric", "%03d") == "000");
    CHECK(shown(1000, "numeric", "%d") == "1000");
    CHECK(shown(UINT64_MAX, "numeric", "<%d>") == "<18446744073709551615>");
    CHECK(shown(UINT64_MAX, "binary", "%S").size() == 64);
}

TEST_CASE("formats that make no sense are refused") {
    CHECK(shown(1, "octal", "%S").starts_with("there is no sequence mode 'octal'; modes: alpha,"));
    CHECK(shown(1, "hexx", "%S") == "there is no sequence mode 'hexx'; did you mean 'hex'?");
    CHECK(shown(1, "hex", "%").ends_with("has a '%' without S, s or d behind it"));
    CHECK(shown(1, "hex", "%65d").ends_with("has a token wider than 64"));
    CHECK(shown(1, "hex", "%d%d%d%d%d%d%d%d%d").ends_with("has more than 8 tokens"));
    CHECK_FALSE(check_sequence_format("hex", ""));
    CHECK(check_sequence_format("hex", "%d"));
}
