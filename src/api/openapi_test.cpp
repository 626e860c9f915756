#include "api/openapi.hpp"
#include "api/system_routes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace hive;
using namespace hive::api;

namespace {

struct Sample {
    Sample() {
        auto compiled = compile_api(
            {.routes =
                 {{.method = http::Method::put,
                   .path = "/api/v1/swarms/{swarmId:SwarmId}/bees/{n:int}",
                   .id = "putBee",
                   .summary = "Replaces a bee",
                   .tag = "swarms",
                   .access = Access::needs(Area::system, Level::write),
                   .handler = SyncHandler{[](const Call&) { return http::Response{}; }},
                   .query =
                       {{.name = "dry",
                         .kind = ParameterKind::flag,
                         .description = "only check",
                         .fallback = false}},
                   .request =
                       Content{
                           .schema = {{"$ref", "#/components/schemas/Bee"}},
                           .example = {{"role", "scout"}}},
                   .answers = {{200, "Done"}},
                   .idempotency = Idempotency::required}},
             .options =
                 {.schemas =
                      {{"Bee",
                        {{"type", "object"},
                         {"required", {"role"}},
                         {"properties", {{"role", {{"type", "string"}}}}}}}}},
             .info = {"Hive", "1"}},
            {health, metrics, text});
        REQUIRE_MESSAGE(compiled, compiled.error().detail);
        table = std::make_unique<RouteTable>(std::move(*compiled));
        document = *parse_json(*text);
    }

    Health health;
    MetricRegistry metrics;
    OpenApiText text = std::make_shared<std::string>();
    std::unique_ptr<RouteTable> table;
    json::value document;
};

std::string without_kinds(std::string path) {
    for (std::size_t colon = path.find(':'); colon != path.npos; colon = path.find(':')) {
        path.erase(colon, path.find('}', colon) - colon);
    }
    return path;
}

} // namespace

TEST_CASE("what is in the table is in the document, and nothing else is") {
    const Sample sample;
    std::set<std::string> declared;
    for (const Route& route : sample.table->routes()) {
        std::string method{name_of(route.method)};
        std::ranges::transform(method, method.begin(), [](unsigned char c) {
            return static_cast<char>(std::tolower(c));
        });
        declared.insert(method + " " + without_kinds(route.path));
    }
    std::set<std::string> documented;
    for (const auto& path : sample.document.at("paths").as_object()) {
        for (const auto& operation : path.value().as_object()) {
            documented.insert(std::string{operation.key()} + " " + std::string{path.key()});
        }
    }
    CHECK(declared == documented);
    CHECK(documented.contains("get /api/openapi.json"));
}

TEST_CASE("an operation carries its parameters, schemas, answers and rule") {
    const Sample sample;
    const auto& operation =
        sample.document.at("paths").at("/api/v1/swarms/{swarmId}/bees/{n}").at("put").as_object();
    const auto& parameters = operation.at("parameters").as_array();
    REQUIRE(parameters.size() == 4);
    CHECK(parameters[0].at("name") == "swarmId");
    CHECK(parameters[0].at("in") == "path");
    CHECK(parameters[1].at("schema").at("type") == "integer");
    CHECK(parameters[2].at("schema").at("default") == false);
    CHECK(parameters[3].at("name") == "Idempotency-Key");
    CHECK(parameters[3].at("required") == true);
    CHECK(
        operation.at("x-hive-access") ==
        json::value{{"roles", {"admin"}}, {"scope", "system:write"}});
    CHECK(operation.at("responses")
              .at("default")
              .at("content")
              .as_object()
              .contains("application/problem+json"));
    const auto& open = sample.document.at("paths").at("/healthz").at("get").as_object();
    CHECK(open.at("security").as_array().empty());
}

TEST_CASE("every reference in the document leads somewhere") {
    const Sample sample;
    const auto& schemas = sample.document.at("components").at("schemas").as_object();
    CHECK(schemas.contains("Problem"));
    std::size_t found = 0;
    std::size_t at = 0;
    const std::string mark = "\"#/components/schemas/";
    while ((at = sample.text->find(mark, at)) != std::string::npos) {
        at += mark.size();
        CHECK(schemas.contains(sample.text->substr(at, sample.text->find('"', at) - at)));
        ++found;
    }
    CHECK(found > 5);
    CHECK(sample.document.at("openapi") == "3.1.0");
}
