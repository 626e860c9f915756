#include "template/template.hpp"
#include "tests/support/rendering.hpp"

#include <doctest/doctest.h>

#include <span>

using namespace hive;
using namespace hive::templates;

namespace {

void check_all(std::span<const Row> rows) {
    Rendering render;
    for (const Row& row : rows) {
        CAPTURE(row.source);
        CHECK(render(row.source) == row.expected);
    }
}

constexpr Row literals[] = {
    {"", ""},
    {"plain { text } with } braces { {", "plain { text } with } braces { {"},
    {"{{ 'text' }}", "text"},
    {"{{ \"it's\" }}", "it's"},
    {"{{ 'it''s' }}", "it's"},
    {R"({{ 'it\'s' }})", "it's"},
    {R"({{ '\d+' }})", R"(\d+)"},
    {R"({{ '\\d' }})", R"(\d)"},
    {"{{ '' }}", ""},
    {"{{ '}}' }}", "}}"},
    {"{{ 12 }}", "12"},
    {"{{ 12L }}", "12"},
    {"{{ 1.50 }}", "1.5"},
    {"{{ 3.0 }}", "3"},
    {"{{ 1e3 }}", "1000"},
    {"{{ 1e300 }}", "1e+300"},
    {"{{ 9223372036854775807 }}", "9223372036854775807"},
    {"{{ true }} {{ false }}", "true false"},
    {"[{{ null }}]", "[]"},
    {"{{ [1, 'a', null, true] }}", R"([1,"a",null,true])"},
    {"{{ [] }}", "[]"},
    {"{{ {'a': 1, 'b': {'c': [2]}} }}", R"({"a":1,"b":{"c":[2]}})"},
    {"{{ {a: 1} }}", R"({"a":1})"},
    {"{{ {} }}", "{}"},
    {"{{ {'a': {'b': 1}}}}", R"({"a":{"b":1}})"},
};

constexpr Row operators[] = {
    {"{{ 1 + 2 * 3 }}", "7"},
    {"{{ (1 + 2) * 3 }}", "9"},
    {"{{ 7 / 2 }} {{ 7.0 / 2 }} {{ -7 / 2 }}", "3 3.5 -3"},
    {"{{ 7 % 3 }} {{ 7 mod 3 }} {{ 7 div 2 }}", "1 1 3"},
    {"{{ 2 ^ 10 }} {{ 2 ** 3 }} {{ 2 ^ -1 }}", "1024 8 0.5"},
    {"{{ 0.1 + 0.2 }}", "0.30000000000000004"},
    {"{{ -3 }} {{ - -3 }} {{ +3 }}", "-3 3 3"},
    {"{{ 1 - -1 }}", "2"},
    {"{{ '5' * '4' }}", "20"},
    {"{{ 'a' + 1 }} {{ 1 + 'a' }}", "a1 1a"},
    {"{{ [1] + 2 + [3, 4] }}", "[1,2,3,4]"},
    {"{{ 'a' ~ 1 ~ 2.5 ~ true ~ null }}", "a12.5true"},
    {"{{ 1 + 2 ~ 'x' }}", "12x"},
    {"{{ 'a' ~ 'b' | upper }}", "AB"},
    {"{{ 1 == 1 }} {{ 1 == 1.0 }} {{ 1 == '1' }} {{ 1 != 2 }}", "true true false true"},
    {"{{ 'a' < 'b' }} {{ 2 < 10 }} {{ '2' < '10' }} {{ '2' < 10 }}", "true true false true"},
    {"{{ 1 <= 1 }} {{ 1 >= 2 }} {{ 2 > 1 }}", "true false true"},
    {"{{ null < 1 }} {{ null == null }}", "false true"},
    {"{{ 1 lt 2 }} {{ 1 eq 1 }} {{ 2 ge 3 }} {{ 1 ne 1 }} {{ 1 le 1 }} {{ 1 gt 0 }}",
     "true true false false true true"},
    {"{{ [1, [2]] == [1, [2]] }} {{ {'a': 1} == {'a': 1.0} }}", "true true"},
    {"{{ {'a': 1, 'b': 2} == {'b': 2, 'a': 1} }} {{ [1] == [1, 2] }}", "true false"},
    {"{{ true and false }} {{ true or false }} {{ 1 and 'x' }}", "false true true"},
    {"{{ true && true }} {{ false || false }} {{ !true }}", "true false false"},
    {"{{ not false and true }} {{ not (1 == 2) }} {{ not 1 == 2 }}", "true true true"},
    {"{{ false and payload.x.y.z }}", "false"},
    {"{{ 1 < 2 ? 'y' : 'n' }}", "y"},
    {"{{ 0 ? 'a' : '' ? 'b' : 'c' }}", "c"},
    {"{{ null ?: 'e' }} {{ 'x' ?: 'e' }} {{ '' ?: 'e' }}", "e x e"},
    {"{{ null ?? 'd' }} {{ '' ?? 'd' }} {{ payload.nope ?? payload.id }}", "d  C1"},
    {"{{ missing ?? 'd' }}", "d"},
    {"{{ 'b' in 'abc' }} {{ 2 in [1, 2] }} {{ 'a' in {'a': 1} }} {{ 1 in null }}",
     "true true true false"},
    {"{{ 'abc' contains 'bc' }} {{ [1, 2] contains 3 }}", "true false"},
    {"{{ 'abc' matches 'a.c' }} {{ 'abcd' matches 'a.c' }}", "true false"},
    {"{{ 1..4 }} {{ 3..1 }} {{ 2..2 }}", "[1,2,3,4] [] [2]"},
    {"{{ now > null }} {{ now == now }}", "false true"},
};

constexpr Row members[] = {
    {"{{ payload }}", Rendering::payload},
    {"{{ payload.id }} {{ payload['id'] }} {{ payloadAsJson.id }}", "C1 C1 C1"},
    {"{{ payload.customer.city }} {{ payload.tags[1] }} {{ payload.tags.0 }}", "Ulm y x"},
    {"{{ payload.n + 1 }} {{ payload.price * 2 }} {{ payload.ok }} [{{ payload.none }}]",
     "8 5 true []"},
    {"{{ payload.big }}", "18446744073709551615"},
    {"{{ payload.customer }}", R"({"id":9,"city":"Ulm"})"},
    {"[{{ payload.nope }}{{ payload.nope.deeper }}{{ payload.tags[9] }}{{ payload.tags[-1] }}]",
     "[]"},
    {"{{ payload.customer?.city }} [{{ payload.nope?.city }}]", "Ulm []"},
    {"{{ headers['x-ph-seq'] }} {{ headers['x-ph-seq'] + 1 }}", "42 43"},
    {"{{ headers['x-ph-call-id'] }} {{ headers.flags.a[1] }} [{{ headers.nope }}]",
     "checkout 2 []"},
    {"{{ vars.loopCount }} {{ vars.customerId }} {{ vars.enabled }}", "3 K-9 false"},
    {"{{ sut.endpoints['default'].baseUrl }}/api", "http://sut:80/api"},
    {"{{ workItem.payload == payload }} {{ workItem.payload() == payload }}", "true true"},
    {"{{ workItem.headers['x-ph-seq'] }} {{ workItem.messageId }} {{ workItem.traceId }}",
     "42 m-1 t-1"},
    {"{{ workItem.steps | length }} {{ workItem.steps[0].payload == payload }} [{{ "
     "workItem.swarmId }}]",
     "1 true []"},
    {"{{ now }} {{ nowIso }}", "2026-01-20T12:34:56.789Z 2026-01-20T12:34:56.789Z"},
    {"{{ now.epochSecond }} {{ now.epochMilli }} {{ now.nano }}",
     "1768912496 1768912496789 789000000"},
    {"{{ headers }}", R"({"x-ph-seq":42,"x-ph-call-id":"checkout","flags":{"a":[1,2]}})"},
};

constexpr Row statements[] = {
    {"{% set x = 1 %}{{ x }}", "1"},
    {"{% set x = 1 %}{% set x = x + 1 %}{{ x }}", "2"},
    {"{% set payload = 'mine' %}{{ payload }}", "mine"},
    {"{% if 1 %}a{% endif %}{% if 0 %}b{% endif %}", "a"},
    {"{% if '' %}a{% elseif [] %}b{% elseif 'x' %}c{% else %}d{% endif %}", "c"},
    {"{% if null %}a{% else %}d{% endif %}", "d"},
    {"{% if true %}{% if false %}a{% else %}b{% endif %}c{% endif %}", "bc"},
    {"{% for i in [1, 2, 3] %}{{ i }},{% endfor %}", "1,2,3,"},
    {"{% for i in 1..3 %}{% for j in 1..i %}{{ i * j }} {% endfor %}{% endfor %}", "1 2 4 3 6 9 "},
    {"{% for i in [] %}x{% else %}none{% endfor %}", "none"},
    {"{% for i in [1] %}x{% else %}none{% endfor %}", "x"},
    {"{% for i in payload.nope %}x{% else %}none{% endfor %}", "none"},
    {"{% for e in payload.customer %}{{ e.key }}={{ e.value }};{% endfor %}", "id=9;city=Ulm;"},
    {"{% for h in headers %}{{ h.key }} {% endfor %}", "x-ph-seq x-ph-call-id flags "},
    {"{% for i in ['a', 'b'] %}{{ loop.index }}/{{ loop.length }}{{ loop.first }}{{ loop.last }}"
     "{{ loop.revindex }} {% endfor %}",
     "0/2truefalse1 1/2falsetrue0 "},
    {"{% for i in [1, 2] %}{% if not loop.last %}{{ i }},{% else %}{{ i }}{% endif %}{% endfor %}",
     "1,2"},
    {"{% set s = 0 %}{% for i in [1, 2, 3] %}{% set s = s + i %}{% endfor %}{{ s }}", "6"},
    {"{% for i in [1, 2, 3] %}{{ last ?? '-' }}{% set last = i %}{% endfor %}", "-12"},
    {"{% for i in [1, 2, 3] %}[{{ last }}]{% set last = i %}{% endfor %}", "[][1][2]"},
    {"{% set i = 9 %}{% for i in [1] %}{{ i }}{% endfor %}{{ i }}", "19"},
    {"a{# {{ nope }} #}b", "ab"},
    {"{% verbatim %}{{ x }}{% y %}{% endverbatim %}z", "{{ x }}{% y %}z"},
    {"a {{- 1 -}} b", "a1b"},
    {"a  {%- set x = 1 -%}  \n b", "ab"},
    {"{{ 1 }}\nb", "1b"},
    {"{{ 1 }}\n\nb", "1\nb"},
    {"{% set x = 1 %}\r\nb", "b"},
    {"{# c #}\nb", "b"},
    {"{{1}}{{2}}", "12"},
    {"{{\n  1\n  +\n  1\n}}", "2"},
};

constexpr Row tests[] = {
    {"{{ '' is empty }} {{ [] is empty }} {{ null is empty }} {{ 0 is empty }}",
     "true true true false"},
    {"{{ null is null }} {{ 1 is null }} {{ 1 is not null }}", "true false true"},
    {"{{ nope is defined }} {{ payload is defined }} {{ payload.nope is defined }}",
     "false true false"},
    {"{{ 2 is even }} {{ 2 is odd }} {{ 3 is not even }}", "true false true"},
    {"{{ {} is map }} {{ [] is map }} {{ [] is iterable }} {{ 1 is iterable }}",
     "true false true false"},
    {"{{ 1 is equalTo(1) }} {{ 'a' is string }} {{ 1 is number }}", "true true true"},
    {"{{ not nope is defined }} {{ nope is defined and nope > 1 }}", "true false"},
};

} // namespace

TEST_CASE("literals print as people write them") {
    check_all(literals);
}
TEST_CASE("operators bind and compute as documented") {
    check_all(operators);
}
TEST_CASE("payload, headers, variables and the item are there to look into") {
    check_all(members);
}
TEST_CASE("statements, comments and white space") {
    check_all(statements);
}
TEST_CASE("tests behind 'is'") {
    check_all(tests);
}

TEST_CASE("what scenarios write") {
    Rendering render;
    CHECK(
        render("{\n  \"customerId\": \"{{ vars.customerId }}\",\n  \"plusOne\": {{ "
               "eval(\"vars.loopCount + 1\") }},\n"
               "  \"enabled\": {{ vars.enabled }}\n}") ==
        "{\n  \"customerId\": \"K-9\",\n  \"plusOne\": 4,\n  \"enabled\": false}");
    CHECK(render("STX{{ payloadAsJson.id }}|{{ payloadAsJson.name }}ETX") == "STXC1|AdaETX");
    CHECK(
        render("number {{\n headers[\"x-ph-seq\"] }} at {{ headers.generatedAt\n }}!") ==
        "number 42 at !");
    const std::string first =
        render("{% set cust = pickWeighted('custA', 1, 'custB', 1) %}\n"
               "{% set card = eval(\"#randLong('4000000000000000','4999999999999999')\") %}\n"
               "{\"customerCode\":\"{{ cust }}\",\"card\":\"{{ card }}\",\"nonce\":\"{{ "
               "eval('#uuid()') }}\"}");
    Rendering again;
    CHECK(
        first ==
        again("{% set cust = pickWeighted('custA', 1, 'custB', 1) %}\n"
              "{% set card = eval(\"#randLong('4000000000000000','4999999999999999')\") %}\n"
              "{\"customerCode\":\"{{ cust }}\",\"card\":\"{{ card }}\",\"nonce\":\"{{ "
              "eval('#uuid()') }}\"}"));
    CHECK(first.starts_with("{\"customerCode\":\"cust"));
    CHECK(first.find("\"card\":\"4") != first.npos);
}

TEST_CASE("a template that is one expression yields its value") {
    Rendering render;
    const auto value = [&](std::string_view source) {
        const auto compiled = compile(source, {.names = Rendering::names});
        REQUIRE(compiled.has_value());
        const auto found = compiled->evaluate(render.context);
        REQUIRE(found.has_value());
        return to_text(*to_json(*found));
    };
    CHECK(value("{{ vars.loopCount }}") == "3");
    CHECK(value("{{ vars.enabled }}") == "false");
    CHECK(value("{{ vars.list }}") == "[3,1,2]");
    CHECK(value("{{ vars.loopCount }} ") == "\"3 \"");
    CHECK(value("{{ 'text' }}") == "\"text\"");
    CHECK(value("{{ vars.nope }}") == "null");
    CHECK(
        value("{{ headers }}") ==
        R"({"x-ph-seq":42,"x-ph-call-id":"checkout","flags":{"a":[1,2]}})");
    CHECK(value("{% if true %}{{ 1 }}{% endif %}") == "\"1\"");
}

TEST_CASE("the item's header gives the variables when the context binds none") {
    Random random{1};
    LocalSequences sequences;
    SeededStreams streams;
    Context context{{random, sequences, streams}};
    wire::WorkItem item;
    item.headers.set("vars", wire::HeaderValue::json(R"({"a":[5]})"));
    item.steps.push_back({.payload = "aGVsbG8=", .encoding = wire::Encoding::base64});
    context.start(item, Timestamp{});
    std::string out;
    REQUIRE(
        compile("{{ vars.a[0] }} {{ payload }} {{ payloadAsJson is null }}")->render(context, out));
    CHECK(out == "5 hello true");
}

TEST_CASE("a new item is seen by the next render") {
    Rendering render;
    CHECK(render("{{ payload.id }}") == "C1");
    render.context.start({.payload = R"({"id":"C2"})", .now = render.now});
    CHECK(render("{{ payload.id }}{{ headers }}{{ workItem }}") == "C2");
    render.context.start({.payload = "not JSON", .now = render.now});
    CHECK(
        render("[{{ payload.id }}] {{ payloadAsJson is null }} {{ payload }}") ==
        "[] true not JSON");
}

TEST_CASE("what is constant is known to be") {
    CHECK(compile("plain {{ 'text' }}")->is_constant());
    CHECK_FALSE(compile("{{ uuid() }}")->is_constant());
    CHECK(compile("{{ uuid() }}")->is_expression());
    CHECK_FALSE(compile(" {{ uuid() }}")->is_expression());
}
