#include "bees/postprocessor/measure.hpp"
#include "bees/postprocessor/measure_text.hpp"
#include "bees/postprocessor/outcome_row.hpp"
#include "kernel/json.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using namespace hive::bees;
using namespace std::chrono_literals;

namespace {

Timestamp at(Duration time) {
    return Timestamp{time};
}

struct Said {
    const char* duration = "5.000000";
    const char* from_due = "7.500000";
    const char* status = "200";
    const char* success = "true";
    const char* business = nullptr;
    const char* call = "buy";
};

wire::WorkItem item(const Said& said) {
    wire::Step step{.payload = "{}"};
    const auto add = [&](const char* name, const char* value) {
        step.headers.set(name, wire::HeaderValue::json(value));
    };
    add("x-ph-processor-duration-ms", said.duration);
    add("x-ph-processor-from-due-ms", said.from_due);
    add("x-ph-processor-status", said.status);
    add("x-ph-processor-success", said.success);
    if (said.business != nullptr) {
        add("x-ph-business-success", said.business);
        step.headers.set("x-ph-business-code", std::string{"51"});
        step.headers.set("x-ph-dim-card", std::string{"VI\"SA"});
    }
    wire::WorkItem out{.steps = {std::move(step)}, .trace_id = "t-1"};
    out.headers.set("x-ph-call-id", std::string{said.call});
    out.hops = {
        {{"generator", "g-1"}, at(100ms), at(101ms)}, {{"processor", "p-1"}, at(111ms), at(116ms)}};
    return out;
}

} // namespace

TEST_SUITE("what calls took") {
    TEST_CASE(
        "times are told apart: the call, from when it was due, in bees, between them, in all") {
        Measure measure;
        measure.add(item({}), at(120ms));
        CHECK(measure.all().service.max_ns() == 5'000'000);
        CHECK(measure.all().from_due.max_ns() == 7'500'000);
        CHECK(measure.total().max_ns() == 20'000'000);
        CHECK(measure.queue_wait().max_ns() == 10'000'000);
        REQUIRE(measure.by_hop().find("processor") != nullptr);
        CHECK(measure.by_hop().find("processor")->max_ns() == 5'000'000);
    }
    TEST_CASE("an answer that says no is a failure, by call and by dimension too") {
        Measure measure;
        measure.add(item({}), at(120ms));
        measure.add(item({.business = "false"}), at(120ms));
        measure.add(item({.business = "true"}), at(120ms));
        measure.add(item({.status = "500", .success = "false", .call = "sell"}), at(120ms));
        CHECK(measure.all().successes == telemetry::Successes{.total = 4, .failed = 2});
        CHECK(measure.by_call().find("buy")->successes.failed == 1);
        CHECK(measure.by_call().find("sell")->successes.failed == 1);
        REQUIRE(measure.by_dimension().find("card=VI\"SA") != nullptr);
        CHECK(
            measure.by_dimension().find("card=VI\"SA")->successes ==
            telemetry::Successes{.total = 2, .failed = 1});
        CHECK(*measure.by_status().find("500") == 1);
    }
    TEST_CASE("dimensions without end are bounded") {
        Measure measure;
        for (int i = 0; i < 1000; ++i) {
            auto one = item({.business = "true"});
            one.steps.back().headers.set("x-ph-dim-card", std::to_string(i));
            measure.add(one, at(120ms));
        }
        CHECK(measure.by_dimension().values().size() <= 256);
        CHECK(measure.by_dimension().other().successes.total == 1000 - 256);
        json::object said;
        report(measure, said);
        CHECK(said.at("dimensions").as_object().contains("(other)"));
    }
    TEST_CASE("items that came other ways are told apart, in turn and after beginning anew") {
        Measure measure;
        auto other = item({.status = "404", .call = "sell"});
        other.hops = {{{"builder", "b-1"}, at(100ms), at(103ms)}};
        for (int round = 0; round < 2; ++round) {
            measure.clear();
            for (int i = 0; i < 3; ++i) {
                measure.add(item({}), at(120ms));
                measure.add(other, at(120ms));
            }
            CHECK(measure.by_hop().find("generator")->count() == 3);
            CHECK(measure.by_hop().find("processor")->count() == 3);
            CHECK(measure.by_hop().find("builder")->count() == 3);
            CHECK(measure.by_hop().find("builder")->max_ns() == 3'000'000);
            CHECK(*measure.by_status().find("404") == 3);
            CHECK(*measure.by_status().find("200") == 3);
            CHECK(measure.by_call().find("sell")->successes.total == 3);
        }
    }
    TEST_CASE("begun anew, nothing is left") {
        Measure measure;
        measure.add(item({.business = "true"}), at(120ms));
        measure.clear();
        CHECK(measure.all().successes.total == 0);
        CHECK(measure.by_dimension().values().empty());
        CHECK(measure.items() == 0);
    }
    TEST_CASE("a call as a row") {
        Measure measure;
        const auto one = item({.business = "false"});
        const auto outcome = measure.add(one, at(120ms));
        const auto row = outcome_row(outcome, one, {"alpha", "postprocessor", "pp-1"}, at(120ms));
        const auto read = parse_json(row).value();
        const auto expected = parse_json(R"({
            "eventTime":"1970-01-01T00:00:00.120Z","swarmId":"alpha","sinkRole":"postprocessor",
            "sinkInstance":"pp-1","traceId":"t-1","callId":"buy","processorStatus":200,
            "processorSuccess":true,"processorDurationMs":5.0,"fromDueMs":7.5,"error":"",
            "businessCode":"51","businessSuccess":false,"dimensions":{"card":"VI\"SA"}})");
        CHECK(to_text(read) == to_text(expected.value()));
    }
    TEST_CASE("all of it as Prometheus reads it, labels escaped") {
        Measure measure;
        measure.add(item({}), at(120ms));
        measure.add(item({.business = "false"}), at(120ms));
        Measure other;
        telemetry::MetricsPage page;
        write_metrics(page, {measure, "alpha", "postprocessor", "pp-1"});
        write_metrics(page, {other, "alpha", "postprocessor", "pp-2"});
        const std::string text = page.text();
        const std::string own = R"(ph_swarm="alpha",ph_role="postprocessor",ph_instance="pp-1")";
        const std::array<std::string, 10> lines{
            "# TYPE ph_call_seconds histogram\n",
            "ph_calls_total{" + own + "} 2\nph_calls_total{", // the second bee beside the first
            "ph_calls_failed_total{" + own + "} 1\n",
            "ph_calls_success_ratio{" + own + "} 0.5\n",
            "ph_calls_by_status_total{" + own + ",status=\"200\"} 2\n",
            "ph_call_by_id_seconds_count{" + own + ",call=\"buy\"} 2\n",
            "ph_call_by_dimension_seconds_count{" + own + ",dimension=\"card=VI\\\"SA\"} 1\n",
            "ph_hop_seconds_count{" + own + ",hop=\"generator\"} 2\n",
            "ph_call_from_due_seconds_bucket{" + own + ",le=\"0.005\"} 0\n",
            "ph_call_from_due_seconds_bucket{" + own + ",le=\"0.01\"} 2\n"};
        for (const std::string& line : lines) {
            CHECK_MESSAGE(text.find(line) != std::string::npos, line << " in\n" << text);
        }
    }
}
