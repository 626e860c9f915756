#include "kernel/random.hpp"
#include "wire/base64.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;

TEST_CASE("bytes and base64 are the examples of RFC 4648") {
    const std::pair<std::string, std::string> examples[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : examples) {
        CHECK(to_base64(bytes) == text);
        CHECK(*from_base64(text) == bytes);
    }
}

TEST_CASE("any bytes come back from base64") {
    Random random{7};
    for (int i = 0; i < 500; ++i) {
        std::string bytes(random.below(50), '\0');
        for (char& c : bytes) c = static_cast<char>(random.below(256));
        CHECK(*from_base64(to_base64(bytes)) == bytes);
    }
}

TEST_CASE("what has no padding, spare bits or foreign characters is not base64") {
    for (const char* text :
         {"Z", "Zg", "Zg=", "Zh==", "Zm9=", "=", "====", "Zg==Zg==", "Zm 9v", "Zm9_"}) {
        CAPTURE(text);
        CHECK(!is_base64(text));
        CHECK(from_base64(text).error().code == Errc::invalid);
    }
}
