#include "tests/support/line_under_test.hpp"
#include "worker/line.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>

using namespace hive;
using namespace hive::worker;
using tests::LineUnderTest;

TEST_SUITE("worker") {
    TEST_CASE("a bee that is held takes nothing in and owes nothing for the time") {
        LineUnderTest bee;
        bee.configure(R"({"inputs":{"hold":true,"scheduler":{"pacing":"UNLIMITED",
            "maxMessages":100}}})");
        bee.enable(true);
        CHECK(bee.report().details.at("scheduler").at("sent") == 0);

        bee.configure(R"({"inputs":{"hold":false,"scheduler":{"pacing":"UNLIMITED",
            "maxMessages":100}}})");
        CHECK(bee.payloads(100).size() == 100);
        CHECK(bee.eventually([](const WorkloadReport& report) {
            return report.flow.input == wire::InputState::out_of_data;
        }));

        bee.configure(R"({"inputs":{"hold":true,"scheduler":{"pacing":"UNLIMITED",
            "maxMessages":200}}})");
        CHECK(bee.report().details.at("scheduler").at("sent") == 100);
    }

    TEST_CASE("chance is of each life, repeats with a seed, and is never that of another replica") {
        const auto drawn = [](LineUnderTest::Life life, std::string_view seed) {
            LineUnderTest bee{life};
            bee.configure(fmt::format(
                R"({{"inputs":{{"scheduler":{{"pacing":"UNLIMITED","maxMessages":3}}}},{}
                    "interceptors":{{"templating":{{"template":"{{{{ eval('#uuid()') }}}}"}}}}}})",
                seed));
            bee.enable(true);
            return bee.payloads(3);
        };
        const LineUnderTest::Life first{.entropy = 1};
        const LineUnderTest::Life restarted{.entropy = 2};
        const LineUnderTest::Life replica{.entropy = 1, .instance = "alpha-generator-2"};
        CHECK(drawn(first, "") != drawn(restarted, ""));
        CHECK(drawn(first, "") != drawn(replica, ""));
        const std::string_view seed = R"("seed":7,)";
        CHECK(drawn(first, seed) == drawn(restarted, seed));
        CHECK(drawn(first, seed) != drawn(replica, seed));
    }

    TEST_CASE("a bee says why its items fail until they go well") {
        std::atomic<bool> broken = true;
        LineUnderTest bee{[&](Item&) -> Status {
            if (broken) return fail(Errc::invalid, "no such key");
            return {};
        }};
        bee.configure(R"({"inputs":{"scheduler":{"ratePerSec":1000}}})");
        bee.enable(true);
        CHECK(bee.eventually(
            [](const WorkloadReport& report) { return report.failing == "no such key"; }));
        CHECK(bee.report().details.at("lastError") == "no such key");
        broken = false;
        CHECK(bee.eventually([](const WorkloadReport& report) { return report.failing.empty(); }));
        CHECK(bee.report().details.at("lastError") == "no such key");
    }
}
