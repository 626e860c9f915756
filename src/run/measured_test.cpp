#include "run/measured.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::run;
using namespace std::chrono_literals;

namespace {

constexpr Timestamp start{std::chrono::seconds{1'750'000'000}};

struct Counts {
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;
    double p99 = 1000;
};

wire::Envelope status(const std::string& instance, const Counts& counts) {
    const auto role = Role::parse("postprocessor").value();
    const auto id = InstanceId::parse(instance).value();
    return wire::Envelope::status(
        {{role, id}, start}, {SwarmId::parse("alpha").value(), role, id},
        wire::StatusDelta{
            .context = json::object{
                {"work",
                 json::object{
                     {"transactions", counts.calls},
                     {"failed", counts.failed},
                     {"byStatus",
                      json::object{{"200", counts.calls - counts.failed}, {"503", counts.failed}}},
                     {"latencyUs",
                      json::object{{"p50", 500}, {"p99", counts.p99}, {"mean", 600}}}}}}});
}

double number(const json::object& from, std::string_view name) {
    return from.at(name).to_number<double>();
}

} // namespace

TEST_SUITE("run") {
    TEST_CASE("what a swarm measured is its newest counts, over the time in which they grew") {
        Measured measured{start};
        CHECK_FALSE(measured.hear(status("post-1", {}), start + 20s));
        CHECK(measured.empty());
        CHECK(measured.hear(status("post-1", {.calls = 50, .failed = 1}), start + 25s));
        CHECK(measured.hear(status("post-1", {.calls = 100, .failed = 4}), start + 30s));
        CHECK_FALSE(measured.hear(status("post-1", {.calls = 100, .failed = 4}), start + 60s));
        const auto report = measured.report();
        CHECK(report.at("began") == "2025-06-15T15:07:00Z"); // with the first call, not before
        CHECK(report.at("upTo") == "2025-06-15T15:07:10Z");
        CHECK(number(report, "busySec") == 10);
        CHECK(number(report, "calls") == 100);
        CHECK(number(report, "failed") == 4);
        CHECK(number(report, "ratePerSec") == 10);
        CHECK(number(report.at("latencyUs").as_object(), "p99") == 1000);
        CHECK(report.at("byStatus") == json::object{{"200", 96}, {"503", 4}});
        const auto& course = report.at("course").as_array();
        REQUIRE(course.size() == 2);
        CHECK(number(course[1].as_object(), "atSec") == 10);
        CHECK(number(course[1].as_object(), "ratePerSec") == 10);
        CHECK(number(course[1].as_object(), "failedPerSec") == doctest::Approx(0.6));
    }

    TEST_CASE("bees are added up, and of their percentiles the slowest is told as a bound") {
        Measured measured{start};
        measured.hear(status("post-1", {.calls = 10, .p99 = 2000}), start + 1s);
        CHECK(measured.report().at("upperBound") == false);
        measured.hear(status("post-2", {.calls = 30, .p99 = 9000}), start + 1s);
        const auto report = measured.report();
        CHECK(number(report, "calls") == 40);
        CHECK(report.at("upperBound") == true);
        CHECK(number(report.at("latencyUs").as_object(), "p99") == 9000);
        CHECK(number(report.at("latencyUs").as_object(), "mean") == doctest::Approx(600));
    }

    TEST_CASE("a bee that was restarted counts on from what it measured before") {
        Measured measured{start};
        measured.hear(status("post-1", {.calls = 100, .failed = 2}), start + 1s);
        measured.hear(status("post-1", {.calls = 5}), start + 2s);
        CHECK(number(measured.report(), "calls") == 105);
        CHECK(number(measured.report(), "failed") == 2);
    }

    TEST_CASE("the course of a long run stays bounded and ends where the run does") {
        Measured measured{start};
        for (std::uint64_t second = 1; second <= 10'000; ++second) {
            measured.hear(
                status("post-1", {.calls = 10 * second}), start + std::chrono::seconds{second});
        }
        const auto course = measured.report().at("course").as_array();
        CHECK(course.size() < Measured::points_max);
        CHECK(course.size() >= Measured::points_max / 4);
        for (const auto& point : course) {
            CHECK(number(point.as_object(), "ratePerSec") == doctest::Approx(10));
        }
        CHECK(number(course.back().as_object(), "atSec") > 9'800);
    }

    TEST_CASE("who measures nothing is no part of it") {
        Measured measured{start};
        const auto role = Role::parse("generator").value();
        const auto id = InstanceId::parse("gen-1").value();
        const auto envelope = wire::Envelope::status(
            {{role, id}, start}, {SwarmId::parse("alpha").value(), role, id},
            wire::StatusDelta{.context = json::object{{"work", json::object{{"processed", 7}}}}});
        CHECK_FALSE(measured.hear(envelope, start + 1s));
        CHECK(measured.empty());
    }
}
