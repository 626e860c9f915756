#include "cli/check.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::cli;

namespace {

const Check good{.name = "port", .message = "is free"};
const Check missing{
    .name = "broker", .health = Health::missing, .message = "is away\n", .remedy = "start it"};
const Check bad{.name = "config", .health = Health::bad_input, .message = "has 2 problems"};

} // namespace

TEST_CASE("checks are aligned, with the remedy under the sentence, each on one line") {
    CHECK(
        render({{good, missing}}, false) == "✓ port    is free\n"
                                            "✗ broker  is away\\n\n"
                                            "          start it\n");
    CHECK(render({{good}}, true).starts_with("\x1b[32m✓\x1b[0m port"));
}

TEST_CASE("bad input outweighs something missing, which outweighs good health") {
    CHECK(exit_code_of({}) == 0);
    CHECK(exit_code_of({{good}}) == 0);
    CHECK(exit_code_of({{good, missing}}) == 3);
    CHECK(exit_code_of({{missing, bad}}) == 2);
    const Check warning{.health = Health::warning};
    CHECK(exit_code_of({{warning}}) == 0);
}

TEST_CASE("checks for scripts carry name, health, message and remedy") {
    CHECK(
        to_text(to_json(std::span{&missing, 1})) ==
        R"([{"name":"broker","health":"missing","message":"is away\n","remedy":"start it"}])");
}
