#include "cli/run_options.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::cli {
namespace {

constexpr double rate_max = 10'000'000;

void declare_call(OptionTable& table, RunOptions& options) {
    table.add_flag("method", options.method)
        .value_name("METHOD")
        .help("of the calls to a URL; GET, or POST with a body");
    table.add_flag("header", options.headers)
        .value_name("NAME:VALUE")
        .help("header of the calls to a URL, may be given several times; the value is a template");
    table.add_flag("body", options.body)
        .value_name("TEXT")
        .help("body of the calls to a URL, a template; @FILE reads it from a file");
    table.add_flag("timeout", options.timeout)
        .range(std::chrono::milliseconds{1}, std::chrono::hours{1})
        .help("longest wait for an answer from a URL");
}

void declare_run_choices(OptionTable& table, RunOptions& options) {
    table.add_flag("sut", options.sut)
        .value_name("ID")
        .help("the environment of a scenario, of those in sut/");
    table.add_flag("profile", options.profile)
        .value_name("ID")
        .help("the profile of a scenario, of those in variables.yaml");
    table.add_flag("endpoint", options.endpoints)
        .value_name("NAME=URL")
        .help("where an endpoint of the system under test is, instead of what the scenario says");
    table.add_flag("set", options.set)
        .value_name("BEE.SETTING=VALUE")
        .help("another value for a setting of a bee, may be given several times");
}

void declare_search(OptionTable& table, RunOptions& options) {
    table.add_flag("find-max", options.find_max)
        .help("look for the highest rate at which every threshold holds; without any: p99 < 100ms "
              "and error_rate < 1%");
    table.add_flag("from", options.from).range(1, rate_max).help("the rate that is tried first");
    table.add_flag("to", options.to).range(1, rate_max).help("no rate above this is tried");
    table.add_flag("step-duration", options.step_duration)
        .range(std::chrono::milliseconds{100}, std::chrono::hours{1})
        .help("how long each rate is tried");
}

} // namespace

void declare_run_options(OptionTable& table, RunOptions& options) {
    table.add_positional("SCENARIO|URL", options.what)
        .required()
        .help("a folder or file with a scenario, or a URL to call");
    table.add_flag("duration", options.duration)
        .range(std::chrono::milliseconds{10}, std::chrono::hours{24 * 30})
        .help("how long to send; 10s for a URL, a scenario may have its own end");
    table.add_flag("rate", options.rate)
        .value_name("N|max")
        .help("calls to a URL per second, on time whether or not answers keep up; max is as fast "
              "as the connections allow");
    table.add_flag("connections", options.connections)
        .range(1, 100'000)
        .help("most connections to a URL at a time; 50 at most speed, else up to 512 as needed");
    declare_call(table, options);
    declare_run_choices(table, options);
    table.add_flag("threshold", options.thresholds)
        .value_name("EXPR")
        .help("what must hold, may be given several times: 'p99 < 50ms', 'error_rate < 0.1%', "
              "'rate > 4900/s'; with 'abort' at the end the run stops when it is broken");
    declare_search(table, options);
    table.add_flag("drain", options.drain)
        .range(Duration::zero(), std::chrono::hours{1})
        .help("longest wait for answers once everything was sent");
    table.add_flag("summary", options.summary).help("write the figures as JSON");
    table.add_flag("report", options.report)
        .help("write a page with charts, one HTML file that needs nothing else");
    table.add_flag("junit", options.junit)
        .help("write the thresholds as test results that build servers read");
    table.add("broker", options.broker)
        .help("run on this RabbitMQ, each bee a process, instead of inside this one");
    table.add("swarm.buffer-guards", options.buffer_guards)
        .flag("buffer-guards")
        .help("whether buffer guards of the scenario steer; --no-buffer-guards leaves all rates as "
              "they are");
    table.add_flag("server", options.server)
        .value_name("URL|PROFILE")
        .help("run on the hive there, instead of inside this one: an address, with the key in "
              "HIVE_KEY, or the name of a server you logged in to");
    table.add_flag("swarm", options.swarm)
        .value_name("ID")
        .help("name of the swarm; without it run, and on a server one that nobody else has");
    table.add_flag("quiet", options.quiet).help("say nothing but errors; the exit code tells");
    table.add_flag("json", options.json).help("print the figures as JSON and nothing else");
}

Result<std::vector<telemetry::Threshold>> thresholds_of(const std::vector<std::string>& texts) {
    std::vector<telemetry::Threshold> all;
    std::string wrong;
    for (const std::string& text : texts) {
        auto threshold = telemetry::parse_threshold(text);
        if (threshold) {
            all.push_back(*std::move(threshold));
            continue;
        }
        if (!wrong.empty()) wrong += "; ";
        wrong += fmt::format("threshold '{}': {}", text, threshold.error().detail);
    }
    if (!wrong.empty()) return fail(Errc::invalid, wrong);
    return all;
}

Result<std::optional<double>> rate_of(const std::string& text) {
    if (text == "max") return std::optional<double>{};
    std::string_view number{text};
    if (number.ends_with("/s")) number.remove_suffix(2);
    double rate = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), rate);
    if (error != std::errc{} || end != number.data() + number.size() || !(rate > 0) ||
        rate > rate_max) {
        return fail(
            Errc::invalid,
            fmt::format(
                "--rate: '{}' is no rate; write calls per second, such as 5000, or max", text));
    }
    return std::optional{rate};
}

} // namespace hive::cli
