#include "mock/routes_yaml.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::mock;
using namespace std::chrono_literals;

namespace {

struct Read {
    std::vector<Route> routes{};
    std::vector<Finding> findings{};
};

Read read(std::string_view text) {
    const auto document = parse_yaml("mock.yaml", text);
    REQUIRE(document.findings.empty());
    Read out;
    out.routes = read_routes(document.root, {.body = "usual"}, "mock.yaml", out.findings);
    return out;
}

} // namespace

TEST_CASE("a route says what differs from the usual answer") {
    const Read got = read(R"(
- path: /orders
  method: POST
  status: [201, 201, 503]
  body: '{"order":{count}}'
  delay: normal(5ms,1ms)
  error-ratio: 2%
  error-status: 429
- path: /slow/*
  delay: 1s
)");
    REQUIRE(got.findings.empty());
    REQUIRE(got.routes.size() == 2);
    const Route& orders = got.routes[0];
    CHECK(orders.method == "POST");
    CHECK(orders.does.statuses == std::vector<std::uint16_t>{201, 201, 503});
    CHECK(orders.does.body == R"({"order":{count}})");
    CHECK(orders.does.delay.kind == Delay::Kind::normal);
    CHECK(orders.does.error_ratio.value == doctest::Approx(0.02));
    CHECK(orders.does.error_status == 429);
    CHECK(got.routes[1].does.body == "usual");
    CHECK(got.routes[1].does.delay.first == 1s);
}

TEST_CASE("everything that is wrong in a file is told with its place") {
    const Read got = read(R"(
- path: orders
  stauts: 200
- delay: soon
- 5
- path: /x
  status: 99
  error-ratio: 200%
  content-type: "a\nb"
- path: /y
  status: []
)");
    const struct {
        std::size_t line;
        const char* part;
    } rows[] = {
        {2, "begins with '/'"},       {3, "no 'stauts'"},
        {4, "delay is 'soon'"},       {4, "no 'path'"},
        {5, "a route is a mapping"},  {7, "from 200 to 599"},
        {8, "error-ratio is '200%'"}, {9, "one line"},
        {11, "empty list"},
    };
    CHECK(got.findings.size() == std::size(rows));
    for (const auto& row : rows) {
        CAPTURE(row.part);
        bool found = false;
        for (const Finding& finding : got.findings) {
            found = found || (finding.at.line == row.line &&
                              finding.message.find(row.part) != std::string::npos);
        }
        CHECK(found);
    }
    CHECK(got.findings[1].hint == "did you mean 'status'?");
    CHECK_FALSE(read("path: /x").findings.empty());
}

TEST_CASE("settings that do not go together are refused") {
    CHECK_FALSE(check(Settings{}).has_value());
    CHECK(check(Settings{.http = 0}).has_value());
    CHECK_FALSE(check(Settings{.http = 0, .capacity = 5, .threads = 2}).has_value());
    CHECK_FALSE(check(Settings{.http = 0, .usual = {.error_ratio = {0.6}, .lie_ratio = {0.6}}})
                    .has_value());
    CHECK(*parse_stall("5s:1s") == Stall{5s, 1s});
    for (const char* text : {"", "5s", ":", "5s:", "x:1s"}) CHECK_FALSE(parse_stall(text));
}
