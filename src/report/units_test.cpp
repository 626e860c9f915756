#include "report/units.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace hive::report;

TEST_CASE("counts have their thousands apart") {
    CHECK(count_text(0) == "0");
    CHECK(count_text(999) == "999");
    CHECK(count_text(1'000) == "1,000");
    CHECK(count_text(18'446'744'073'709'551'615U) == "18,446,744,073,709,551,615");
}

TEST_CASE("numbers keep three digits that matter") {
    CHECK(number_text(4'012.4) == "4,012");
    CHECK(number_text(40.123) == "40.1");
    CHECK(number_text(4) == "4");
    CHECK(number_text(0.4012) == "0.401");
    CHECK(number_text(-12.5) == "-12.5");
    CHECK(number_text(99.97) == "100");
    CHECK(number_text(std::numeric_limits<double>::infinity()) == "-");
    CHECK(number_text(1e300) == "1,000,000,000,000,000");
    CHECK(rate_text(4'999.7) == "5,000/s");
}

TEST_CASE("a latency has the unit that fits") {
    CHECK(micros_text(0) == "0.00 µs");
    CHECK(micros_text(8.254) == "8.25 µs");
    CHECK(micros_text(812.4) == "812 µs");
    CHECK(micros_text(999.6) == "1.00 ms");
    CHECK(micros_text(1'234) == "1.23 ms");
    CHECK(micros_text(45'678) == "45.7 ms");
    CHECK(micros_text(999'600) == "1.00 s");
    CHECK(micros_text(125e6) == "125 s");
    CHECK(micros_text(-1) == "-");
}

TEST_CASE("a share never looks like nothing or all when it is not") {
    CHECK(share_text(0) == "0 %");
    CHECK(share_text(1) == "100 %");
    CHECK(share_text(0.00123) == "0.123 %");
    CHECK(share_text(1e-9) == "< 0.001 %");
    CHECK(share_text(0.9999) == "99.990 %");
    CHECK(share_text(0.9999999) == "> 99.999 %");
}

TEST_CASE("bytes and times") {
    CHECK(bytes_text(0) == "0 B");
    CHECK(bytes_text(1'234) == "1.23 kB");
    CHECK(bytes_text(38'400'000) == "38.4 MB");
    CHECK(clock_text(65.9) == "1:05");
    CHECK(clock_text(3'723) == "1:02:03");
    CHECK(seconds_text(20.5) == "20.5 s");
    CHECK(seconds_text(180) == "3 min 0 s");
    CHECK(seconds_text(7'260) == "2 h 1 min");
}
