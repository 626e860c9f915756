#include "kernel/encoding.hpp"
#include "kernel/random.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;

namespace {

Bytes random_bytes(Random& random, std::size_t size) {
    Bytes bytes(size);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

Bytes decoded(std::string_view text, Base64 alphabet = Base64::standard) {
    const auto bytes = from_base64(text, alphabet);
    REQUIRE(bytes);
    return *bytes;
}

} // namespace

TEST_CASE("hex is lower case and reads back") {
    const std::array<std::uint8_t, 4> bytes{0x00, 0x9f, 0xa0, 0xff};
    CHECK(to_hex(bytes) == "009fa0ff");
    std::array<std::uint8_t, 4> back{};
    REQUIRE(read_hex("009fa0ff", back));
    CHECK(back == bytes);
}

TEST_CASE("hex of another size, case or alphabet is refused") {
    std::array<std::uint8_t, 2> out{};
    CHECK_FALSE(read_hex("00f", out));
    CHECK_FALSE(read_hex("00ff0", out));
    CHECK_FALSE(read_hex("00FF", out));
    CHECK_FALSE(read_hex("00fg", out));
    CHECK_FALSE(read_hex("g0ff", out));
}

TEST_CASE("base64 agrees with the examples of RFC 4648") {
    constexpr std::array<std::array<std::string_view, 2>, 7> examples{{
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    }};
    for (const auto& [plain, encoded] : examples) {
        CHECK(to_base64(bytes_of(plain)) == encoded);
        CHECK(text_of(decoded(encoded)) == plain);
    }
}

TEST_CASE("the url alphabet has other digits and no padding") {
    const std::array<std::uint8_t, 4> bytes{0xfb, 0xff, 0xfe, 0xff};
    CHECK(to_base64(bytes) == "+//+/w==");
    CHECK(to_base64(bytes, Base64::url) == "-__-_w");
    CHECK_FALSE(from_base64("-__-_w"));
    CHECK_FALSE(from_base64("+//+/w==", Base64::url));
}

TEST_CASE("a second spelling of the same bytes is refused") {
    CHECK_FALSE(from_base64("Zh==")); // unused bits set
    CHECK_FALSE(from_base64("Zg="));  // padding cut short
    CHECK_FALSE(from_base64("Zg"));   // padding missing
    CHECK_FALSE(from_base64("Zg==="));
    CHECK_FALSE(from_base64("Z==="));
    CHECK_FALSE(from_base64("===="));
    CHECK_FALSE(from_base64("Zg==Zg=="));
    CHECK_FALSE(from_base64("Zm9v\n"));
    CHECK_FALSE(from_base64("Zg==", Base64::url));
    CHECK_FALSE(from_base64("Z", Base64::url));
}

TEST_CASE("random bytes of every size survive each encoding") {
    Random random{7};
    for (std::size_t size = 0; size < 80; ++size) {
        const Bytes bytes = random_bytes(random, size);
        CHECK(decoded(to_base64(bytes)) == bytes);
        CHECK(decoded(to_base64(bytes, Base64::url), Base64::url) == bytes);
        Bytes back(size);
        REQUIRE(read_hex(to_hex(bytes), back));
        CHECK(back == bytes);
        REQUIRE(read_base62(to_base62(bytes), back));
        CHECK(back == bytes);
    }
}

TEST_CASE("base62 keeps its width whatever the number") {
    CHECK(to_base62(Bytes(20, 0)) == std::string(27, '0'));
    CHECK(to_base62(Bytes(20, 0xff)).size() == 27);
    CHECK(base62_width(4) == 6);
    CHECK(to_base62(Bytes{0, 0, 0, 61}) == "00000z");
    CHECK(to_base62(Bytes{0, 0, 0, 62}) == "000010");
}

TEST_CASE("base62 that is too long, too large or foreign is refused") {
    Bytes out(4);
    CHECK_FALSE(read_base62("0000000", out));
    CHECK_FALSE(read_base62("zzzzzz", out));
    CHECK_FALSE(read_base62("00000-", out));
    REQUIRE(read_base62("4gfFC3", out));
    CHECK(out == Bytes{0xff, 0xff, 0xff, 0xff});
    CHECK_FALSE(read_base62("4gfFC4", out));
}
