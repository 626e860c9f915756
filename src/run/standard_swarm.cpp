#include "run/standard_swarm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::run {
namespace {

// With a rate there must be enough of them for answers that take long; only those that are needed
// are opened.
constexpr std::uint32_t connections_at_a_rate = 512;
constexpr std::uint32_t connections_at_most_speed = 50;
constexpr std::int64_t queue_at_most_speed = 2048;
constexpr std::int64_t queue_at_a_rate = 20'000;

struct Split {
    std::string base; // scheme and authority
    std::string path; // with the query
};

Result<Split> split(const std::string& url) {
    const auto scheme = url.find("://");
    if (scheme == std::string::npos) {
        return fail(Errc::invalid, fmt::format("'{}' is no URL; write http://host/path", url));
    }
    const auto name = url.substr(0, scheme);
    if (name != "http" && name != "https") {
        return fail(
            Errc::invalid,
            fmt::format("'{}' cannot be called; without a file there are http and https", url));
    }
    const auto end = url.find_first_of("/?#", scheme + 3);
    Split out{url.substr(0, end), end == std::string::npos ? "/" : url.substr(end)};
    if (const auto fragment = out.path.find('#'); fragment != std::string::npos) {
        out.path.erase(fragment);
    }
    if (!out.path.starts_with('/')) out.path.insert(0, "/");
    return out;
}

json::object bee(std::string_view role, json::object work, json::object config) {
    return {{"id", role}, {"role", role}, {"work", std::move(work)}, {"config", std::move(config)}};
}

json::object generator_config(const Split& at, const Target& target, json::object scheduler) {
    json::object message{{"bodyType", "HTTP"}, {"method", target.method}, {"path", at.path}};
    if (!target.body.empty()) message["body"] = target.body;
    json::object headers;
    for (const auto& [name, value] : target.headers) headers[name] = value;
    if (!headers.empty()) message["headers"] = std::move(headers);
    return {
        {"inputs", {{"type", "SCHEDULER"}, {"scheduler", std::move(scheduler)}}},
        {"message", std::move(message)},
        {"historyPolicy", "LATEST_ONLY"}};
}

} // namespace

Result<StandardSwarm> standard_swarm(const Target& target, const LoadWish& load) {
    const auto at = split(target.url);
    if (!at) return fail(at.error());
    StandardSwarm out;
    json::object scheduler{{"pacing", "UNLIMITED"}};
    if (load.per_sec) {
        scheduler = {{"ratePerSec", *load.per_sec}};
        if (load.length) {
            const double calls =
                *load.per_sec * std::chrono::duration<double>(*load.length).count();
            out.planned = static_cast<std::uint64_t>(std::max(1.0, std::floor(calls + 1e-6)));
            scheduler["maxMessages"] = *out.planned;
        }
    }
    const std::uint32_t connections =
        load.connections.value_or(load.per_sec ? connections_at_a_rate : connections_at_most_speed);
    const std::int64_t longest = load.per_sec ? queue_at_a_rate : queue_at_most_speed;
    const json::object made{{"q", "made"}};
    const json::object calls{{"q", "calls"}};
    const json::object results{{"q", "results"}};
    const auto timeout =
        std::chrono::duration_cast<std::chrono::milliseconds>(load.timeout).count();
    out.text = {
        {"bees",
         json::array{
             bee("generator", {{"out", made}}, generator_config(*at, target, std::move(scheduler))),
             bee("moderator", {{"in", made}, {"out", calls}}, {{"historyPolicy", "LATEST_ONLY"}}),
             bee("processor", {{"in", calls}, {"out", results}},
                 {{"baseUrl", at->base},
                  {"threadCount", connections},
                  {"timeoutMs", timeout},
                  {"result", "BRIEF"},
                  {"historyPolicy", "LATEST_ONLY"}}),
             bee("postprocessor", {{"in", results}}, {})}},
        {"queues",
         {{"made", {{"maxLength", longest}}},
          {"calls", {{"maxLength", longest}}},
          {"results", {{"maxLength", longest}}}}}};
    return out;
}

} // namespace hive::run
