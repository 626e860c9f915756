// `hive swarm` as people and scripts use it, with the server that they use.
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/system/swarm_rest_scene.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

class Terminal : public RestHive {
public:
    Outcome swarm(std::vector<std::string> args) {
        args.insert(args.begin(), "swarm");
        return hive.run(std::move(args));
    }
    // Fails the test unless it succeeds.
    std::string said(std::vector<std::string> args) {
        const auto outcome = swarm(std::move(args));
        REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
        return outcome.out;
    }
    json::object told(std::vector<std::string> args) {
        args.emplace_back("--json");
        return object_in(said(std::move(args)));
    }
    std::string write(const std::string& name, const std::string& text) {
        return hive.home.write(name, text);
    }
    void make(const std::string& id, const std::string& text) {
        said({"create", id, "--template", write("t.json", text), "--start", "--wait"});
    }
};

// A command that goes on until it is told to end.
class Following {
public:
    Following(Terminal& terminal, std::vector<std::string> args)
        : terminal_{terminal}, file_{terminal.hive.home.path("following.log")} {
        args.insert(args.begin(), {hive::tests::hive_program(), "swarm"});
        std::vector<std::pair<std::string, std::string>> environment;
        for (const auto& one : terminal.hive.environment) environment.emplace_back(one);
        pid_ = spawn({.argv = std::move(args), .environment = environment, .output = file_});
    }
    ~Following() {
        if (pid_ > 0) interrupt();
    }
    Following(const Following&) = delete;
    Following& operator=(const Following&) = delete;

    std::string seen() const {
        std::ostringstream text;
        text << std::ifstream{file_}.rdbuf();
        return text.str();
    }
    bool sees(const std::string& part) {
        return terminal_.eventually([&] { return contains(seen(), part); });
    }
    int interrupt() { // its exit code; -1 when a signal or the test had to end it
        ::kill(pid_, SIGINT);
        int status = 0;
        const bool ended =
            terminal_.eventually([&] { return ::waitpid(pid_, &status, WNOHANG) == pid_; });
        if (!ended) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, &status, 0);
        }
        pid_ = -1;
        return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    Terminal& terminal_;
    std::string file_;
    pid_t pid_ = -1;
};

std::size_t count_of(const std::string& text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

} // namespace

TEST_CASE("a swarm is made, watched and taken away from the command line") {
    Terminal terminal;
    CHECK(contains(terminal.swarm({"list"}).err, "There are no swarms."));
    const auto yaml = terminal.write(
        "swarm.yaml",
        "bees:\n"
        "  - {id: gen, role: echo, work: {out: {out: raw}},\n"
        "     config: {inputs: {scheduler: {ratePerSec: 200}}, text: tick}}\n"
        "  - {id: fwd, role: echo, replicas: 2, work: {in: {in: raw}, out: {out: done}}}\n");
    const std::string made =
        terminal.said({"create", "alpha", "--template", yaml, "--start", "--wait", "--notes", "n"});
    CHECK(made == "alpha: swarm-create Ready\nalpha: swarm-start Running\n");

    const std::string listed = terminal.said({"list"});
    CHECK(listed.starts_with("ID "));
    CHECK(contains(listed, "Running"));
    CHECK(contains(listed, "3/3"));
    CHECK(contains(listed, "s ago\n"));
    const auto one = terminal.told({"list"}).at("items").as_array().front().as_object();
    CHECK(text_of(one, "id") == "alpha");
    CHECK(text_of(one, "receivedAt").ends_with("Z"));

    const std::string shown = terminal.said({"show", "alpha"});
    CHECK_MESSAGE(contains(shown, "[ok gen "), shown);
    CHECK(contains(shown, "/s] -> raw "));
    CHECK(contains(shown, "-> [ok fwd x2 "));
    CHECK(contains(shown, "/s] -> done "));
    CHECK_FALSE(contains(shown, "?"));
    const auto document = terminal.told({"show", "alpha"});
    CHECK(document.at("aggregate").at("queueStats").as_object().size() == 2);

    CHECK(terminal.said({"stop", "alpha", "--wait"}) == "alpha: swarm-stop Stopped\n");
    const auto started = terminal.told({"start", "alpha", "--wait"});
    CHECK(text_of(started, "status") == "Running");
    const auto accepted = terminal.told({"stop", "alpha"});
    CHECK(accepted.contains("watch"));
    CHECK(terminal.said({"remove", "alpha", "--wait"}) == "alpha: swarm-remove Removed\n");
    CHECK(terminal.swarm({"show", "alpha"}).exit_code == 3);
    CHECK(contains(terminal.said({"journal", "alpha"}), "swarm-remove"));
}

TEST_CASE("configuration is given by name and by file, to a swarm, a role or one bee") {
    Terminal terminal;
    terminal.make("alpha", quiet_template);
    CHECK(
        terminal.said({"config", "alpha", "--set", "text=hello world", "--wait"}) ==
        "alpha: config-update Applied\n");
    const auto whole = terminal.said(
        {"config", "alpha", "--role", "echo", "--set", "text=a", "--set",
         "inputs.scheduler.ratePerSec=20", "--wait"});
    CHECK(count_of(whole, "Applied") == 2);
    const auto patch = terminal.write("patch.yaml", "text: from a file\n");
    CHECK(
        terminal.said(
            {"config", "alpha", "--role", "echo", "--instance", "alpha-echo-1", "--patch", patch,
             "--wait"}) == "alpha: config-update Applied\n");

    const auto refused =
        terminal.swarm({"config", "alpha", "--set", "inputs.scheduler.ratePerSec=soon", "--wait"});
    CHECK(refused.exit_code == 1);
    CHECK(contains(refused.out, "config.inputs.scheduler.ratePerSec: expected a number"));
    const auto both =
        terminal.swarm({"config", "alpha", "--role", "echo", "--set", "volume=11", "--wait"});
    CHECK(both.exit_code == 1);
    CHECK(count_of(both.out, "Failed") == 2);
    CHECK(terminal.swarm({"config", "alpha"}).exit_code == 2);
    CHECK(terminal.swarm({"config", "alpha", "--set", "text"}).exit_code == 2);
    CHECK(terminal.swarm({"config", "alpha", "--instance", "x", "--set", "a=1"}).exit_code == 2);
    CHECK(terminal.swarm({"config", "nobody", "--set", "a=1"}).exit_code == 3);
}

TEST_CASE("controllers are paused and resumed, one of them and all") {
    Terminal terminal;
    terminal.make("alpha", quiet_template);
    terminal.make("beta", quiet_template);
    CHECK(terminal.said({"disable", "alpha", "--wait"}) == "alpha: config-update Applied\n");
    CHECK(count_of(terminal.said({"disable", "--all", "--wait"}), "Applied") == 2);
    const auto enabled = [&](const std::string& id) {
        const auto shown = terminal.told({"show", id});
        return shown.at("aggregate").at("controller").at("enabled").as_bool();
    };
    CHECK_FALSE(enabled("beta"));
    CHECK(count_of(terminal.said({"enable", "--all", "--wait"}), "Applied") == 2);
    CHECK(enabled("beta"));
    CHECK(terminal.swarm({"enable"}).exit_code == 2);
    CHECK(terminal.swarm({"enable", "alpha", "--all"}).exit_code == 2);
    CHECK(terminal.swarm({"enable", "nobody"}).exit_code == 3);
}

TEST_CASE("what is wrong is said once, with its place, and ends with the code for it") {
    Terminal terminal;
    const auto text = terminal.write("t.json", quiet_template);
    const auto bad_id = terminal.swarm({"create", "a.b", "--template", text});
    CHECK(bad_id.exit_code == 2);
    CHECK(bad_id.err.starts_with("error: /id: swarmId 'a.b' must start"));
    CHECK(count_of(bad_id.err, "must start") == 1);
    const auto wrong =
        terminal.write("wrong.json", R"({"bees":[{"role":"a b"},{"role":"echo","replicas":0}]})");
    const auto refused = terminal.swarm({"create", "alpha", "--template", wrong});
    CHECK(refused.exit_code == 2);
    CHECK(count_of(refused.err, "/template/bees/0/role: ") == 1);
    CHECK(count_of(refused.err, "/template/bees/1/replicas: ") == 1);

    terminal.said({"create", "alpha", "--template", text, "--wait"});
    const auto stop = terminal.swarm({"stop", "alpha", "--wait"});
    CHECK(stop.exit_code == 3);
    CHECK(contains(stop.err, "possible now: start"));
    const auto failing = terminal.write("failing.json", R"({"bees":[{"role":"nobody"}]})");
    const auto failed = terminal.swarm({"create", "beta", "--template", failing, "--wait"});
    CHECK(failed.exit_code == 1);
    CHECK(contains(failed.out, "beta: swarm-create Failed: "));
    CHECK(contains(failed.out, "nobody"));
}

TEST_CASE("the journal is read and followed, by people and by scripts") {
    Terminal terminal;
    terminal.make("alpha", quiet_template);
    const std::string all = terminal.said({"journal", "alpha"});
    CHECK(contains(all, "request    swarm-create"));
    CHECK(contains(all, "admin:queen"));
    const auto lines = terminal.said({"journal", "alpha", "--json", "--lines", "3"});
    CHECK(count_of(lines, "\n") == 3);
    CHECK(object_in(lines.substr(0, lines.find('\n'))).contains("sequence"));

    Following following{terminal, {"journal", "alpha", "--follow"}};
    REQUIRE(following.sees("swarm-create"));
    CHECK_FALSE(contains(following.seen(), "swarm-stop"));
    terminal.said({"stop", "alpha", "--wait"});
    CHECK(following.sees("request    swarm-stop"));
    CHECK(following.sees("outcome    swarm-stop"));
    CHECK(following.interrupt() == 130);
    CHECK(count_of(following.seen(), "request    swarm-stop") == 1);
}

TEST_CASE("a swarm is shown again and again until it is enough") {
    Terminal terminal;
    terminal.make("alpha", quiet_template);
    Following following{terminal, {"show", "alpha", "--follow"}};
    REQUIRE(following.sees("Running"));
    terminal.said({"stop", "alpha", "--wait"});
    CHECK(following.sees("Stopped"));
    CHECK(following.interrupt() == 130);
    CHECK(contains(following.seen(), "-> q1 0 -> [ok a 0/s] -> q2 0 -> [ok b 0/s] -> q3 0 ->\n"));
}

TEST_CASE("a tap prints what passes, a document a line") {
    Terminal terminal;
    terminal.make("alpha", busy_template);
    const std::string items =
        terminal.said({"tap", "alpha", "--queue", "done", "--for", "2s", "--max", "1000"});
    REQUIRE(count_of(items, "\n") >= 1);
    CHECK(object_in(items.substr(0, items.find('\n'))).contains("item"));
    CHECK(contains(items, R"("payload":"tick")"));
    CHECK(terminal.swarm({"tap", "alpha", "--queue", "nothing", "--for", "1s"}).exit_code == 3);
    CHECK(terminal.swarm({"tap", "alpha", "--for", "1s"}).exit_code == 2);
    Following following{terminal, {"tap", "alpha", "--role", "echo", "--for", "1h"}};
    CHECK(following.sees("tick"));
    CHECK(following.interrupt() == 130);
}
