#include "api/schema.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

namespace {

json::value parsed(std::string_view text) {
    auto value = parse_json(text);
    REQUIRE(value);
    return std::move(*value);
}

const json::object components{
    {"Name", {{"type", "string"}, {"minLength", 1}, {"maxLength", 5}}},
    {"Tree",
     {{"type", "object"},
      {"properties",
       {{"children", {{"type", "array"}, {"items", {{"$ref", "#/components/schemas/Tree"}}}}}}},
      {"additionalProperties", false}}}};

std::vector<FieldProblem> problems(std::string_view schema, std::string_view value) {
    REQUIRE(check_schema(parsed(schema), components));
    return validate(parsed(schema), parsed(value), components);
}

} // namespace

TEST_CASE("each keyword accepts what it should and refuses the rest") {
    struct Case {
        std::string_view schema;
        std::string_view good;
        std::string_view bad;
    };
    for (const auto& [schema, good, bad] : std::vector<Case>{
             {R"({"type":"integer"})", "1", "1.5"},
             {R"({"type":"number"})", "1.5", R"("1")"},
             {R"({"type":["string","null"]})", "null", "1"},
             {R"({"type":"boolean"})", "true", "0"},
             {R"({"enum":["a",2]})", "2", R"("b")"},
             {R"({"const":{"a":1}})", R"({"a":1})", R"({"a":2})"},
             {R"({"minLength":2})", R"("äö")", R"("ä")"},
             {R"({"maxLength":2})", R"("äö")", R"("äöü")"},
             {R"({"minimum":1,"maximum":3})", "3", "4"},
             {R"({"minItems":1})", "[1]", "[]"},
             {R"({"maxItems":1})", "[1]", "[1,2]"},
             {R"({"items":{"type":"string"}})", R"(["a"])", "[1]"},
             {R"({"required":["a"]})", R"({"a":null})", "{}"},
             {R"({"properties":{"a":{"type":"string"}}})", R"({"a":"","b":1})", R"({"a":1})"},
             {R"({"properties":{"a":{}},"additionalProperties":false})", R"({"a":1})",
              R"({"b":1})"},
             {R"({"additionalProperties":{"type":"integer"}})", R"({"a":1})", R"({"a":"x"})"},
             {R"({"maxProperties":1})", R"({"a":1})", R"({"a":1,"b":2})"},
             {R"({"oneOf":[{"type":"string"},{"type":"integer","minimum":5}]})", R"("x")", "4"},
             {R"({"oneOf":[{"minimum":1},{"minimum":2}]})", "1", "3"},
             {R"({"anyOf":[{"minimum":1},{"minimum":2}]})", "3", "0"},
             {R"({"$ref":"#/components/schemas/Name"})", R"("abc")", R"("abcdef")"},
             {"false", R"("unreached")", "1"}}) {
        CAPTURE(schema);
        CHECK_FALSE(problems(schema, bad).empty());
        if (schema != "false") CHECK(problems(schema, good).empty());
    }
}

TEST_CASE("all problems are reported at once, each with its place") {
    const auto found = problems(
        R"({"type":"object","required":["a/b"],"additionalProperties":false,
            "properties":{"a/b":{},"list":{"items":{"type":"integer"}}}})",
        R"({"list":[1,"x",2,null],"more":1})");
    REQUIRE(found.size() == 4);
    CHECK(found[0] == FieldProblem{"/a~1b", "is required"});
    CHECK(found[1].pointer == "/list/1");
    CHECK(found[2].pointer == "/list/3");
    CHECK(found[3] == FieldProblem{"/more", "is not a known field"});
}

TEST_CASE("problems and recursion are bounded") {
    std::string many = "[";
    for (int i = 0; i < 1000; ++i) many += "1,";
    CHECK(problems(R"({"items":{"type":"string"}})", many + "1]").size() == 32);
    CHECK(
        problems(
            R"({"$ref":"#/components/schemas/Tree"})", R"({"children":[{"children":[{"x":1}]}]})")
            .front()
            .pointer == "/children/0/children/0/x");
}

TEST_CASE("a schema that could not be checked is refused") {
    for (const std::string_view bad :
         {R"({"patternProperties":{}})", R"({"properties":{"a":{"not":{}}}})",
          R"({"$ref":"#/components/schemas/Missing"})", R"({"$ref":"other.json"})",
          R"({"items":{"allOf":[]}})", R"({"oneOf":[]})", "5"}) {
        CAPTURE(bad);
        CHECK_FALSE(check_schema(parsed(bad), components));
    }
}

TEST_CASE("of the schemas that others refer to, one that could not be checked is named") {
    CHECK(check_components(components));
    const auto refused =
        check_components({{"Name", {{"type", "string"}}}, {"Odd", {{"not", {{"type", "null"}}}}}});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().detail == "schema Odd: schema keyword 'not' is not supported");
}
