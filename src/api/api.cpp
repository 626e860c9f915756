#include "api/api.hpp"

#include "api/api_work.hpp"
#include "api/input.hpp"
#include "kernel/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace hive::api {
namespace {

constexpr std::string_view guard_headers = "X-Content-Type-Options: nosniff\r\n";
// For what a browser shows; it neither frames JSON nor follows links out of it.
constexpr std::string_view page_headers = "X-Frame-Options: DENY\r\n"
                                          "Referrer-Policy: no-referrer\r\n";
constexpr std::string_view strict_transport =
    "Strict-Transport-Security: max-age=31536000; includeSubDomains\r\n";

Random& thread_random() {
    thread_local Random random = Random::from_entropy();
    return random;
}

void add_rate_headers(const RateVerdict& verdict, http::HeaderBlock& headers) {
    if (verdict.policy.empty()) return;
    headers.add(
        "RateLimit-Policy",
        fmt::format("\"{}\";q={};w={}", verdict.policy, verdict.quota, verdict.window_sec));
    headers.add(
        "RateLimit",
        fmt::format("\"{}\";r={};t={}", verdict.policy, verdict.remaining, verdict.reset_sec));
}

} // namespace

Api::Api(RouteTable table, ApiParts parts) : table_{std::move(table)}, parts_{std::move(parts)} {
    if (parts_.metrics == nullptr) return;
    metrics_.resize(table_.routes().size() + 1);
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
        const std::string operation = i < table_.routes().size() ? table_.routes()[i].id : "none";
        for (std::size_t status = 1; status <= 5; ++status) {
            metrics_[i].by_class[status] = &parts_.metrics->counter(
                {"hive_http_requests_total",
                 "Requests answered, by operation and status",
                 {{"operation", operation}, {"status", fmt::format("{}xx", status)}}});
        }
        metrics_[i].took = &parts_.metrics->histogram(
            {"hive_http_request_seconds",
             "From the whole request to its answer",
             {{"operation", operation}}});
    }
}

std::size_t Api::body_limit(const http::Request& request) const {
    const Match match = table_.match(request.method, request.path);
    if (match.kind != Match::Kind::found) return parts_.body_bytes;
    return table_.routes()[match.route].limits.body_bytes.value_or(parts_.body_bytes);
}

http::Eventually<http::Response> Api::answer(const http::Request& request) {
    Work work{.state = {.request = &request}, .began = std::chrono::steady_clock::now()};
    work.state.trace = trace_of(request, thread_random());
    work.state.route_index = table_.routes().size();
    Match match = table_.match(request.method, request.path);
    if (match.kind != Match::Kind::found) {
        auto response = without_route(work, match);
        finish(work, response);
        return response;
    }
    work.state.route_index = match.route;
    work.state.route = &table_.routes()[match.route];
    work.state.path = std::move(match.values);
    const Credentials credentials = credentials_of(request);
    if (parts_.authenticator == nullptr || credentials.none()) {
        if (auto refused = admit(work, Identity{})) {
            auto response = fail(work, *refused);
            finish(work, response);
            return response;
        }
        return proceed(std::move(work));
    }
    auto known = parts_.authenticator->authenticate(credentials, request);
    if (auto* later = std::get_if<http::asio::awaitable<Authentication>>(&known)) {
        return authenticate_first(std::move(work), std::move(*later));
    }
    if (auto refused = admit(work, std::get<Authentication>(known))) {
        auto response = fail(work, *refused);
        finish(work, response);
        return response;
    }
    return proceed(std::move(work));
}

http::Response Api::without_route(Work& work, const Match& match) {
    const http::Request& request = *work.state.request;
    if (match.kind == Match::Kind::bad_parameter) {
        return fail(work, {.status = 400, .code = "invalid", .detail = match.problem});
    }
    if (request.method == http::Method::options && (!match.allow.empty() || request.path == "*")) {
        return preflight_or_options(work, match);
    }
    if (match.kind == Match::Kind::no_method) {
        Problem problem{
            .status = 405,
            .code = "method-not-allowed",
            .detail = fmt::format("this path takes {}", match.allow)};
        problem.headers.add("Allow", match.allow);
        return fail(work, problem);
    }
    const bool page = !request.path.starts_with("/api/") && request.path != "/api";
    const bool reading =
        request.method == http::Method::get || request.method == http::Method::head;
    if (parts_.assets != nullptr && page && reading) {
        if (auto found = parts_.assets->find(request)) return std::move(*found);
    }
    return fail(
        work, {.status = 404, .code = "not-found", .detail = "there is nothing at this path"});
}

http::Response Api::preflight_or_options(const Work& work, const Match& match) const {
    http::Response response{.status = 204};
    response.headers.add("Allow", match.allow.empty() ? "GET, HEAD, OPTIONS" : match.allow);
    const http::Request& request = *work.state.request;
    if (is_preflight(request) && parts_.cors.allows(*request.header("Origin"))) {
        allow_preflight(match.allow, response.headers);
    }
    return response;
}

// Who asks and how often; then what is asked.
Api::Refused Api::admit(Work& work, const Authentication& authentication) {
    if (!authentication) return authentication.error();
    work.state.identity = *authentication;
    const Route& route = *work.state.route;
    if (auto denied = route.access.deny(work.state.identity.get())) {
        // Nobody is asked for a key, which is no offence.
        if (parts_.denials != nullptr && work.state.identity) {
            parts_.denials->denied(Call{work.state}, *denied);
        }
        return denied;
    }
    if (parts_.rate_limiter != nullptr) {
        const RateVerdict verdict =
            parts_.rate_limiter->take(route, work.state.identity.get(), *work.state.request->peer);
        add_rate_headers(verdict, work.extra);
        if (!verdict.allowed) {
            work.extra.add("Retry-After", std::to_string(verdict.reset_sec));
            return Problem{
                .status = 429,
                .code = "quota-exceeded",
                .detail = fmt::format(
                    "{} requests in {} s are used up; try again in {} s", verdict.quota,
                    verdict.window_sec, verdict.reset_sec),
                .retryable = true};
        }
    }
    return read_input(work);
}

Api::Refused Api::read_input(Work& work) const {
    if (auto problem = read_query(work.state)) return problem;
    if (auto problem = read_idempotency_key(work.state)) return problem;
    return read_body(work.state, table_.schemas());
}

http::Eventually<http::Response> Api::proceed(Work work) {
    const Route& route = *work.state.route;
    if (std::holds_alternative<AsyncHandler>(route.handler)) return call_later(std::move(work));
    http::Response response = call(work);
    finish(work, response);
    return response;
}

http::Response Api::call(Work& work) {
    try {
        return std::get<SyncHandler>(work.state.route->handler)(Call{work.state});
    } catch (const std::exception& outage) {
        return failed(work, outage);
    }
}

http::Response Api::failed(Work& work, const std::exception& outage) {
    work.failure = outage.what();
    return fail(work, problem_of(http::Refusal{500, "internal-error", work.failure}));
}

http::Response Api::fail(Work& work, const Problem& problem) const {
    return to_response(problem, work.state.request->path, work.state.trace.request_id);
}

void Api::finish(const Work& work, http::Response& response) {
    const http::Request& request = *work.state.request;
    http::HeaderBlock& headers = response.headers;
    headers.reserve(headers.lines().size() + 256); // one allocation for all that follows
    headers.add_lines(guard_headers);
    if (response.content_type != json_type) headers.add_lines(page_headers);
    if (request.peer != nullptr && request.peer->secure) headers.add_lines(strict_transport);
    // What an API says is for whoever asked, now; assets say otherwise themselves.
    if (!headers.find("Cache-Control")) headers.add("Cache-Control", "no-store");
    headers.add_lines(work.extra.lines());
    headers.add("X-Request-Id", work.state.trace.request_id);
    allow_origin(parts_.cors, request, headers);
    count(work, response);
}

void Api::count(const Work& work, const http::Response& response) {
    const auto took = std::chrono::steady_clock::now() - work.began;
    if (!metrics_.empty()) {
        const RouteMetrics& metrics = metrics_[work.state.route_index];
        const std::size_t status = std::clamp(response.status / 100, 1U, 5U);
        metrics.by_class[status]->add();
        metrics.took->observe(std::chrono::duration<double>(took).count());
    }
    if (parts_.access_log == nullptr) return;
    const http::Request& request = *work.state.request;
    const Route* route = work.state.route;
    const Identity& who = work.state.identity;
    parts_.access_log->record(
        {.method = request.method_text,
         .path = request.path,
         .operation = route == nullptr ? std::string_view{} : route->id,
         .status = response.status,
         .body_bytes = http::view_of(response.body).size(),
         .took = took,
         .peer = request.peer == nullptr ? std::string_view{} : request.peer->address,
         .principal = who ? std::string_view{who->id} : std::string_view{},
         .request_id = work.state.trace.request_id,
         .trace_id = work.state.trace.trace_id,
         .failure = work.failure});
}

http::Response Api::refuse(const http::Refusal& refusal, const http::Peer& peer) {
    auto response = to_response(problem_of(refusal), {}, {});
    response.headers.add_lines(guard_headers);
    response.headers.add_lines(page_headers);
    response.headers.add("Cache-Control", "no-store");
    if (!metrics_.empty()) {
        metrics_.back().by_class[std::clamp(refusal.status / 100, 1U, 5U)]->add();
    }
    if (parts_.access_log != nullptr) {
        parts_.access_log->record(
            {.method = {},
             .path = {},
             .operation = {},
             .status = refusal.status,
             .body_bytes = http::view_of(response.body).size(),
             .peer = peer.address,
             .principal = {},
             .request_id = {},
             .trace_id = {},
             .failure = refusal.detail});
    }
    return response;
}

} // namespace hive::api
