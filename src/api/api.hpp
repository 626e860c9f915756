#pragma once

#include "api/access_log.hpp"
#include "api/assets.hpp"
#include "api/authenticator.hpp"
#include "api/cors.hpp"
#include "api/denial_log.hpp"
#include "api/http/application.hpp"
#include "api/http/limits.hpp"
#include "api/metrics.hpp"
#include "api/rate_limiter.hpp"
#include "api/route_table.hpp"

#include <optional>

namespace hive::api {

// What an Api works with. Pointers may be null: no such part; nobody is signed in without an
// authenticator, so every route that is not open stays closed.
struct ApiParts {
    Authenticator* authenticator = nullptr;
    RateLimiter* rate_limiter = nullptr;
    const AssetSource* assets = nullptr;
    AccessLog* access_log = nullptr;
    MetricRegistry* metrics = nullptr;
    DenialLog* denials = nullptr;
    CorsPolicy cors{};
    std::size_t body_bytes = http::Limits{}.body_bytes; // where a route says nothing else
};

// Serves a table of routes: finds the route, checks who asks, how often and with what, calls the
// handler and dresses its answer. Everything it refuses is a problem document.
class Api final : public http::Application {
public:
    Api(RouteTable table, ApiParts parts);

    std::size_t body_limit(const http::Request& request) const override;
    http::Eventually<http::Response> answer(const http::Request& request) override;
    http::Response refuse(const http::Refusal& refusal, const http::Peer& peer) override;

    const RouteTable& table() const noexcept { return table_; }

private:
    struct Work; // a call and when it began
    struct RouteMetrics {
        std::array<Counter*, 6> by_class{}; // 5: 5xx
        Histogram* took = nullptr;
    };
    using Refused = std::optional<Problem>;

    http::Response without_route(Work& work, const Match& match);
    http::Response preflight_or_options(const Work& work, const Match& match) const;
    Refused admit(Work& work, const Authentication& authentication);
    Refused read_input(Work& work) const;
    http::Eventually<http::Response> proceed(Work work);
    http::Response call(Work& work);
    http::Response failed(Work& work, const std::exception& outage);
    http::Response fail(Work& work, const Problem& problem) const;
    void finish(const Work& work, http::Response& response);
    void count(const Work& work, const http::Response& response);

    http::asio::awaitable<http::Response>
    authenticate_first(Work work, http::asio::awaitable<Authentication> pending);
    http::asio::awaitable<http::Response> call_later(Work work);
    http::asio::awaitable<http::Response> run_handler(Work* work);

    RouteTable table_;
    ApiParts parts_;
    std::vector<RouteMetrics> metrics_; // by route, and one more for what has none
};

} // namespace hive::api
