#pragma once

#include "api/access.hpp"
#include "api/http/request.hpp"
#include "api/http/response.hpp"
#include "api/parameter.hpp"
#include "api/path.hpp"
#include "api/trace.hpp"
#include "kernel/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

struct Route;

// What the router has found out about a request by the time its handler runs.
struct CallState {
    const http::Request* request = nullptr;
    const Route* route = nullptr;
    std::size_t route_index = 0;
    PathValues path{};
    std::vector<ParameterValue> query{}; // in the order the route declares them
    Identity identity{};
    json::value body{};
    std::string idempotency_key{}; // empty: none was sent, or the route ignores it
    Trace trace{};
};

// One request as its handler sees it. A cheap handle: copy it into coroutines.
class Call {
public:
    explicit Call(const CallState& state) : state_{&state} {}

    const http::Request& request() const noexcept { return *state_->request; }
    const Principal* principal() const noexcept { return state_->identity.get(); }
    const Identity& identity() const noexcept { return state_->identity; }
    const Trace& trace() const noexcept { return state_->trace; }
    const json::value& body() const noexcept { return state_->body; } // parsed and validated
    const Route& route() const noexcept { return *state_->route; }
    const std::string& idempotency_key() const noexcept { return state_->idempotency_key; }

    // A name that the route does not declare is a bug, and asserts.
    std::string_view path(std::string_view name) const;
    std::optional<std::int64_t> integer(std::string_view name) const;
    std::optional<std::string_view> text(std::string_view name) const;
    bool flag(std::string_view name) const;

    http::Response fail(const Error& error) const;
    http::Response fail(const Problem& problem) const;

private:
    const ParameterValue& parameter(std::string_view name) const;
    const CallState* state_;
};

http::Response json_response(const json::value& value, unsigned status = 200);

} // namespace hive::api
