#include "tests/support/places.hpp"
#include "tests/system/cli_process.hpp"

#include <doctest/doctest.h>

using namespace hive::tests;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("--version names the version, the compiler and the libraries") {
    const auto run = run_hive({"--version"});
    CHECK(run.exit_code == 0);
    CHECK(run.out.starts_with("hive "));
    CHECK(contains(run.out, "compiler: "));
    CHECK(contains(run.out, "rabbitmq-c "));
    CHECK(run.err.empty());
}

TEST_CASE("every command explains itself in three equal ways") {
    for (const char* command : {"doctor", "completion", "man", "help"}) {
        const auto run = run_hive({"help", command});
        CHECK(run.exit_code == 0);
        CHECK(contains(run.out, std::string{"Usage: hive "} + command));
        CHECK(run.err.empty());
        CHECK(run_hive({command, "--help"}).out == run.out);
        CHECK(run_hive({command, "-h"}).out == run.out);
    }
    CHECK(run_hive({"--help"}).out == run_hive({"help"}).out);
}

TEST_CASE("without a command the help goes to standard error and the exit code is 2") {
    const auto run = run_hive({});
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "Usage: hive COMMAND"));
}

TEST_CASE("an unknown command or flag is answered with the nearest one and exit code 2") {
    const auto command = run_hive({"dcotor"});
    CHECK(command.exit_code == 2);
    CHECK(contains(command.err, "did you mean 'hive doctor'?"));
    const auto flag = run_hive({"doctor", "--prot", "5"});
    CHECK(flag.exit_code == 2);
    CHECK(contains(flag.err, "did you mean --port?"));
    CHECK(run_hive({"help", "nope"}).exit_code == 2);
    CHECK(run_hive({"help", "doctor", "more"}).exit_code == 2);
    CHECK(run_hive({"completion"}).exit_code == 2);
    CHECK(contains(run_hive({"completion", "csh"}).err, "expected one of bash, zsh, fish"));
}

TEST_CASE("all problems on the command line and in the environment come at once") {
    const auto run = run_hive(
        {"doctor", "--port", "99999", "--log-format", "xml"},
        {{"HIVE_STORE_URL", "mysql://u:pw@h/d"}});
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, "--port is '99999'; expected an integer from 0 to 65535"));
    CHECK(contains(run.err, "--log-format is 'xml'; expected one of human, json"));
    CHECK(contains(run.err, "HIVE_STORE_URL is ***; expected postgres://"));
    CHECK_FALSE(contains(run.err, "pw"));
}

TEST_CASE("a reader that goes away is not an error worth a word") {
    const ScratchDirectory scratch;
    // The pipe has lost its only reader before the program writes.
    const auto run = run_shell(
        "mkfifo " + scratch.path("pipe") + R"( && { : < )" + scratch.path("pipe") +
        R"( & } && exec 3> )" + scratch.path("pipe") + R"( && wait && "$HIVE" help >&3)");
    CHECK(run.exit_code == 141);
    CHECK_MESSAGE(run.err.empty(), run.err);
}

TEST_CASE("output that cannot be written is one sentence and exit code 3") {
    const auto run = run_shell(R"("$HIVE" help > /dev/full)");
    CHECK(run.exit_code == 3);
    CHECK(run.err == "error: cannot write the output: No space left on device\n");
}

TEST_CASE("the manual page covers every command and renders without a complaint") {
    const auto page = run_hive({"man"});
    CHECK(page.exit_code == 0);
    CHECK(page.out.starts_with(".TH HIVE 1"));
    for (const char* part :
         {".SH NAME", ".SH SYNOPSIS", ".SH COMMANDS", ".SS hive doctor", ".SH ENVIRONMENT",
          ".SH EXIT STATUS", "HIVE_HTTP_PORT"}) {
        CHECK_MESSAGE(contains(page.out, part), part);
    }
    const std::string built = hive::tests::in_build("share/man/man1/hive.1");
    CHECK(run_program({"cat", built}).out == page.out);
    if (!has_program("groff")) {
        MESSAGE("groff is not installed; the page was not rendered");
        return;
    }
    const auto rendered = run_program({"groff", "-man", "-Tutf8", "-ww", "-P-cbou", built});
    CHECK(rendered.exit_code == 0);
    CHECK_MESSAGE(rendered.err.empty(), rendered.err);
    CHECK(contains(rendered.out, "hive doctor --config hive.yaml --explain"));
}
