#include "api/system_routes.hpp"

namespace hive::api {
namespace {

json::object health_schema() {
    return {
        {"type", "object"},
        {"required", {"status"}},
        {"properties",
         {{"status", {{"enum", {"UP", "DOWN"}}}},
          {"components", {{"type", "object"}, {"additionalProperties", {{"type", "object"}}}}}}}};
}

Content health_content() {
    return {
        .schema = health_schema(),
        .example = {{"status", "UP"}, {"components", {{"store", {{"status", "UP"}}}}}}};
}

Content text_content(std::string type, std::string_view example) {
    return {
        .schema = {{"type", "string"}}, .example = json::value(example), .type = std::move(type)};
}

http::Response health_response(const Health& health) {
    const Health::Report report = health.report();
    return json_response(report.document, report.ready ? 200 : 503);
}

Route readiness(const Health& health, std::string path, std::string id) {
    return {
        .path = std::move(path),
        .id = std::move(id),
        .summary = "Whether the server can do its work, part by part",
        .tag = "system",
        .access = Access::open_to_all(),
        .handler = SyncHandler{[&health](const Call&) { return health_response(health); }},
        .answers =
            {{200, "Every part is up", health_content()},
             {503, "A part is down, or the server is shutting down", health_content()}},
        .rate_class = "system"};
}

Route liveness() {
    return {
        .path = "/healthz",
        .id = "getLiveness",
        .summary = "Whether the process answers at all",
        .tag = "system",
        .access = Access::open_to_all(),
        .handler = SyncHandler{[](const Call&) { return json_response({{"status", "UP"}}); }},
        .answers = {{200, "It does", health_content()}},
        .rate_class = "system"};
}

Route metrics_route(const MetricRegistry& metrics) {
    static constexpr std::string_view type = "text/plain; version=0.0.4; charset=utf-8";
    return {
        .path = "/metrics",
        .id = "getMetrics",
        .summary = "Counters, gauges and histograms for Prometheus",
        .tag = "system",
        .access = Access::needs(Area::system, Level::read),
        .handler = SyncHandler{[&metrics](const Call&) {
            return http::Response{.content_type = type, .body = metrics.render()};
        }},
        .answers = {{200, "All metrics", text_content("text/plain", "hive_up 1\n")}},
        .rate_class = "system"};
}

Route openapi_route(OpenApiText text) {
    return {
        .path = "/api/openapi.json",
        .id = "getOpenApi",
        .summary = "This document",
        .tag = "system",
        .access = Access::open_to_all(),
        .handler = SyncHandler{[text = std::move(text)](const Call&) {
            return http::Response{
                .content_type = json_type, .body = std::shared_ptr<const std::string>{text}};
        }},
        .answers =
            {{200, "OpenAPI 3.1",
              Content{.schema = {{"type", "object"}}, .example = {{"openapi", "3.1.0"}}}}},
        .rate_class = "system"};
}

} // namespace

std::vector<Route> system_routes(const SystemParts& parts) {
    std::vector<Route> routes;
    routes.push_back(liveness());
    routes.push_back(readiness(parts.health, "/readyz", "getReadiness"));
    routes.push_back(readiness(parts.health, "/actuator/health", "getActuatorHealth"));
    routes.push_back(metrics_route(parts.metrics));
    routes.push_back(openapi_route(parts.openapi));
    return routes;
}

Result<RouteTable> compile_api(TableInput input, const SystemParts& parts) {
    for (Route& route : system_routes(parts)) input.routes.push_back(std::move(route));
    auto table = RouteTable::compile(std::move(input.routes), std::move(input.options));
    if (table) *parts.openapi = to_text(make_openapi(*table, input.info));
    return table;
}

} // namespace hive::api
