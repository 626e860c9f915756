#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/program.hpp"
#include "cli/questions.hpp"
#include "kernel/json.hpp"
#include "tests/support/places.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <sstream>

using namespace hive;
using namespace hive::cli;

namespace {

const std::string hello = hive::tests::in_source("scenarios/hello");
const std::string base = hive::tests::in_source("tests/scenario/base.yaml");

struct Terminal {
    std::ostringstream out{};
    std::ostringstream err{};
    VirtualClock clock{};

    int run(const std::vector<std::string>& args) {
        Host host{
            .out = out,
            .err = err,
            .env = [](const std::string&) -> std::optional<std::string> { return std::nullopt; },
            .clock = clock};
        return run_program(hive_command(), args, host);
    }
};

} // namespace

TEST_CASE("a sound scenario validates, one that is not says so to scripts and by the exit code") {
    Terminal sound;
    CHECK(sound.run({"scenario", "validate", hello}) == exit_ok);
    CHECK(sound.out.str() == hello + ": 4 bees, 0 errors, 0 warnings\n");

    Terminal broken;
    CHECK(
        broken.run({"scenario", "validate", base, "--set", "processor.timeoutMs=soon", "--json"}) ==
        exit_bad_input);
    const auto answer = parse_json(broken.out.str());
    REQUIRE(answer);
    CHECK(answer->at("ok") == false);
    CHECK(answer->at("findings").at(0).at("code") == "bad-value");
    CHECK(answer->at("findings").at(0).at("key") == "processor.config.timeoutMs");
}

TEST_CASE("findings show the line, and what is missing from it") {
    Terminal terminal;
    const std::string nothing = hive::tests::in_source("scenarios/hello/sut/local/sut.yaml");
    CHECK(terminal.run({"scenario", "validate", nothing}) == exit_bad_input);
    CHECK(
        terminal.out.str().find("error: bees: a scenario needs at least one bee\n    2 | id: ") !=
        std::string::npos);
}

TEST_CASE("a scenario is drawn from left to right, with its plan and guards") {
    Terminal terminal;
    CHECK(terminal.run({"scenario", "show", base, "--sut", "near"}) == exit_ok);
    const std::string shown = terminal.out.str();
    CHECK(
        shown.find("[generator x2] -> raw -> [moderator] -> mod -> [processor] -> done -> "
                   "[postprocessor]\n") != std::string::npos);
    CHECK(shown.find("plan: 5m a run, 2 runs\n") != std::string::npos);
    CHECK(
        shown.find("guard: keeps raw at 200 (120 to 280) by the rate of generator\n") !=
        std::string::npos);

    Terminal open;
    CHECK(open.run({"scenario", "show", base}) == exit_bad_input);
    CHECK(open.err.str().find("choose a SUT; there are far, near") != std::string::npos);
}

TEST_CASE("a template is tried on an item, the same for the same seed") {
    const auto rendered = [](const std::string& seed) {
        Terminal terminal;
        CHECK(
            terminal.run(
                {"scenario", "render", hello, "--bee", "generator", "--header", "x-ph-seq=7",
                 "--seed", seed}) == exit_ok);
        return terminal.out.str();
    };
    CHECK(rendered("1").find(R"("path":"/hello/7")") != std::string::npos);
    CHECK(rendered("1") == rendered("1"));
    CHECK(rendered("1") != rendered("2"));

    Terminal vars;
    CHECK(vars.run({"scenario", "render", base, "--sut", "far", "--bee", "generator"}) == exit_ok);
    CHECK(vars.out.str().find(R"(\"token\": \"def\")") != std::string::npos);

    Terminal wrong;
    CHECK(wrong.run({"scenario", "render", hello, "--bee", "processor"}) == exit_bad_input);
    CHECK(wrong.err.str().find("is a processor, which renders no message") != std::string::npos);
}

TEST_CASE("the guide shows the settings that there are") {
    std::ifstream file{hive::tests::in_source("docs/guides/scenario-reference.md")};
    const std::string guide{std::istreambuf_iterator<char>{file}, {}};
    Terminal terminal;
    CHECK(terminal.run({"scenario", "reference"}) == exit_ok);
    // Not equal: write what `hive scenario reference` prints into that file.
    CHECK(terminal.out.str() == guide);
}

TEST_CASE("a new scenario of every kind validates, and is not written over by accident") {
    const hive::tests::ScratchDirectory files;
    for (const std::string kind : {"http", "tcp", "csv", "guard"}) {
        for (const std::string method : {"GET", "POST"}) {
            CAPTURE(kind);
            const auto path = (files.path() / (kind + method)).string();
            Terminal made;
            REQUIRE_MESSAGE(
                made.run(
                    {"scenario", "new", path, "--template", kind, "--method", method, "--rate",
                     "20"}) == exit_ok,
                made.err.str());
            CHECK(made.err.str().empty());
            CHECK(made.out.str().find("hive run " + path) != std::string::npos);
            Terminal again;
            CHECK(again.run({"scenario", "new", path, "--template", kind}) == exit_bad_input);
            CHECK(again.err.str().find("--force") != std::string::npos);
            CHECK(Terminal{}.run({"scenario", "new", path, "--force"}) == exit_ok);
        }
    }
    Terminal wrong;
    CHECK(
        wrong.run({"scenario", "new", files.path() / "x", "--url", "ftp://a/"}) == exit_bad_input);
    CHECK(wrong.run({"scenario", "new", files.path() / "x", "--rate", "max"}) == exit_bad_input);
    CHECK(wrong.run({"scenario", "new"}) == exit_bad_input);
}

TEST_CASE("what is imported validates, whatever was in it") {
    const hive::tests::ScratchDirectory files;
    const auto corpus = [](const std::string& name) {
        return hive::tests::in_source("tests/fuzz/corpus/" + name);
    };
    int number = 0;
    for (const auto& [kind, name] : std::initializer_list<std::pair<std::string, std::string>>{
             {"har", "har/shop"},
             {"har", "har/template_marks"},
             {"openapi", "openapi/pets.yaml"},
             {"openapi", "openapi/three_one.json"},
             {"curl", "curl/several"},
             {"curl", "curl/left_out"}}) {
        CAPTURE(name);
        Terminal terminal;
        const auto path = (files.path() / fmt::format("b{}", ++number)).string();
        REQUIRE_MESSAGE(
            terminal.run({"scenario", "import", kind, corpus(name), "--to", path}) == exit_ok,
            terminal.err.str(), terminal.out.str());
        CHECK(terminal.err.str().find("warning") == std::string::npos);
    }
    Terminal wrong;
    CHECK(
        wrong.run(
            {"scenario", "import", "har", corpus("har/no_entries"), "--to", files.path() / "x"}) ==
        exit_bad_input);
    CHECK(wrong.err.str().find("no log.entries") != std::string::npos);
    CHECK(wrong.run({"scenario", "import", "har", files.path() / "none"}) == exit_bad_input);
}

TEST_CASE("questions have usual answers, and nothing is made when nobody answers") {
    std::vector<std::string> answers{"shop", "csv", "http://h/users", "", "5", "1m"};
    std::vector<std::string> prompts;
    const auto asked = ask_for_scenario({}, [&](const Question& question) {
        prompts.push_back(prompt_of(question));
        std::string next = answers.front();
        answers.erase(answers.begin());
        return std::optional{next};
    });
    REQUIRE(asked.has_value());
    CHECK(asked->path == "shop");
    CHECK(prompts.at(1) == "Kind (http, tcp, csv, guard) [http]: ");
    const auto wish = wish_of("shop", asked->flags).value();
    CHECK(wish.kind == "csv");
    CHECK(wish.method == "GET");
    CHECK(wish.rate_per_sec == 5);
    CHECK(wish.length == std::chrono::minutes{1});
    CHECK(!ask_for_scenario({}, [](const Question&) { return std::nullopt; }).has_value());
}

TEST_CASE("a picture has every bee and queue, and plan and guards are in what a controller gets") {
    const hive::tests::ScratchDirectory files;
    const auto path = (files.path() / "guard.svg").string();
    const std::string guarded = hive::tests::in_source("scenarios/buffer-guard");
    Terminal drawn;
    REQUIRE(drawn.run({"scenario", "show", guarded, "--svg", path}) == exit_ok);
    std::ifstream file{path};
    const std::string picture{std::istreambuf_iterator<char>{file}, {}};
    CHECK(picture.starts_with("<svg xmlns="));
    for (const char* part : {"generator", "moderator", "waiting", "admitted", "Buffer guard"}) {
        CHECK_MESSAGE(picture.find(part) != std::string::npos, part);
    }
    CHECK(picture.find("href") == std::string::npos);
    Terminal given;
    REQUIRE(given.run({"scenario", "show", guarded, "--json"}) == exit_ok);
    const auto answer = parse_json(given.out.str()).value();
    CHECK(answer.at("bees").as_array().size() == 4);
    CHECK(to_text(answer.at("plan")).find("twice") != std::string::npos);
    CHECK(to_text(answer.at("plan")).find("waiting") != std::string::npos);
    Terminal plain;
    REQUIRE(plain.run({"scenario", "show", hello, "--json"}) == exit_ok);
    CHECK(!parse_json(plain.out.str()).value().as_object().contains("plan"));
}
