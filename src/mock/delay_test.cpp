#include "mock/delay.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace hive;
using namespace hive::mock;
using namespace std::chrono_literals;

namespace {

struct Drawn {
    double mean = 0; // milliseconds
    double median = 0;
    double least = 0;
    double most = 0;
};

Drawn draw(const char* text) {
    const Delay delay = *parse_delay(text);
    Random random{7};
    std::vector<double> values(50'000);
    double sum = 0;
    for (double& value : values) {
        value = std::chrono::duration<double, std::milli>(delay.sample(random)).count();
        sum += value;
    }
    std::ranges::sort(values);
    return {
        sum / static_cast<double>(values.size()), values[values.size() / 2], values.front(),
        values.back()};
}

} // namespace

TEST_CASE("delays have the distribution they are named after") {
    CHECK(draw("5ms").least == 5);
    CHECK(draw("5ms").most == 5);
    const Drawn uniform = draw("uniform(1ms,9ms)");
    CHECK(uniform.mean == doctest::Approx(5).epsilon(0.02));
    CHECK(uniform.least >= 1);
    CHECK(uniform.most <= 9);
    CHECK(uniform.most > 8.9);
    const Drawn normal = draw("normal(5ms,1ms)");
    CHECK(normal.mean == doctest::Approx(5).epsilon(0.02));
    CHECK(normal.most > 8);
    const Drawn exponential = draw("exponential(5ms)");
    CHECK(exponential.mean == doctest::Approx(5).epsilon(0.03));
    CHECK(exponential.median == doctest::Approx(5 * std::log(2.0)).epsilon(0.03));
    const Drawn lognormal = draw("lognormal(5ms,0.5)");
    CHECK(lognormal.median == doctest::Approx(5).epsilon(0.02));
    CHECK(lognormal.mean == doctest::Approx(5 * std::exp(0.125)).epsilon(0.03));
    const Drawn bimodal = draw("bimodal(2ms,50ms,10%)");
    CHECK(bimodal.mean == doctest::Approx(2 * 0.9 + 50 * 0.1).epsilon(0.05));
    CHECK(bimodal.median == 2);
    CHECK(draw("normal(1ms,10ms)").least == 0); // never below zero
}

TEST_CASE("a delay is shown as it is written, and read again") {
    for (const char* text :
         {"5ms", "0s", "uniform(1ms,9ms)", "normal(5ms,1ms)", "exponential(5ms)",
          "lognormal(5ms,0.5)", "bimodal(2ms,50ms,10%)"}) {
        CAPTURE(text);
        REQUIRE(parse_delay(text).has_value());
        CHECK(format_delay(*parse_delay(text)) == text);
    }
    CHECK(parse_delay(" uniform( 1ms , 9ms ) ").has_value());
}

TEST_CASE("a delay that makes no sense is refused") {
    for (const char* text :
         {"", "fast", "5", "-5ms", "uniform(1ms)", "uniform(9ms,1ms)", "uniform(1ms,9ms",
          "gamma(1ms,2ms)", "exponential(5ms,1ms)", "lognormal(5ms,9)", "lognormal(5ms,x)",
          "bimodal(2ms,50ms)", "bimodal(2ms,50ms,110%)", "2h", "normal(5ms,1ms)x"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_delay(text).has_value());
    }
}

TEST_CASE("a share is written in percent or as a part of one") {
    CHECK(parse_ratio("1%")->value == doctest::Approx(0.01));
    CHECK(parse_ratio("0.25")->value == 0.25);
    CHECK(parse_ratio("100%")->value == 1);
    for (const char* text : {"", "%", "101%", "-1%", "2", "x"}) CHECK_FALSE(parse_ratio(text));
    CHECK(format_ratio({0.015}) == "1.5%");
}
