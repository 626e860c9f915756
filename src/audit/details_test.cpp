#include "audit/details.hpp"
#include "kernel/encoding.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::audit;

namespace {

json::object nested(std::size_t levels) {
    json::object object;
    for (std::size_t i = 1; i < levels; ++i) object = json::object{{"in", std::move(object)}};
    return object;
}

} // namespace

TEST_CASE("details are an empty object unless something is said") {
    CHECK(Details{}.text() == "{}");
    CHECK(Details::of({})->text() == "{}");
}

TEST_CASE("details never hold a secret") {
    const auto details = Details::of({{"endpoint", "/login"}, {"password", "hunter2"}});
    REQUIRE(details);
    CHECK(details->text() == R"({"endpoint":"/login","password":"[redacted]"})");
}

TEST_CASE("details are one line whatever they say") {
    const auto details = Details::of({{"text", "two\nlines\r\n"}});
    REQUIRE(details);
    CHECK(details->text().find('\n') == std::string::npos);
}

TEST_CASE("details too long, too deep or not UTF-8 are refused") {
    const auto too_long = Details::of({{"text", std::string(details_bytes_max, 'x')}});
    REQUIRE_FALSE(too_long);
    CHECK(too_long.error().code == Errc::limit);
    CHECK(Details::of(nested(details_depth_max)));
    const auto too_deep = Details::of(nested(details_depth_max + 1));
    REQUIRE_FALSE(too_deep);
    CHECK(too_deep.error().code == Errc::limit);
    const auto not_text = Details::of({{"text", "\xff\xfe"}});
    REQUIRE_FALSE(not_text);
    CHECK(not_text.error().code == Errc::invalid);
}

TEST_CASE("a commitment follows from salt and details, and from nothing else") {
    const Salt salt{1, 2, 3};
    // printf 'HAD1\1\2\3\0\0\0\0\0\0\0\0\0\0\0\0\0{}' | sha256sum
    CHECK(
        to_hex(commit_to(salt, "{}")) ==
        "62078899a01e6b378b27315acf0c9248696efbdbefb1cf541af87cf2a2c967c4");
    CHECK(commit_to(salt, "{}") != commit_to(Salt{1, 2, 4}, "{}"));
    CHECK(commit_to(salt, "{}") != commit_to(salt, "{ }"));
}
