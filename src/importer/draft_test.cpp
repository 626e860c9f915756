#include "importer/bundle_text.hpp"
#include "importer/curl.hpp"
#include "importer/har.hpp"
#include "importer/openapi.hpp"
#include "importer/request_url.hpp"
#include "importer/yaml_text.hpp"
#include "kernel/yaml.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::importer;

namespace {

std::string sample(std::string_view name) {
    std::ifstream file{hive::tests::in_source(fmt::format("tests/fuzz/corpus/{}", name))};
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>{file}, {}};
}

const Call& call_of(const Draft& draft, std::string_view id) {
    const auto found = std::ranges::find(draft.calls, id, &Call::id);
    REQUIRE_MESSAGE(found != draft.calls.end(), id);
    return *found;
}

std::string header_of(const Call& call, std::string_view name) {
    const auto found = std::ranges::find_if(
        call.headers, [&](const Header& header) { return lower(header.name) == name; });
    return found == call.headers.end() ? "(none)" : found->value;
}

bool has_note(const Draft& draft, std::string_view part) {
    return std::ranges::any_of(
        draft.notes, [&](const std::string& note) { return note.find(part) != note.npos; });
}

std::vector<std::string> ids_of(const Draft& draft) {
    std::vector<std::string> out;
    for (const Call& call : draft.calls) out.push_back(call.id);
    return out;
}

} // namespace

TEST_SUITE("importer") {
    TEST_CASE("a recording gives its calls to the host that was called most, in their order") {
        const auto draft = read_har(sample("har/shop"), {.skip_static = true});
        REQUIRE_MESSAGE(draft.has_value(), draft.error().detail);
        CHECK(draft->base_url == "https://shop.example");
        CHECK(ids_of(*draft) == std::vector<std::string>{"get-products", "post-cart", "post-pay"});
        CHECK(draft->calls[0].path == "/products?page=2");
        CHECK(draft->calls[0].headers.size() == 2); // accept and authorization
        CHECK(draft->calls[1].body == R"({"item":7,"note":"{{ not a template }}"})");
        CHECK(draft->calls[2].body == "a%20b=1%262");
        CHECK(has_note(*draft, "left out: 1 for images"));
        CHECK(has_note(*draft, "left out: 1 that a browser sends ahead"));
        CHECK(has_note(*draft, "left out: 1 that are not HTTP"));
        CHECK(has_note(*draft, "left out: 1 to https://cdn.example"));
        CHECK(read_har(sample("har/shop")).value().calls.size() == 4);
        CHECK(read_har(sample("har/shop"), {.host = "cdn.example"})->calls.size() == 1);
        CHECK(!read_har(sample("har/shop"), {.host = "nobody"}).has_value());
        CHECK(read_har("{}").error().detail == "no HAR: it has no log.entries");
    }

    TEST_CASE("an API description gives a call for each operation, with bodies that fit") {
        const auto draft = read_openapi(sample("openapi/pets.yaml"));
        REQUIRE_MESSAGE(draft.has_value(), draft.error().detail);
        CHECK(draft->title == "Pets");
        CHECK(draft->base_url == "https://eu.pets.example");
        CHECK(draft->calls.size() == 4);
        CHECK(call_of(*draft, "listPets").path == "/v1/pets?limit=5");
        const Call& create = call_of(*draft, "createPet");
        CHECK(create.method == "POST");
        CHECK(header_of(create, "content-type") == "application/json");
        CHECK(header_of(create, "authorization").empty()); // known to be needed, not what it is
        CHECK(create.body.starts_with(
            R"({"name":"Rex","born":"2026-01-20","tags":["small"],"weight":0.5,"mother":{"name")"));
        const Call& one = call_of(*draft, "get-pets-id");
        CHECK(one.path == "/v1/pets/3fa85f64-5717-4562-b3fc-2c963f66afa6");
        CHECK(header_of(call_of(*draft, "delete-pets-id"), "authorization") == "(none)");
    }

    TEST_CASE("version 3.1 as JSON is read as well, and what leads nowhere is noted") {
        const auto draft = read_openapi(sample("openapi/three_one.json"));
        REQUIRE_MESSAGE(draft.has_value(), draft.error().detail);
        const Call& login = call_of(*draft, "post-login");
        CHECK(login.path == "/api/login");
        CHECK(login.body == "user=ada&pin=42");
        CHECK(header_of(login, "x-api-key").empty());
        const Call& query = call_of(*draft, "get-q");
        CHECK(query.path == "/api/q?p%20q=true");
        CHECK(header_of(query, "x") == "{{ 1 }}");
        CHECK(has_note(*draft, "names no server"));
        CHECK(has_note(*draft, "'other.yaml#/x' leads nowhere"));
        CHECK(read_openapi(sample("openapi/circle")).has_value());
        CHECK(read_openapi(sample("openapi/swagger_2")).error().detail.find("Swagger 2") == 8);
    }

    TEST_CASE("curl commands give what curl would send") {
        const auto draft = read_curl(sample("curl/several"));
        REQUIRE_MESSAGE(draft.has_value(), draft.error().detail);
        CHECK(draft->base_url == "https://shop.example");
        REQUIRE(draft->calls.size() == 4);
        CHECK(draft->calls[0].method == "POST");
        CHECK(draft->calls[0].path == "/cart?x=1");
        CHECK(draft->calls[0].body == "{\"name\":\"O'Neil\",\"n\":\"\u00e9\"}");
        CHECK(header_of(draft->calls[0], "cookie") == "sid=1");
        CHECK(draft->calls[1].method == "PUT");
        CHECK(draft->calls[1].body == "a=1&b=two words");
        CHECK(header_of(draft->calls[1], "content-type") == "application/x-www-form-urlencoded");
        CHECK(draft->calls[2].method == "HEAD");
        CHECK(header_of(draft->calls[3], "content-type") == "application/json");
        CHECK(header_of(draft->calls[3], "authorization") == "Basic YWRhOnNlY3JldA==");
        CHECK(has_note(*draft, "left out: calls to http://shop.example:80"));
        const auto left_out = read_curl(sample("curl/left_out"));
        CHECK(has_note(left_out.value(), "the file 'body.json'"));
        CHECK(has_note(left_out.value(), "--form"));
        CHECK(has_note(left_out.value(), "verifyTls"));
        CHECK(
            read_curl(sample("curl/open_quote")).error().detail.find("line 1") !=
            std::string::npos);
        CHECK(read_curl("wget http://h/").error().code == Errc::invalid);
    }

    TEST_CASE("nothing secret is in the files, and where it comes from is noted") {
        auto draft = read_har(sample("har/shop"), {.skip_static = true}).value();
        const Files files = bundle_of(draft, {.id = "shop", .origin = "x"});
        for (const auto& [name, text] : files) {
            CHECK_MESSAGE(text.find("abc.def") == text.npos, name);
            CHECK_MESSAGE(text.find("sid=1") == text.npos, name);
        }
        CHECK(files.at("variables.yaml").find("{env:SHOP_AUTHORIZATION}") != std::string::npos);
        CHECK(
            files.at("templates/http/default/get-products.yaml").find("{{ vars.authorization }}") !=
            std::string::npos);
        CHECK(has_note(draft, "set SHOP_COOKIE in the environment"));
        auto one = read_curl("curl -H 'X-Api-Key: k1' http://h/a").value();
        const Files alone = bundle_of(one, {.id = "one", .origin = "x"});
        CHECK(alone.size() == 2);
        CHECK(alone.at("scenario.yaml").find("{env:ONE_X_API_KEY}") != std::string::npos);
        CHECK(alone.at("scenario.yaml").find("k1") == std::string::npos);
    }

    TEST_CASE("any text reads back from YAML as it was, and is no template of its own") {
        for (const std::string text :
             {"", "plain", "/a/b-c.d", "true", "no", "12", "a: b", "it's \"so\"", "line\nbreak\t",
              "caf\u00e9 \\ ", "# no comment", "{\"a\": 1}", "- x", "\x01"}) {
            CAPTURE(text);
            const auto document = parse_yaml("x", "a: " + yaml_scalar(text) + "\n");
            REQUIRE(document.findings.empty());
            CHECK(document.root.find("a")->text == text);
        }
        CHECK(as_template("a {b} c") == "a {b} c");
        CHECK(
            as_template("{{ x }}{%{#{env:A}") ==
            "{{ '{' }}{ x }}{{ '{' }}%{{ '{' }}#{{ '{' }}env:A}");
    }

    TEST_CASE("names of calls are short and their own") {
        CHECK(call_name("GET", "/") == "get-root");
        CHECK(call_name("DELETE", "/a//b%20c/?x=1") == "delete-a-b-20c");
        Draft draft;
        for (int i = 0; i < 3; ++i) add_call(draft, {.path = "/a"});
        CHECK(ids_of(draft) == std::vector<std::string>{"get-a", "get-a-2", "get-a-3"});
        for (std::size_t i = 0; i < calls_max; ++i) add_call(draft, {});
        CHECK(draft.calls.size() == calls_max);
        CHECK(draft.notes.size() == 1);
    }

    TEST_CASE("a header whose name HTTP does not allow is left out and told") {
        auto draft = read_curl(
            "curl -H 'fine: 1' -H '" + std::string(1100, 'a') + ": 2' -H 'not fine: 3' -H '" +
            std::string(300, '\x01') + ": 4' http://shop.example/");
        REQUIRE_MESSAGE(draft.has_value(), draft.error().detail);
        const Files files = bundle_of(*draft, {.id = "shop", .origin = "Made by hand."});
        CHECK(has_note(*draft, "left out: 3 headers"));
        const std::string& text = files.at("scenario.yaml");
        CHECK(parse_yaml("scenario.yaml", text).findings.empty());
        CHECK(text.find("fine: \"1\"") != text.npos);
        CHECK(text.find("aaaa") == text.npos);
    }
}
