#include "api/route_table.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;
using http::Method;

namespace {

Route route(Method method, std::string path) {
    static int next = 0;
    return {
        .method = method,
        .path = std::move(path),
        .id = "op" + std::to_string(next++),
        .summary = "does something",
        .tag = "test",
        .access = Access::open_to_all(),
        .handler = SyncHandler{[](const Call&) { return http::Response{}; }},
        .answers = {{200, "done"}}};
}

RouteTable table() {
    auto compiled = RouteTable::compile({
        route(Method::get, "/"),
        route(Method::get, "/api/v1/swarms"),
        route(Method::post, "/api/v1/swarms"),
        route(Method::get, "/api/v1/swarms/{swarmId:SwarmId}"),
        route(Method::remove, "/api/v1/swarms/{swarmId:SwarmId}"),
        route(Method::get, "/api/v1/swarms/mine"),
        route(Method::get, "/api/v1/swarms/{swarmId:SwarmId}/bees/{n:int}"),
        route(Method::get, "/api/v1/files/{name:text}"),
        route(Method::get, "/api/v1/runs/{run:uuid}"),
        route(Method::get, "/api/openapi.json"),
    });
    REQUIRE(compiled);
    return std::move(*compiled);
}

std::string problem_of_table(std::vector<Route> routes) {
    const auto compiled = RouteTable::compile(std::move(routes));
    return compiled ? "" : compiled.error().detail;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a path finds its route and its parameters") {
    const RouteTable routes = table();
    const Match match = routes.match(Method::get, "/api/v1/swarms/alpha/bees/12");
    REQUIRE(match.kind == Match::Kind::found);
    CHECK(routes.routes()[match.route].path == "/api/v1/swarms/{swarmId:SwarmId}/bees/{n:int}");
    CHECK(match.values.find("swarmId") == "alpha");
    CHECK(match.values.find("n") == "12");
    CHECK_FALSE(match.values.find("other"));
    CHECK(routes.match(Method::get, "/").kind == Match::Kind::found);
}

TEST_CASE("a fixed word wins over a parameter") {
    const RouteTable routes = table();
    const Match match = routes.match(Method::get, "/api/v1/swarms/mine");
    CHECK(routes.routes()[match.route].path == "/api/v1/swarms/mine");
}

TEST_CASE("the alias without a version leads to the same routes and hides nothing") {
    const RouteTable routes = table();
    CHECK(
        routes.match(Method::get, "/api/swarms/alpha").route ==
        routes.match(Method::get, "/api/v1/swarms/alpha").route);
    const Match own = routes.match(Method::get, "/api/openapi.json");
    CHECK(routes.routes()[own.route].path == "/api/openapi.json");
    const Match escaped = routes.match(Method::get, "/api/files/a%20b");
    CHECK(routes.match(Method::get, "/api/%66iles/x").kind == Match::Kind::found);
    CHECK(escaped.values.find("name") == "a b");
    CHECK(routes.match(Method::get, "/api/v1/v1/swarms").kind == Match::Kind::no_path);
}

TEST_CASE("what does not exist is told from what exists with other methods") {
    const RouteTable routes = table();
    for (const std::string_view path :
         {"/nothing", "/api/v1", "/api/v1/swarms/", "//", "/api/v1//swarms", "/api/v1/swarms/a/b",
          "/api/v1/swarms/mine/extra"}) {
        CAPTURE(path);
        CHECK(routes.match(Method::get, path).kind == Match::Kind::no_path);
    }
    const Match match = routes.match(Method::put, "/api/v1/swarms/alpha");
    CHECK(match.kind == Match::Kind::no_method);
    CHECK(match.allow == "GET, HEAD, DELETE, OPTIONS");
    CHECK(routes.match(Method::head, "/api/v1/swarms").kind == Match::Kind::found);
}

TEST_CASE("a parameter that breaks its kind is refused by name") {
    const RouteTable routes = table();
    struct Case {
        std::string_view path;
        std::string_view part;
    };
    for (const auto& [path, part] : std::vector<Case>{
             {"/api/v1/swarms/a.b", "swarmId"},
             {"/api/v1/swarms/ALL", "swarmId"},
             {"/api/v1/swarms/alpha/bees/x", "n must be"},
             {"/api/v1/runs/1234", "run must be"},
             {"/api/v1/files/%", "hexadecimal"},
             {"/api/v1/files/a%00b", "control"},
             {"/api/v1/files/%ff", "UTF-8"}}) {
        CAPTURE(path);
        const Match match = routes.match(Method::get, path);
        CHECK(match.kind == Match::Kind::bad_parameter);
        CHECK(contains(match.problem, part));
    }
}

TEST_CASE("an encoded slash stays inside its segment") {
    const RouteTable routes = table();
    const Match match = routes.match(Method::get, "/api/v1/files/a%2Fb");
    REQUIRE(match.kind == Match::Kind::found);
    CHECK(match.values.find("name") == "a/b");
}

TEST_CASE("a table with mistakes is refused with all of them") {
    Route silent = route(Method::get, "/silent");
    silent.handler = SyncHandler{};
    Route undocumented = route(Method::get, "/undocumented");
    undocumented.answers.clear();
    Route schema = route(Method::post, "/schema");
    schema.request = Content{.schema = {{"patternProperties", json::object{}}}, .example = {}};
    Route example = route(Method::post, "/example");
    example.request = Content{.schema = {{"type", "string"}}, .example = 5};
    const std::string problems = problem_of_table(
        {silent, undocumented, schema, example, route(Method::get, "/a/{x:nothing}"),
         route(Method::get, "no-slash"), route(Method::get, "/twice"), route(Method::get, "/twice"),
         route(Method::get, "/p/{a:id}"), route(Method::get, "/p/{b:id}/c"),
         route(Method::head, "/h")});
    for (const std::string_view part :
         {"/silent: has no handler", "/undocumented: documents no answer", "patternProperties",
          "/example: example: ", "'nothing' is not a kind", "a path starts with /",
          "/twice: is declared twice", "{b} is called {a}", "HEAD and OPTIONS"}) {
        CAPTURE(part);
        CHECK(contains(problems, part));
    }
}
