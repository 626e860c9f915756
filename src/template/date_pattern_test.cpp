#include "kernel/timestamp.hpp"
#include "template/date_pattern.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::templates;

namespace {

std::string shown(std::string_view time, std::string_view pattern) {
    std::string out;
    const Status written = append_date(out, *parse_timestamp(time), pattern);
    return written ? out : written.error().detail;
}

std::string moved(std::string_view time, std::string_view offset) {
    const auto there = offset_by(*parse_timestamp(time), offset);
    return there ? format_timestamp(*there) : there.error().detail;
}

} // namespace

TEST_CASE("dates are written as Java writes them, in UTC") {
    constexpr std::string_view afternoon = "2026-03-05T13:04:09.012345678Z"; // a Thursday
    CHECK(shown(afternoon, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX") == "2026-03-05T13:04:09.012Z");
    CHECK(shown(afternoon, "yy-M-d H:m:s") == "26-3-5 13:4:9");
    CHECK(shown(afternoon, "EEE, EEEE, EEEEE") == "Thu, Thursday, T");
    CHECK(shown(afternoon, "MMM MMMM LLL") == "Mar March Mar");
    CHECK(shown(afternoon, "hh:mm a KK kk") == "01:04 PM 01 13");
    CHECK(shown(afternoon, "S SSSSSS SSSSSSSSS") == "0 012345 012345678");
    CHECK(shown(afternoon, "D e Q QQQ u") == "64 4 1 Q1 2026");
    CHECK(
        shown(afternoon, "X XX XXX x xx xxx Z z VV O") ==
        "Z Z Z +00 +0000 +00:00 +0000 UTC UTC GMT");
    CHECK(shown(afternoon, "'o''clock' '' dd/MM") == "o'clock ' 05/03");
    CHECK(shown("2026-12-31T00:00:00Z", "DDD hh kk a") == "365 12 24 AM");
    CHECK(shown("1999-01-01T00:00:00Z", "yyyyMMddHHmmss") == "19990101000000");
}

TEST_CASE("a pattern that means nothing is refused") {
    CHECK(
        shown("2026-01-01T00:00:00Z", "bad") ==
        "'b' in the date pattern 'bad' has no meaning; put text into single quotes");
    CHECK(
        shown("2026-01-01T00:00:00Z", "'open") ==
        "a quote in the date pattern ''open' is not closed");
    CHECK_FALSE(check_date_pattern("HHH"));
    CHECK(check_date_pattern("HH"));
}

TEST_CASE("offsets go forward and back, and months end where they end") {
    constexpr std::string_view start = "2024-01-31T10:00:00Z";
    CHECK(moved(start, "+90s") == "2024-01-31T10:01:30Z");
    CHECK(moved(start, "-90m") == "2024-01-31T08:30:00Z");
    CHECK(moved(start, "+15h") == "2024-02-01T01:00:00Z");
    CHECK(moved(start, "2d") == "2024-02-02T10:00:00Z");
    CHECK(moved(start, "-1w") == "2024-01-24T10:00:00Z");
    CHECK(moved(start, "+1M") == "2024-02-29T10:00:00Z");
    CHECK(moved(start, "+13months") == "2025-02-28T10:00:00Z");
    CHECK(moved(start, "-1y") == "2023-01-31T10:00:00Z");
}

TEST_CASE("offsets that are none, or lead out of time, are refused") {
    constexpr std::string_view start = "2024-01-31T10:00:00Z";
    CHECK(moved(start, "2").starts_with("'2' is not an offset"));
    CHECK(moved(start, "--2d").starts_with("'--2d' is not an offset"));
    CHECK(moved(start, "+9999y") == "the offset '+9999y' leads out of the years 1678 to 2261");
    CHECK(
        moved(start, "+9223372036854775807d") ==
        "the offset '+9223372036854775807d' leads out of the years 1678 to 2261");
    CHECK(moved(start, "-9223372036854775807M").starts_with("the offset"));
}
