#include "tests/support/line_under_test.hpp"
#include "worker/interceptors.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace hive;
using namespace hive::worker;
using tests::LineUnderTest;

TEST_CASE("a template makes the payload before the bee sees it, once for each item") {
    std::atomic<int> tries = 0;
    LineUnderTest bee{[&](Item& item) -> Status {
        // The first item is refused once: it comes again as it was.
        if (item.payload() == "[1]" && tries++ == 0) return fail(Errc::unavailable, "once more");
        return {};
    }};
    const std::string config =
        R"({"inputs":{"scheduler":{"ratePerSec":10000,"maxMessages":20}},
          "interceptors":{"templating":{"template":"{{ payload }}[{{ headers['x-ph-seq'] }}]"}}})";
    REQUIRE(bee.check(config));
    bee.configure(config);
    bee.enable(true);
    auto seen = bee.payloads(20);
    REQUIRE(seen.size() == 20);
    std::ranges::sort(seen);
    CHECK(seen.front() == "[10]");
    CHECK(std::ranges::count(seen, "[1]") == 1);
    CHECK(tries == 2);
}

TEST_CASE("a template that fails has its item refused and not the bee") {
    LineUnderTest bee;
    const std::string config =
        R"({"inputs":{"scheduler":{"ratePerSec":10000,"maxMessages":5}},
            "interceptors":{"templating":{"template":"{{ 1 / (headers['x-ph-seq'] - 3) }}"}}})";
    REQUIRE(bee.check(config));
    bee.configure(config);
    bee.enable(true);
    CHECK(bee.payloads(4).size() == 4);
    CHECK(bee.eventually([](const WorkloadReport& report) {
        const auto* scheduler = report.details.if_contains("scheduler");
        return scheduler != nullptr && scheduler->at("failed") == 1;
    }));
    CHECK(bee.reason().empty());
}

TEST_CASE("interceptors that cannot work are refused with their place") {
    const LineUnderTest bee;
    const auto refusal = [&](std::string_view config) {
        const auto checked = bee.check(config);
        return checked ? std::string{} : checked.error().detail;
    };
    CHECK(
        refusal(R"({"interceptors":{"templating":{"template":"{{ nonsense( }}"}}})")
            .find("config.interceptors.templating.template at 1:") != std::string::npos);
    CHECK(
        refusal(R"({"interceptors":{"redisUploader":{}}})")
            .find("config.interceptors.redisUploader needs") != std::string::npos);
}
