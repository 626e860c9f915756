#include "template/function.hpp"
#include "tests/support/rendering.hpp"

#include <doctest/doctest.h>

#include <set>
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

constexpr Row functions[] = {
    {"{{ randInt(5, 5) }} {{ randLong('7', '7') }} {{ eval('#randInt(5,5)') }}", "5 7 5"},
    {"{{ randInt(1, 3) in [1, 2, 3] }}", "true"},
    {"{{ randLong('-9223372036854775808', '9223372036854775807') is number }}", "true"},
    {"{{ uuid() | length }} {{ regex_match(uuid(), '^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-') }}",
     "36 true"},
    {"{{ md5_hex('abc') }}", "900150983cd24fb0d6963f7d28e17f72"},
    {"{{ sha256_hex('abc') }}", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"{{ hmac_sha256_hex('key', 'The quick brown fox jumps over the lazy dog') }}",
     "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"},
    {"{{ base64_encode('hello') }} {{ base64_decode('aGVsbG8=') }} {{ base64_encode('') }}",
     "aGVsbG8= hello "},
    {"{{ regex_match('a\nb', 'a.b') }} {{ regex_match('abc', '^b') }} {{ regex_match(null, '.') }}",
     "true false false"},
    {"{{ regex_extract('order 4711!', '(\\d+)', 1) }} {{ regex_extract('order 4711!', 'r(d)(e)', "
     "2) }}",
     "4711 e"},
    {"{{ regex_extract('abc', 'b', 0) }}{{ regex_extract('abc', 'x', 0) }}{{ regex_extract('abc', "
     "'b', 7) }}",
     "b"},
    {"{{ regex_extract('id=7', 'id=(?<number>.)') }} {{ regex_extract('abc', 'b.') }}", "7 bc"},
    {"{{ regex_extract('a.b', payload.id ~ '|a\\.(.)', 1) }}", "b"},
    {"{{ json_path(payload, '/customer/city') }} {{ json_path(payloadAsJson, '/tags/1') }}",
     "Ulm y"},
    {"{{ json_path(payload, '/customer') }} [{{ json_path(payload, '/no/pe') }}]",
     R"({"id":9,"city":"Ulm"} [])"},
    {"{{ json_path('{\"a/b\":{\"m~n\":1}}', '/a~1b/m~0n') }} [{{ json_path('no', '/a') }}]",
     "1 []"},
    {"{{ json_path('[1,[2]]', '') }} {{ json_path('[1,[2]]', '/1/0') }}{{ json_path('[1]', '/01') "
     "}}",
     "[1,[2]] 2"},
    {"{{ date_format(now, 'yyyy-MM-dd HH:mm:ss') }}", "2026-01-20 12:34:56"},
    {"{{ date_format('2020-02-29T01:02:03Z', 'd.M.yy') }} {{ date_format(null, 'yyyy') }}",
     "29.2.20 2026"},
    {"{{ datetime_offset('+2d', 'MM-dd') }} {{ datetime_offset('-1y', 'yyyy') }}", "01-22 2025"},
    {"{{ sequence('s', 'numeric', '%03d') }} {{ sequence('s', 'numeric', '%03d') }}", "001 002"},
    {"{{ sequence('s', 'alpha', '%2S') }} {{ resetSequence('s') }} {{ resetSequence('s') }}",
     "AD true false"},
    {"{% for i in 1..4 %}{{ sequenceWith('w', 'numeric', '%d', 8, 10) }} {% endfor %}",
     "8 9 10 8 "},
    {"{{ pickWeighted('a', 0, 'b', 3) }} {{ pickWeighted(1, '2') + 1 }}", "b 2"},
    {"{{ max(1, 3, 2) }} {{ min([4, 2.5]) }} {{ range(1, 3) }} {{ range(0, 10, 5) }}",
     "3 2.5 [1,2,3] [0,5,10]"},
    {"{{ max('a', 'b') }} [{{ max([]) }}]", "b []"},
};

constexpr Row evals[] = {
    {"{{ eval('1 + 1') }}", "2"},
    {"{{ eval(\"#sha256_hex('abc')\") | slice(0, 4) }}", "ba78"},
    {"{{ eval(\"vars.loopCount > 2 ? 'many' : 'few'\") }}", "many"},
    {"{{ eval(\"headers['x-ph-seq'] * 2\") }}", "84"},
    {"{{ eval('payloadAsJson.customer.id') }} {{ eval('payload.n eq 7 and not vars.enabled') }}",
     "9 true"},
    {"{{ eval(\"vars.nope ?: 'none'\") }} {{ eval('nowIso') }}", "none 2026-01-20T12:34:56.789Z"},
    {"{{ eval(\"'it''s'\") }} {{ eval('{1, 2}') }} {{ eval('{a: 1}') }} {{ eval('{}') }} {{ "
     "eval('{1}') }}",
     R"(it's [1,2] {"a":1} {} [1])"},
    {R"({{ eval("'\\d'") }} {{ eval("'a' + \"b\"") }})", R"(\d ab)"},
    {"{% set x = 20 %}{{ eval('x + 1') }} {{ eval('#x + 2') }}", "21 22"},
    {"{% set op = '+' %}{{ eval('1 ' ~ op ~ ' 1') }} {{ eval('vars.loop' ~ 'Count') }}", "2 3"},
    {"{% set y = 5 %}{{ eval('y' ~ ' * 2') }} {{ eval(7) }} {{ eval('nope' ~ ' ?? 1') }}",
     "10 7 1"},
    {"{% for i in [1, 2] %}{{ eval('i ' ~ '+ 1') }} {% endfor %}", "2 3 "},
    {"{{ eval(\"eval('1 + 2') + 3\") }} {{ eval(\"#date_format(now, 'yyyy''y''')\") }}", "6 2026y"},
};

constexpr Row filters[] = {
    {"{{ 'aé' | upper }} {{ 'AB' | lower }} [{{ ' a b ' | trim }}]", "Aé ab [a b]"},
    {"{{ 'hello world' | capitalize }} {{ 'hello world' | title }}", "Hello world Hello World"},
    {"{{ nope | default('d') }} {{ '' | default('d') }} {{ 0 | default('d') }} {{ payload.a.b | "
     "default(1) }}",
     "d d 0 1"},
    {"{{ 'aé' | length }} {{ [1, 2] | length }} {{ payload.customer | length }} {{ null | length "
     "}}",
     "2 2 2 0"},
    {"{{ 'abc' | first }} {{ [1, 2] | last }} {{ 'aé' | last }} [{{ [] | first }}]", "a 2 é []"},
    {"{{ [1, 'a', 2.5] | join(', ') }} {{ [1, 2] | join }}", "1, a, 2.5 12"},
    {"{{ 'a,b,c' | split(',') }} {{ 'a,b,c' | split(',', 2) }} {{ '' | split(',') }}",
     R"(["a","b","c"] ["a","b,c"] [""])"},
    {"{{ 'aXbX' | replace({'X': '-', 'a': 'A'}) }} {{ 'aXbX' | replace('X', '') }}", "A-b- ab"},
    {"{{ 'abcde' | slice(1, 3) }} {{ 'abc' | slice(1) }} {{ [1, 2, 3] | slice(0, 2) }} {{ 'éa' | "
     "slice(1, 9) }}",
     "bc bc [1,2] a"},
    {"{{ -3 | abs }} {{ 2.567 | round(1) }} {{ 2.5 | round }} {{ 7 | round }}", "3 2.6 3 7"},
    {"{{ 1234567.891 | numberformat('#,##0.00') }} {{ 5 | numberformat('000') }} {{ 0.5 | "
     "numberformat('#.#') }}",
     "1,234,567.89 005 .5"},
    {"{{ 1234.5 | numberformat }} {{ -1 | numberformat('0.0 EUR') }}", "1,234.5 -1.0 EUR"},
    {"{{ now | date('yyyy') }} {{ '2020-01-02T03:04:05Z' | date('HH') }} {{ 0 | date('yyyy') }}",
     "2026 03 1970"},
    {"{{ 'a b&c/é' | urlencode }}", "a+b%26c%2F%C3%A9"},
    {"{{ '<a href=\"x\">' | escape }} {{ '&' | e }} {{ '<' | raw }}",
     "&lt;a href=&quot;x&quot;&gt; &amp; <"},
    {"{{ 'hello' | base64encode }} {{ 'aGVsbG8=' | base64decode }}", "aGVsbG8= hello"},
    {"{{ 'abc' | sha256 | slice(0, 8) }}", "ba7816bf"},
    {"{{ 'a\"b' | json_encode }} {{ [1] | tojson }} {{ null | json }} {{ now | json }}",
     R"("a\"b" [1] null "2026-01-20T12:34:56.789Z")"},
    {"{{ [1, 2] | reverse }} {{ 'aé' | reverse }}", "[2,1] éa"},
    {"{{ [3, 1.5, 2] | sort }} {{ ['b', 'a'] | sort }} {{ [1, 2] | rsort }}",
     R"([1.5,2,3] ["a","b"] [2,1])"},
    {"{{ [1] | merge([2]) }} {{ {'a': 1, 'b': 1} | merge({'b': 2}) }}", R"([1,2] {"a":1,"b":2})"},
    {"{{ {'a': 1, 'b': 2} | keys }} {{ [1, 1.0, 2] | unique }}", R"(["a","b"] [1,2])"},
    {"{{ 'abcdefgh' | abbreviate(6) }} {{ 'abc' | abbreviate(6) }}", "abc... abc"},
    {"{{ '12' | int + 1 }} {{ '1.5' | number * 2 }} {{ 3.9 | int }} {{ 5 | string ~ 'x' }}",
     "13 3 3 5x"},
};

} // namespace

TEST_CASE("functions") {
    check_all(functions);
}
TEST_CASE("eval sees everything, known at load time or not") {
    check_all(evals);
}
TEST_CASE("filters") {
    check_all(filters);
}

TEST_CASE("no name is declared twice in a table") {
    for (const Table table : {Table::function, Table::filter, Table::test}) {
        for (const Function& function : all_functions()) {
            const auto found = find_function(table, function.name);
            if (found) CHECK(all_functions()[*found].name == function.name);
        }
    }
    std::multiset<std::string_view> names;
    for (const Function& function : all_functions()) names.insert(function.name);
    // `string` and `number` are filters and tests.
    for (const std::string_view name : names) CHECK(names.count(name) <= 2);
}

TEST_CASE("a seed repeats a run, and another seed does not") {
    constexpr std::string_view source =
        "{{ uuid() }} {{ randInt(1, 1000000) }} {{ pickWeighted('a', 1, 'b', 1, 'c', 1) }}";
    const auto run = [&](std::uint64_t seed) {
        Rendering render;
        render.random = Random{seed};
        std::string all;
        for (int i = 0; i < 20; ++i) all += render(source);
        return all;
    };
    CHECK(run(1) == run(1));
    CHECK(run(1) != run(2));
}

TEST_CASE("random numbers stay within their bounds and reach them") {
    Rendering render;
    std::set<std::string> seen;
    for (int i = 0; i < 200; ++i) seen.insert(render("{{ randInt(-1, 2) }}"));
    CHECK(seen == std::set<std::string>{"-1", "0", "1", "2"});
}

TEST_CASE("weights are respected") {
    Rendering render;
    int heavy = 0;
    for (int i = 0; i < 2000; ++i) {
        heavy += render("{{ pickWeighted('light', 1, 'heavy', 9) }}") == "heavy" ? 1 : 0;
    }
    CHECK(heavy > 1700);
    CHECK(heavy < 1900);
}

TEST_CASE("a seeded pick has one stream per label, from its first seed, whatever else is drawn") {
    constexpr std::string_view source =
        "{{ pickWeightedSeeded(vars.customerId, 's', 'a', 1, 'b', 1, 'c', 1) }}";
    const auto run = [&](bool draws_between) {
        Rendering render;
        std::string all;
        for (int i = 0; i < 30; ++i) {
            if (draws_between) render("{{ uuid() }}{{ pickWeightedSeeded('other', 1, 'x', 1) }}");
            all += render(source);
        }
        return all;
    };
    CHECK(run(false) == run(true));
    CHECK(run(false).find_first_not_of(run(false).front()) != std::string::npos);
}
