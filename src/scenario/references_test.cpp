#include "scenario/references.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::scenario;

namespace {

std::string resolved(const std::string& text, bool is_template = false) {
    const Values values{
        .vars = {{"n", 5}, {"who", "ann"}, {"list", {1, 2}}},
        .endpoints = {{"default", {.kind = "http", .base_url = "http://x"}}}};
    const IsTemplate templates = [&](const std::string&) { return is_template; };
    json::value value = json::string{text};
    resolve(value, "", {values, templates, {}});
    return to_text(value);
}

} // namespace

TEST_CASE("a text that is one reference gets the value with its type") {
    CHECK(resolved("{{ vars.n }}") == "5");
    CHECK(resolved("{{vars.list}}") == "[1,2]");
    CHECK(resolved("{{ sut.endpoints['default'].baseUrl }}") == R"("http://x")");
    CHECK(resolved("{{ sut.endpoints[\"default\"].kind }}") == R"("http")");
    CHECK(resolved("{{ sut.endpoints.default.baseUrl }}") == R"("http://x")");
}

TEST_CASE("within other text a reference becomes text") {
    CHECK(resolved("a {{ vars.n }} b {{ vars.who }}") == R"("a 5 b ann")");
    CHECK(resolved("{{ sut.endpoints['default'].baseUrl }}/api") == R"("http://x/api")");
    CHECK(resolved("{{ vars.list }}!") == R"("[1,2]!")");
}

TEST_CASE("what says more than a reference, or means nothing, stays as it is") {
    for (const std::string text :
         {"{{ vars.n + 1 }}", "{{ payload }}", "{{ vars.n | upper }}", "{{ vars.nobody }}",
          "{{ sut.endpoints['x'].baseUrl }}", "{{ vars.n", "{{ sut.endpoints['default'] }}",
          "{{ sut.endpoints['default'].baseUrl.x }}"}) {
        std::string quoted;
        append_json_string(quoted, text);
        CHECK(resolved(text) == quoted);
    }
}

TEST_CASE("a template keeps its variables for whoever renders it, but not its endpoints") {
    CHECK(resolved("{{ vars.n }}", true) == R"("{{ vars.n }}")");
    CHECK(
        resolved("{{ vars.n }} {{ sut.endpoints['default'].baseUrl }}", true) ==
        R"("{{ vars.n }} http://x")");
}
