#include "template/compiler.hpp"
#include "tests/support/rendering.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::templates;

namespace {

constexpr Row mistakes[] = {
    {"{{", "1:3 expected a value, found the end"},
    {"{{ }}", "1:4 expected a value, found the end"},
    {"{{ 1", "1:1 this tag is not closed; add '}}'"},
    {"{{ 1 }", "1:6 expected '}}' or an operator, found '}'"},
    {"{{ 1 %}", "1:6 expected '}}' or an operator, found the end"},
    {"a\n  {{ 1 2 }}", "2:8 expected '}}' or an operator, found '2'"},
    {"{{ 'abc }}", "1:4 this text has no closing quote"},
    {"{{ 1 + }}", "1:8 expected a value, found the end"},
    {"{{ * 2 }}", "1:4 expected a value, found '*'"},
    {"{{ (1 }}", "1:7 expected ')' to close the bracket, found the end"},
    {"{{ [1 2] }}", "1:7 expected ',' or ']', found '2'"},
    {"{{ {'a' 1} }}", "1:9 expected ',' or '}', found '1'"},
    {"{{ {'a': 1, 'b'} }}", "1:16 expected ':' behind the key, found '}'"},
    {"{{ payload[1 }}", "1:14 expected ']' to close the bracket, found the end"},
    {"{{ payload. }}", "1:13 expected a name behind '.'"},
    {"{{ 1 ? 2 }}", "1:10 expected ':' and what to take otherwise, found the end"},
    {"{{ 12abc }}", "1:4 '12abc' is not a number this can hold"},
    {"{{ 99999999999999999999 }}", "1:4 '99999999999999999999' is not a number this can hold"},
    {"{{ 1 $ 2 }}", "1:6 expected '}}' or an operator, found '$'"},
    {"{{ zzzz }}", "1:4 there is no name 'zzzz' here (names come from the context, from {% set %} "
                   "and from {% for %})"},
    {"{{ payloda.x }}", "1:4 there is no name 'payloda' here (did you mean 'payload'?)"},
    {"{% set total = 1 %}{{ totl }}", "1:23 there is no name 'totl' here (did you mean 'total'?)"},
    {"{{ randomInt(1, 2) }}", "1:4 there is no function 'randomInt' (did you mean 'randInt'?)"},
    {"{{ eval('#uid()') }}", "1:11 there is no function 'uid' (did you mean 'uuid'?)"},
    {"{{ 'a' | uppr }}", "1:10 there is no filter 'uppr' (did you mean 'upper'?)"},
    {"{{ 1 is evn }}", "1:9 there is no test 'evn' (did you mean 'even'?)"},
    {"{{ 1 is }}", "1:9 expected a test like 'empty' behind 'is'"},
    {"{{ 1 | }}", "1:8 expected the name of a filter behind '|'"},
    {"{{ uuid(1) }}", "1:4 'uuid' takes 0 arguments, not 1"},
    {"{{ randInt(1) }}", "1:4 'randInt' takes 2 arguments, not 1"},
    {"{{ 'a' | upper(1) }}", "1:10 'upper' takes 0 arguments, not 1"},
    {"{{ 'a' | split }}", "1:10 'split' takes 1 to 2 arguments, not 0"},
    {"{{ max() }}", "1:4 'max' takes at least 1 argument, not 0"},
    {"{{ randInt(5, 1) }}", "1:4 randInt: the upper bound 1 is below the lower bound 5"},
    {"{{ randInt(1.5, 2) }}", "1:4 randInt: the bounds are whole numbers"},
    {"{{ pickWeighted('a', 1, 'b') }}", "1:4 pickWeighted: a value has no weight behind it"},
    {"{{ pickWeighted('a', -1) }}", "1:4 pickWeighted: weight 1 is not a whole number from 0"},
    {"{{ pickWeighted('a', 0, 'b', 0) }}", "1:4 pickWeighted: all weights are 0"},
    {"{{ pickWeighted('a', 1.5) }}", "1:4 pickWeighted: weight 1 is not a whole number from 0"},
    {"{{ date_format(now, 'yyyy-bb') }}", "1:4 date_format: 'b' in the date pattern 'yyyy-bb' has "
                                          "no meaning; put text into single quotes"},
    {"{{ date_format(now, 'ddd') }}",
     "1:4 date_format: 'd' may stand at most 2 times together in the date pattern 'ddd'"},
    {"{{ datetime_offset('2x', 'yyyy') }}",
     "1:4 datetime_offset: '2x' is not an offset like +2d or -90m; units: s m h d w M y"},
    {"{{ sequence('k', 'alpa', '%S') }}",
     "1:4 sequence: there is no sequence mode 'alpa'; did you mean 'alpha'?"},
    {"{{ sequence('k', 'alpha', 'x') }}",
     "1:4 sequence: the sequence format 'x' has no token: %S, %s or %d"},
    {"{{ sequence('k', 'alpha', '%x') }}",
     "1:4 sequence: the sequence format '%x' has a '%' without S, s or d behind it"},
    {"{{ sequenceWith('k', 'alpha', '%S', 0, 5) }}",
     "1:4 sequenceWith: a sequence starts at 1 or above"},
    {"{{ sequenceWith('k', 'alpha', '%S', 5, 4) }}",
     "1:4 sequenceWith: the largest number is below the first"},
    {"{{ regex_match('a', '(') }}",
     "1:4 regex_match: the pattern '(' cannot be used: missing ): ("},
    {"{{ regex_match('a', 'a(?=b)') }}",
     "1:4 regex_match: the pattern 'a(?=b)' cannot be used: invalid perl operator: (?="},
    {"{{ json_path(payload, 'a/b') }}", "1:4 json_path: the pointer 'a/b' does not begin with '/'"},
    {"{{ 1 | numberformat('x') }}", "1:8 numberformat: the number pattern 'x' has no 0 and no #"},
    {"{{ payload.size(1) }}", "1:12 'size' is a method with arguments; methods cannot be called "
                              "(use a filter or a function)"},
    {"{{ eval(\"T(java.lang.Runtime)\") }}", "1:10 types cannot be used in expressions"},
    {"{{ eval('1 +') }}", "1:13 expected a value, found the end"},
    {"{{ eval('1 1') }}", "1:12 expected an operator or the end of the text, found '1'"},
    {"{{ eval(\"'a''b' + zzzz\") }}", "1:19 there is no name 'zzzz' here (names come from the "
                                      "context, from {% set %} and from {% for %})"},
    {"{{ date(format='x') }}",
     "1:9 arguments have no names here (write the values alone, in their order)"},
    {"{{ \"a #{payload}\" }}",
     "1:4 expressions inside a text, #{...}, are not known here (close the text and join with ~)"},
    {"{% %}", "1:4 expected a tag like 'set', 'if' or 'for'"},
    {"{% sett x = 1 %}", "1:4 there is no tag 'sett' (did you mean 'set'?)"},
    {"{% macro x() %}", "1:4 there is no tag 'macro' (tags: set, if, elseif, else, endif, for, "
                        "endfor, verbatim, endverbatim)"},
    {"{% set 1 = 2 %}", "1:8 expected the name of a variable"},
    {"{% set x 2 %}", "1:10 expected '=' behind the name, found '2'"},
    {"{% set x = 2 }}", "1:14 expected '%}' or an operator, found the end"},
    {"{% if 1 %}a", "1:4 this 'if' is not closed (add {% endif %})"},
    {"a\n{% for i in [1] %}", "2:4 this 'for' is not closed (add {% endfor %})"},
    {"{% for in [1] %}{% endfor %}", "1:11 expected 'in' behind the name, found '['"},
    {"{% for i of [1] %}{% endfor %}", "1:10 expected 'in' behind the name, found 'of'"},
    {"{% endif %}", "1:4 'endif' without an open 'if'"},
    {"{% if 1 %}{% endfor %}{% endif %}", "1:14 'endfor' without an open 'for'"},
    {"{% else %}", "1:4 'else' without an open 'if' or 'for'"},
    {"{% elseif 1 %}", "1:4 'elseif' without an open 'if'"},
    {"{% if 1 %}{% else %}{% else %}{% endif %}", "1:24 a second 'else'"},
    {"{% if 1 %}{% else %}{% elseif 2 %}{% endif %}", "1:24 'elseif' behind 'else'"},
    {"a {# b", "1:3 this comment is not closed; add '#}'"},
    {"{% verbatim %} b", "1:1 this 'verbatim' is not closed (add {% endverbatim %})"},
};

constexpr Row failures[] = {
    {"{{ 1 / 0 }}", "line 1, column 6: division by zero"},
    {"{{ 1 % 0 }}", "line 1, column 6: division by zero"},
    {"a\n b {{ 'x' * 2 }}", "line 2, column 11: '*' needs numbers, not this text"},
    {"{{ null + 1 }}", "line 1, column 9: '+' needs numbers, not null"},
    {"{{ 9223372036854775807 + 1 }}", "line 1, column 24: the result of '+' is beyond 64 bits"},
    {"{{ 3 ^ 99 }}", "line 1, column 6: the result of '^' is beyond 64 bits"},
    {"{{ [] < 1 }}", "line 1, column 7: a list and a number have no order"},
    {"{{ randInt(vars.loopCount, 1) }}",
     "line 1, column 4: the upper bound 1 is below the lower bound 3"},
    {"{{ base64_decode('%') }}",
     "line 1, column 4: base64 text must be padded to a multiple of four with '='"},
    {"{% for c in 'abc' %}{% endfor %}",
     "line 1, column 4: 'for' goes through lists and maps, not a text"},
    {"{{ [1, 'a'] | sort }}", "line 1, column 15: sort needs a list of numbers or one of texts"},
    {"{{ regex_match('a', payload.id ~ '(') }}",
     "line 1, column 4: the pattern 'C1(' cannot be used: missing ): C1("},
    {"{{ eval('1 ' ~ '+') }}", "line 1, column 4: eval of a text with a mistake at line 1, column "
                               "4: expected a value, found the end"},
    {"{{ 1 in 2 }}", "line 1, column 6: nothing is inside a number"},
    {"{{ 'a'..'b' }}", "line 1, column 7: a range goes between whole numbers"},
    {"{{ 5 | length }}", "line 1, column 8: a number has no length"},
    {"{{ pickWeighted('a', vars.loopCount - 3) }}", "line 1, column 4: all weights are 0"},
    {"{{ 'x' | date('yyyy') }}",
     "line 1, column 10: 'x' is not an RFC 3339 time like 2025-09-12T12:34:56Z"},
};

} // namespace

TEST_CASE("mistakes are found at load time, with their place") {
    Rendering render;
    for (const Row& row : mistakes) {
        CAPTURE(row.source);
        CHECK(render(row.source) == fmt::format("error: {}", row.expected));
    }
}

TEST_CASE("what can only fail while rendering says where") {
    Rendering render;
    for (const Row& row : failures) {
        CAPTURE(row.source);
        CHECK(render(row.source) == fmt::format("error: {}", row.expected));
    }
}

TEST_CASE("all mistakes are reported at once, in order") {
    Rendering render;
    CHECK(
        render(
            "{{ zzzz }}\n{{ rndInt(1, 2) }}\n{{ 1 + }}\n{% if %}\n{{ 'a' | uper }}\n{% endif %}") ==
        "error: 1:4 there is no name 'zzzz' here (names come from the context, from {% set %} and "
        "from {% for %}); 2:4 there is no function 'rndInt' (did you mean 'randInt'?); "
        "3:8 expected a value, found the end; 4:7 expected a value, found the end; "
        "5:10 there is no filter 'uper' (did you mean 'upper'?)");
}

TEST_CASE("a finding carries code, file and key for whoever shows it") {
    const auto compiled = compile("{{ nope() }}", {.file = "a.yaml", .key = "body"});
    REQUIRE_FALSE(compiled.has_value());
    const Finding& finding = compiled.error().front();
    CHECK(finding.code == "unknown-function");
    CHECK(finding.file == "a.yaml");
    CHECK(finding.key == "body");
    CHECK(hive::render(compiled.error())
              .starts_with("a.yaml:1:4: error: there is no function 'nope'"));
}

TEST_CASE("a failed render leaves the text as it was") {
    Rendering render;
    std::string out = "kept";
    CHECK_FALSE(compile("abc {{ 1 / payload.nope }}")->render(render.context, out));
    CHECK(out == "kept");
}
