#include "template/limits.hpp"
#include "tests/support/rendering.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::templates;

namespace {

std::string
nested(std::string_view open, std::string_view inner, std::string_view close, int depth) {
    std::string out;
    for (int i = 0; i < depth; ++i) out += open;
    out += inner;
    for (int i = 0; i < depth; ++i) out += close;
    return out;
}

bool says(const std::string& text, std::string_view part) {
    CAPTURE(text);
    return text.starts_with("error:") && text.find(part) != text.npos;
}

} // namespace

TEST_CASE("a template that is too long or nested too deep is refused") {
    Rendering render;
    CHECK(says(render(std::string(300'000, 'x')), "300000 bytes; at most 262144"));
    CHECK(says(render("{{ " + nested("(", "1", ")", 5000) + " }}"), "more than 128 deep"));
    CHECK(says(render("{{ " + nested("[", "1", "]", 5000) + " }}"), "more than 128 deep"));
    CHECK(says(render("{{ " + nested("1 ? 1 : ", "1", "", 5000) + " }}"), "more than 128 deep"));
    CHECK(says(render("{{ " + nested("- ", "1", "", 5000) + " }}"), "more than 128 deep"));
    CHECK(says(render(nested("{% if 1 %}", "", "{% endif %}", 200)), "more than 128 deep"));
    CHECK(render("{{ " + nested("(", "1", ")", 40) + " }}") == "1");
    CHECK(render(nested("{% if 1 %}", "x", "{% endif %}", 100)) == "x");
}

TEST_CASE("every bound of a render is an error that names it") {
    Rendering render{
        {.output_bytes = 1000, .memory_bytes = 100'000, .loop_rounds = 50, .steps = 5000}};
    CHECK(says(render("{% for i in 1..50 %}{{ payload }}{% endfor %}"), "longer than 1000 bytes"));
    CHECK(says(
        render("{% for i in 1..50 %}{% for j in 1..50 %}{% endfor %}{% endfor %}"),
        "more than 50 rounds"));
    CHECK(says(render("{{ 1..1000 }}"), "a range of more than 50 numbers"));
    CHECK(says(
        render("{% set x = payload %}{% for i in 1..30 %}{% set x = x ~ x %}{% endfor %}"),
        "memory_bytes"));
    CHECK(says(
        render("{% set x = 1 %}{% for i in 1..50 %}{% set x = [x, x, x, x, x, x, x, x, x, x, x, x, "
               "x, x, x,"
               " x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, "
               "x, x, x, x,"
               " x, x, x, x, x, x, x, x, x, x, x, x, x, x] %}{% endfor %}"),
        "more than 5000 steps"));
    CHECK(render("still {{ 'fine' }}") == "still fine");
}

TEST_CASE("values that contain themselves many times over cost no more than the bound") {
    Rendering render;
    const std::string twice =
        "{% set x = [1] %}{% for i in 1..60 %}{% set x = [x, x] %}{% endfor %}";
    CHECK(says(render(twice + "{{ x }}"), "steps"));
    CHECK(says(
        render(twice + "{{ x == x ~ '' or x == [x] }}{% set y = x %}{{ [x] == [y] }}"), "steps"));
    CHECK(says(
        render("{% set x = 1 %}{% for i in 1..1000 %}{% set x = [x] %}{% endfor %}{{ x }}"),
        "nested more than 64 deep"));
}

TEST_CASE("texts that almost match are searched, compared and sorted within the bound") {
    Rendering render;
    const std::string long_text =
        "{% set x = 'aaaaaaaa' %}{% for i in 1..19 %}{% set x = x ~ x %}{% endfor %}"
        "{% set y = (x | slice(0, 2000000)) ~ 'b' %}";
    CHECK(render(long_text + "{{ x contains y }}") == "false");
    CHECK(render(long_text + "{{ x | replace(y, '') | length }}") == "4194304");
    CHECK(says(
        render(long_text + "{% for i in 1..10000 %}{% set z = x | length %}{% endfor %}"),
        "steps"));
    CHECK(says(
        render(long_text + "{% for i in 1..10000 %}{% set z = x < y %}{% endfor %}"), "steps"));
    CHECK(says(
        render(
            long_text +
            "{% for i in 1..10000 %}{% set z = regex_match(x, '(a?){100}b') %}{% endfor %}"),
        "steps"));
    CHECK(says(
        render(
            long_text +
            "{{ [x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y, x, y] | sort | length }}"),
        "steps"));
}

TEST_CASE("evals of evals end") {
    Rendering render;
    render.bind("sut", R"t({"again":"eval(sut.again)"})t");
    CHECK(says(render("{{ eval(sut.again) }}"), "more than 8 evals"));
}

TEST_CASE("many different texts to eval and patterns do not fill the memory") {
    Rendering render;
    for (int i = 0; i < 1000; ++i) {
        const std::string number = std::to_string(i);
        CHECK(render("{{ eval('" + number + " ' ~ '+ 1') }}") == std::to_string(i + 1));
        CHECK(render("{{ regex_match('a" + number + "', 'a' ~ '" + number + "') }}") == "true");
    }
}

TEST_CASE("a text from an eval outlives the eval's place in the cache") {
    Rendering render;
    CHECK(
        render("{% set kept = '' %}{% for i in 1..600 %}{% set t = eval(\"'the text number \" ~ i "
               "~ \"'\") %}"
               "{% if i == 1 %}{% set kept = t %}{% endif %}{% endfor %}{{ kept }}") ==
        "the text number 1");
}

TEST_CASE("a payload too long to be read is an error, not a wait") {
    Rendering render{{.payload_bytes = 10}};
    CHECK(says(render("{{ payload.id }}"), "longer than payload_bytes"));
    CHECK(render("{{ payload | length > 10 }}") == "true");
}
