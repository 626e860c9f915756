// What Prometheus reads from a hive with bees in its own process.
#include "tests/system/swarm_rest_scene.hpp"
#include "tests/system/web_server.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <set>
#include <sstream>

using namespace hive;
using namespace hive::tests;

namespace {

// Two post-processors share what 30 calls became.
std::string measured_calls(const std::string& url) {
    return fmt::format(
        R"({{"bees":[
        {{"id":"gen","role":"generator","work":{{"out":{{"out":"calls"}}}},
          "config":{{"inputs":{{"scheduler":{{"ratePerSec":500,"maxMessages":30}}}}}}}},
        {{"id":"call","role":"processor",
          "work":{{"in":{{"in":"calls"}},"out":{{"out":"answers"}}}},
          "config":{{"baseUrl":"{}"}}}},
        {{"id":"post","role":"postprocessor","replicas":2,
          "work":{{"in":{{"in":"answers"}}}}}}]}})",
        url);
}

double sum_of(const std::string& page, const std::string& start) {
    std::istringstream lines{page};
    double sum = 0;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(start)) sum += std::stod(line.substr(line.rfind(' ')));
    }
    return sum;
}

// The name of a sample's family: of a histogram it has a few words more.
std::string family_of(std::string name) {
    for (const std::string_view more : {"_bucket", "_sum", "_count"}) {
        if (name.ends_with(more)) return name.substr(0, name.size() - more.size());
    }
    return name;
}

void check_format(const std::string& page) {
    std::istringstream lines{page};
    std::set<std::string> seen;
    std::string family;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("# HELP ")) {
            family = line.substr(7, line.find(' ', 7) - 7);
            CHECK_MESSAGE(seen.insert(family).second, family << " comes twice");
        } else if (!line.starts_with("#")) {
            const std::string name = line.substr(0, line.find_first_of("{ "));
            CHECK_MESSAGE((name == family || family_of(name) == family), line);
        }
    }
}

} // namespace

TEST_CASE("the page of metrics has what bees have measured, for as long as they are there") {
    test::WebServer target{[](const http::Request&) { return test::text_answer("fine"); }};
    RestHive hive;
    CHECK(!contains(hive.get("/metrics").text, "ph_calls_total"));
    hive.create("alpha", measured_calls(target.url("")), true);
    std::string page;
    REQUIRE(hive.eventually([&] {
        page = hive.get("/metrics").text;
        return sum_of(page, "ph_calls_total{") == 30;
    }));
    CAPTURE(page);
    CHECK(sum_of(page, "ph_calls_failed_total{") == 0);
    CHECK(sum_of(page, "ph_call_seconds_count{") == 30);
    const std::string own = R"(ph_swarm="alpha",ph_role="postprocessor",ph_instance=)";
    CHECK(contains(page, "ph_calls_total{" + own + R"("alpha-postprocessor-1"})"));
    CHECK(contains(page, "ph_calls_total{" + own + R"("alpha-postprocessor-2"})"));
    CHECK(contains(page, R"(status="200"} )"));
    CHECK(contains(page, "hive_http_connections_total"));
    check_format(page);

    CHECK(hive.remove("/swarms/alpha?wait=30s").member("status") == "Removed");
    CHECK(hive.eventually([&] { return !contains(hive.get("/metrics").text, "ph_calls_total"); }));
}

TEST_CASE("a guard has its figures on the page, by swarm and queue") {
    RestHive hive;
    const auto made = hive.post(
        "/swarms?wait=30s",
        R"({"id":"alpha","autoStart":true,"template":{"bees":[
            {"id":"gen","role":"generator","work":{"out":{"out":"raw"}}},
            {"id":"gate","role":"moderator","work":{"in":{"in":"raw"}}}]},
           "plan":{"trafficPolicy":{"bufferGuard":{"enabled":true,"queueAlias":"raw",
            "targetDepth":40,"minDepth":20,"maxDepth":60,"samplePeriod":"100ms"}}}})");
    REQUIRE_MESSAGE(made.status == 200, made.text);
    std::string page;
    REQUIRE(hive.eventually([&] {
        page = hive.get("/metrics").text;
        return contains(page, R"(buffer_guard_target{swarm="alpha",guard="raw"} 40)");
    }));
    for (const char* name :
         {"buffer_guard_depth", "buffer_guard_rate_override", "buffer_guard_state"}) {
        CHECK_MESSAGE(
            contains(page, fmt::format(R"({}{{swarm="alpha",guard="raw"}} )", name)), page);
    }
    check_format(page);
}

TEST_CASE("what a run measured is there while its swarm works, and after it has gone") {
    test::WebServer target{[](const http::Request&) { return test::text_answer("fine"); }};
    RestHive hive;
    hive.create("alpha", measured_calls(target.url("")), true);
    const std::string run = hive.get("/swarms/alpha").member("run");
    const auto calls = [&] {
        const auto report = hive.get("/runs/" + run + "/report");
        return report.status == 200 ? report.body().at("calls").as_int64() : 0;
    };
    REQUIRE(hive.eventually([&] { return calls() == 30; }));
    REQUIRE(hive.remove("/swarms/alpha?wait=30s").member("status") == "Removed");
    REQUIRE(hive.eventually([&] { return calls() == 30; }));
    const auto report = hive.get("/runs/" + run + "/report").body();
    CHECK(report.at("failed").as_int64() == 0);
    CHECK(report.at("byStatus") == json::object{{"200", 30}});
    CHECK(report.at("latencyUs").at("p99").to_number<double>() > 0);
    CHECK(report.at("upperBound").is_bool()); // how two bees share the calls is theirs to say
    CHECK_FALSE(report.at("course").as_array().empty());
    const auto written = hive.get("/journal?kind=measure&run=" + run).items();
    REQUIRE_FALSE(written.empty());
    CHECK(written[0].at("type") == "run-report");

    hive.create("beta", quiet_template);
    const std::string other = hive.get("/swarms/beta").member("run");
    CHECK(hive.get("/runs/" + other + "/report").status == 404);
    CHECK(contains(hive.get("/runs/" + other + "/report").text, "has measured no calls"));
    CHECK(hive.get("/runs/nowhere/report").status == 404);
}
