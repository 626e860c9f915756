#include "cli/run_play.hpp"

#include "cli/failure.hpp"
#include "cli/read_file.hpp"
#include "cli/scenario_commands.hpp"
#include "kernel/secret.hpp"
#include "run/fitting.hpp"
#include "run/standard_swarm.hpp"
#include "scenario/wire_plan.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

constexpr Duration url_length = std::chrono::seconds{10};
constexpr std::size_t secret_bytes_max = std::size_t{1} << 16U;
constexpr std::size_t body_bytes_max = std::size_t{16} << 20U;

Result<std::map<std::string, std::string>> headers_of(const std::vector<std::string>& texts) {
    std::map<std::string, std::string> headers;
    for (const std::string& text : texts) {
        const auto colon = text.find(':');
        if (colon == std::string::npos || colon == 0) {
            return fail(
                Errc::invalid,
                fmt::format("--header: '{}' is no header; write 'Name: value'", text));
        }
        const auto value = text.find_first_not_of(" \t", colon + 1);
        headers[text.substr(0, colon)] = value == std::string::npos ? "" : text.substr(value);
    }
    return headers;
}

Result<std::string> body_of(const std::string& text) {
    if (!text.starts_with('@')) return text;
    auto body = read_file(text.substr(1), body_bytes_max);
    if (!body)
        return fail(Errc::invalid, fmt::format("{}: {}", text.substr(1), body.error().detail));
    return body;
}

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::vector<report::Marker> markers_of(const scenario::Plan& plan) {
    std::vector<report::Marker> markers;
    constexpr std::size_t most = 1000; // a page with more could not be read
    for (std::uint32_t run = 0; run < plan.runs && markers.size() < most; ++run) {
        for (const scenario::Step& step : plan.steps) {
            markers.push_back(
                {seconds(plan.length * run + step.time), step.name.empty() ? step.id : step.name});
        }
    }
    return markers;
}

// Settings that only a run without a file has.
Status check_no_url_options(const RunOptions& options) {
    for (const auto& [name, given] : std::initializer_list<std::pair<const char*, bool>>{
             {"--rate", !options.rate.empty()},
             {"--connections", options.connections.has_value()},
             {"--method", !options.method.empty()},
             {"--header", !options.headers.empty()},
             {"--body", !options.body.empty()}}) {
        if (!given) continue;
        return fail(
            Errc::invalid, fmt::format(
                               "{} is for calls to a URL; '{}' is a scenario, where --set "
                               "generator.inputs.scheduler.ratePerSec=50 changes a setting",
                               name, options.what));
    }
    return {};
}

Result<Play> play_of_compiled(scenario::Compiled compiled, const RunOptions& options, Host& host) {
    Play play{.scenario = compiled.id.empty() ? options.what : compiled.id};
    play.plan = scenario::wire_plan(compiled);
    play.markers = markers_of(compiled.plan);
    play.course.length = options.duration;
    if (!play.course.length && compiled.plan.length > Duration::zero()) {
        play.course.length = compiled.plan.length * compiled.plan.runs;
    }
    play.course.thresholds = std::move(compiled.thresholds);
    json::value bees = std::move(compiled.bees);
    const SecretSources sources{.env = host.env, .file = [](const std::string& path) {
                                    return read_file(path, secret_bytes_max);
                                }};
    if (auto ok = scenario::resolve_secrets(bees, sources); !ok) return fail(ok.error());
    play.text = std::move(bees.get_object());
    if (!play.course.length && !options.find_max && !run::ends_by_itself(play.text)) {
        return fail(
            Errc::invalid, fmt::format(
                               "'{}' never ends by itself; give --duration, a plan, or maxMessages",
                               play.scenario));
    }
    return play;
}

} // namespace

bool is_url(const std::string& what) {
    return what.find("://") != std::string::npos;
}

Result<Play> play_of_url(const RunOptions& options) {
    auto headers = headers_of(options.headers);
    if (!headers) return fail(headers.error());
    auto body = body_of(options.body);
    if (!body) return fail(body.error());
    // A search is for rates, with the connections that one needs.
    const std::string fastest = options.find_max ? "1" : "max";
    auto rate = rate_of(options.rate.empty() ? fastest : options.rate);
    if (!rate) return fail(rate.error());
    const std::string method = !options.method.empty() ? options.method
                               : body->empty()         ? "GET"
                                                       : "POST";
    const Duration length = options.duration.value_or(url_length);
    auto swarm = run::standard_swarm(
        {.url = options.what,
         .method = method,
         .headers = *std::move(headers),
         .body = *std::move(body)},
        {.per_sec = *rate,
         .length = length,
         .connections = options.connections,
         .timeout = options.timeout});
    if (!swarm) return fail(swarm.error());
    return Play{
        .scenario = options.what,
        .text = std::move(swarm->text),
        .planned = swarm->planned,
        .course = {.length = length}};
}

std::optional<Play> play_of_scenario(const RunOptions& options, Host& host) {
    const auto tell = [&](const Error& error) {
        report(host, error);
        return std::nullopt;
    };
    if (auto ok = check_no_url_options(options); !ok) return tell(ok.error());
    auto compiled = compile_scenario(
        host, {.path = {options.what},
               .sut = options.sut,
               .profile = options.profile,
               .endpoints = options.endpoints,
               .set = options.set});
    if (!compiled) return std::nullopt;
    auto play = play_of_compiled(*std::move(compiled), options, host);
    if (!play) return tell(play.error());
    return *std::move(play);
}

} // namespace hive::cli
