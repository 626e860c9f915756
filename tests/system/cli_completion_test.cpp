#include "tests/support/places.hpp"
#include "tests/system/cli_process.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

using namespace hive::tests;

namespace {

// What bash offers for the line, whose last word is being typed, one per line.
std::string bash_offers(const std::string& words, const std::string& directory = ".") {
    const auto run = run_shell(
        "cd " + directory + " && source <(\"$HIVE\" completion bash) && COMP_WORDS=(" + words +
        ") && COMP_CWORD=$((${#COMP_WORDS[@]} - 1)) && _hive && printf '%s\\n' "
        "\"${COMPREPLY[@]}\"");
    CHECK_MESSAGE(run.err.empty(), run.err);
    return run.out;
}

// Every command, in the order of the help text.
const std::vector<std::string> commands{
    "run",        "up",     "serve",      "scenario", "swarm",   "report", "task",
    "message",    "bee",    "approval",   "cost",     "webhook", "mcp",    "login",
    "profile",    "whoami", "key",        "audit",    "store",   "mock",   "doctor",
    "controller", "worker", "completion", "man",      "help"};

} // namespace

TEST_CASE("the completion scripts parse in their shells") {
    for (const std::string shell : {"bash", "zsh", "fish"}) {
        const auto script = run_hive({"completion", shell});
        REQUIRE(script.exit_code == 0);
        REQUIRE(script.out.size() > 500);
        REQUIRE_MESSAGE(has_program(shell), shell << " is not installed");
        const ScratchDirectory scratch;
        const auto file = scratch.write("script", script.out);
        const auto parsed = run_program({shell, "-n", file});
        CHECK_MESSAGE(parsed.exit_code == 0, parsed.err);
        CHECK_MESSAGE(parsed.err.empty(), parsed.err);
    }
}

TEST_CASE("bash completes commands, flags and choices") {
    CHECK(bash_offers("hive do") == "doctor\n");
    CHECK(bash_offers("hive ''") == fmt::format("{}\n", fmt::join(commands, "\n")));
    CHECK(bash_offers("hive store ''") == "backup\nrestore\ncheck\ninfo\nmigrate\n");
    CHECK(bash_offers("hive key create --role ad") == "admin\n");
    CHECK(bash_offers("hive --v") == "--version\n");
    CHECK(bash_offers("hive doctor --po") == "--port\n");
    CHECK(bash_offers("hive doctor --log-format ''") == "human\njson\n");
    CHECK(bash_offers("hive doctor --log-format = j") == "json\n");
    CHECK(bash_offers("hive doctor --json --log-level d") == "debug\n");
    CHECK(bash_offers("hive completion ''") == "bash\nzsh\nfish\n");
    CHECK(bash_offers("hive help ma") == "man\n");
    CHECK(bash_offers("hive doctor --port ''") == "\n"); // a number is for the person to know
}

TEST_CASE("bash completes files where a file is wanted, and only directories where one is") {
    const ScratchDirectory scratch;
    const auto made = run_program({"mkdir", scratch.path("hive-data")});
    REQUIRE(made.exit_code == 0);
    scratch.write("hive.yaml", "");
    CHECK(bash_offers("hive doctor --data hi", scratch.path()) == "hive-data\n");
    const auto files = bash_offers("hive doctor -c hi", scratch.path());
    CHECK(files.find("hive.yaml\n") != std::string::npos);
}

TEST_CASE("fish completes commands, flags and choices") {
    REQUIRE_MESSAGE(has_program("fish"), "fish is not installed");
    const ScratchDirectory home;
    const auto offers = [&](const std::string& line) {
        const auto run = run_program(
            {"fish", "--no-config", "-c",
             "'" + hive::tests::hive_program() + "' completion fish | source; complete -C '" +
                 line + "' | string replace -r '\\t.*' ''"},
            {{"HOME", home.path()}});
        CHECK_MESSAGE(run.err.empty(), run.err);
        return run.out;
    };
    CHECK(offers("hive doc") == "doctor\n");
    CHECK(offers("hive doctor --log-format ") == "human\njson\n");
    CHECK(offers("hive doctor --exp") == "--explain\n");
    CHECK(offers("hive help ma") == "man\n");
}

TEST_CASE("zsh completes commands, choices and directories") {
    REQUIRE_MESSAGE(has_program("zsh"), "zsh is not installed");
    // zsh completes only at a prompt; standing in for its builtins shows what they are given.
    const std::string stand_ins = R"(
        compdef() { : }
        _describe() { print -r -- ${${(P)4}%%:*} }
        compadd() { shift; print -r -- $@ }
        _files() { print -r -- files $@ }
        source <()" + hive::tests::hive_program() +
                                  R"( completion zsh)
        shift_to() { words=("$@"); CURRENT=$#words; _hive }
    )";
    const auto offers = [&](const std::string& words) {
        const auto run = run_program({"zsh", "-f", "-c", stand_ins + "shift_to " + words});
        CHECK_MESSAGE(run.err.empty(), run.err);
        return run.out;
    };
    CHECK(offers("hive do") == fmt::format("{}\n--help --version\n", fmt::join(commands, " ")));
    CHECK(offers("hive doctor --log-format ''") == "human json\n");
    CHECK(offers("hive doctor --data ''") == "files -/\n");
    CHECK(offers("hive completion ''").starts_with("bash zsh fish\n"));
}
