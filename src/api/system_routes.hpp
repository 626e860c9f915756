#pragma once

#include "api/health.hpp"
#include "api/metrics.hpp"
#include "api/openapi.hpp"
#include "api/route.hpp"

#include <memory>
#include <vector>

namespace hive::api {

// The text that /api/openapi.json serves; filled once the table, of which the route is part,
// exists.
using OpenApiText = std::shared_ptr<std::string>;

struct SystemParts {
    const Health& health;
    const MetricRegistry& metrics;
    OpenApiText openapi;
};

// /healthz, /readyz, /actuator/health, /metrics, /api/openapi.json.
std::vector<Route> system_routes(const SystemParts& parts);

// Adds the system's routes, compiles the table and writes its document into `parts.openapi`.
struct TableInput {
    std::vector<Route> routes;
    RouteTableOptions options{};
    ApiInfo info;
};
Result<RouteTable> compile_api(TableInput input, const SystemParts& parts);

} // namespace hive::api
