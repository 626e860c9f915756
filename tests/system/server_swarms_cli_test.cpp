#include "tests/support/places.hpp"
#include "tests/system/server_swarms_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::test;

namespace {

struct Outcome {
    int exit_code = -1;
    std::string out;
    std::string err;
};

std::string text_of(const std::filesystem::path& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

// The real program, by a shell; the arguments of these tests need no quotes of their own.
Outcome run_hive(
    const std::filesystem::path& home, const std::string& environment,
    const std::vector<std::string>& args) {
    std::string line = fmt::format(
        "env -i HOME={} {} {}", home.string(), environment, hive::tests::hive_program());
    for (const std::string& arg : args) line += fmt::format(" '{}'", arg);
    line += fmt::format(" >{0}/out 2>{0}/err </dev/null", home.string());
    const int status = std::system(line.c_str());
    return {
        WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(home / "out"), text_of(home / "err")};
}

class Terminal {
public:
    Outcome hive(std::vector<std::string> args) {
        args.insert(args.begin(), "swarm");
        const std::string key =
            scene.hive.key_text({.id = {}, .owner = "ann", .role = accounts::Role::admin});
        return run_hive(
            files.path(), fmt::format("HIVE_SERVER={} HIVE_KEY={}", scene.hive.server->url(), key),
            args);
    }
    void ends(wire::Command command, wire::OutcomeStatus status, std::string reason = "") {
        scene.court.set_ended(orchestrator::Ended{
            .asked = {.correlation_id = "?"},
            .swarm = alpha,
            .command = command,
            .status = status,
            .reason = std::move(reason)});
    }

    std::string write(const std::string& name, const std::string& text) const {
        const auto path = std::filesystem::path{files.path()} / name;
        std::ofstream{path} << text;
        return path.string();
    }

    Swarms scene;
    hive::tests::ScratchDirectory files;
};

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != text.npos;
}

} // namespace

TEST_CASE("the exit code of a command that waits says how it ended") {
    Terminal terminal;
    terminal.scene.court.reports = {report("alpha")};
    terminal.ends(wire::Command::swarm_start, wire::OutcomeStatus::running);
    const auto good = terminal.hive({"start", "alpha", "--wait"});
    CHECK_MESSAGE(good.exit_code == 0, good.err);
    CHECK(contains(good.out, "alpha: swarm-start Running"));
    terminal.ends(wire::Command::swarm_start, wire::OutcomeStatus::not_ready, "no plan yet");
    const auto bad = terminal.hive({"start", "alpha", "--wait", "--json"});
    CHECK(bad.exit_code == 1);
    CHECK(parsed(bad.out).at("reason") == "no plan yet");
    terminal.scene.court.set_ended(std::nullopt);
    CHECK(terminal.hive({"stop", "alpha", "--wait", "--timeout", "1s"}).exit_code == 3);
    const auto accepted = terminal.hive({"remove", "alpha"});
    CHECK(accepted.exit_code == 0);
    CHECK(accepted.out.starts_with("accepted as "));
}

TEST_CASE("a template is read from YAML and JSON, and refused with its place") {
    Terminal terminal;
    const auto yaml = terminal.write(
        "swarm.yaml",
        "bees:\n  - role: generator\n    replicas: 2\n    config: {rate: 5, on: yes}\n");
    const auto made = terminal.hive({"create", "alpha", "--template", yaml, "--start"});
    CHECK_MESSAGE(made.exit_code == 0, made.err);
    const auto asks = terminal.scene.court.asked_so_far();
    REQUIRE(asks.size() == 2);
    const auto& create = std::get<orchestrator::CreateAsked>(asks[0]);
    CHECK(
        to_text(create.text) ==
        R"({"bees":[{"role":"generator","replicas":2,"config":{"rate":5,"on":"yes"}}]})");
    CHECK(create.who == "admin:ann");

    const auto wrong = terminal.write("wrong.json", R"({"bees":[{"role":"no good"}]})");
    const auto refused = terminal.hive({"create", "alpha", "--template", wrong});
    CHECK(refused.exit_code == 2);
    CHECK(contains(refused.err, "/template/bees/0/role"));
    const auto broken = terminal.write("broken.yaml", "bees: [");
    CHECK(terminal.hive({"create", "alpha", "--template", broken}).exit_code == 2);
    CHECK(terminal.hive({"create", "alpha", "--template", "nowhere.yaml"}).exit_code == 2);
}

TEST_CASE("swarms are listed and shown for people and for scripts") {
    Terminal terminal;
    terminal.scene.court.reports = {report("alpha"), report("beta")};
    const auto listed = terminal.hive({"list"});
    CHECK(listed.exit_code == 0);
    CHECK(listed.out.starts_with("ID "));
    CHECK(contains(listed.out, "beta"));
    CHECK(parsed(terminal.hive({"list", "--json"}).out).at("items").as_array().size() == 2);
    const auto shown = terminal.hive({"show", "alpha"});
    CHECK_MESSAGE(shown.exit_code == 0, shown.err);
    CHECK(contains(shown.out, "[.. generator] -> raw ? -> [.. processor]"));
    CHECK(terminal.hive({"show", "nobody"}).exit_code == 3);
    CHECK(terminal.hive({"journal", "alpha"}).exit_code == 0);
    CHECK(terminal.hive({"config", "alpha", "--patch", "x", "--instance", "y"}).exit_code == 2);
}

TEST_CASE("a server that is not there is said so") {
    const hive::tests::ScratchDirectory home;
    const auto outcome = run_hive(
        home.path(), "HIVE_SERVER=http://127.0.0.1:9 HIVE_KEY=hvh_none", {"swarm", "list"});
    CHECK(outcome.exit_code == 3);
    CHECK(contains(outcome.err, "no answer from the server"));
}
