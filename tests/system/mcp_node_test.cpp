// The client of the official SDK, from npm, against the real program.
#include "tests/support/places.hpp"
#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

bool eventually(const std::function<bool()>& true_now) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < deadline) {
        if (true_now()) return true;
        std::this_thread::sleep_for(50ms);
    }
    return false;
}

// The agent's lines go to a file; what it is to do next, to its input.
class Agent {
public:
    Agent(const RunningHive& hive, const std::string& key, const std::string& how)
        : lines_{hive.home.path("agent-lines")} {
        std::filesystem::remove(lines_);
        const std::string where = how == "stdio" ? hive_program() : hive.url;
        input_.reset(::popen(
            fmt::format(
                "HIVE_SERVER='{}' HIVE_KEY='{}' NODE_PATH='{}' exec node "
                "'{}/tests/system/mcp_client.cjs' {} '{}' > '{}' 2>&1",
                hive.url, key, in_build("npm-system/node_modules"), in_source(""), how, where,
                lines_)
                .c_str(),
            "w"));
    }

    // The line that begins so, once it is there.
    std::string line(const std::string& begin) {
        std::string found;
        const bool there = eventually([&] {
            std::ifstream file{lines_};
            for (std::string line; std::getline(file, line);) {
                if (line.starts_with("failed")) return true;
                if (!line.starts_with(begin)) continue;
                found = line;
                return true;
            }
            return false;
        });
        CHECK(there);
        if (found.empty()) FAIL("no line '" << begin << "' in\n" << text());
        return found;
    }
    std::string text() const {
        std::ifstream file{lines_};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
    void go_on() {
        std::fputs("go on\n", input_.get());
        std::fflush(input_.get());
    }

private:
    std::string lines_;
    std::unique_ptr<FILE, int (*)(FILE*)> input_{nullptr, ::pclose};
};

void work_as_agent(const std::string& how) {
    const RunningHive hive;
    const std::string key =
        text_of(hive.ask({"key", "create", "--owner", "BEE-9", "--role", "bee"}), "key");
    REQUIRE(hive.run({"task", "create", "Measure it"}).exit_code == 0);
    REQUIRE(hive.run({"message", "send", "bee:BEE-9", "well done"}).exit_code == 0);
    Agent agent{hive, key, how};
    CHECK(agent.line("server") == "server pockethive");
    CHECK(
        agent.line("tools") == "tools ready claim progress complete fail ask inbox send approvals");
    CHECK(agent.line("ready") == "ready Measure it");
    CHECK(agent.line("claimed") == "claimed claimed true");
    CHECK(agent.line("progress") == "progress in_progress 40");
    CHECK(contains(agent.line("complete"), "complete completed"));
    CHECK(agent.line("nothing") == "nothing 0");
    CHECK(agent.line("inbox") == "inbox hello true");
    CHECK(agent.line("mine") == "mine well done");
    CHECK(agent.line("asked") == "asked request");
    CHECK(agent.line("error") == "error -32602");
    const std::string so_far = agent.text();
    CHECK(contains(so_far, "(stale-lease)"));
    CHECK(contains(so_far, "/percent"));
    // Where the hive has approvals they are asked for and listed, else the agent is told so.
    const bool decides = agent.line("decision") == "decision open";
    const std::string without = "This hive decides nothing by approvals";
    CHECK(contains(agent.line("decision"), decides ? "open" : without));
    CHECK(contains(agent.line("approvals"), decides ? "Deploy?" : without));
    // What the agent did is in the audit log under its own name.
    CHECK(contains(hive.run({"audit", "search", "--actor", "bee:BEE-9"}).out, "task.completed"));

    agent.line("waiting");
    agent.go_on();
    agent.line("cancelled");
    // The waiting claim gets this task for nobody, and gives it back.
    REQUIRE(hive.run({"task", "create", "Later"}).exit_code == 0);
    CHECK(eventually([&] { return contains(hive.run({"audit", "search"}).out, "task.released"); }));
    CHECK(contains(hive.run({"task", "list", "--state", "pending"}).out, "Later"));
    agent.go_on();
    agent.line("closed");
}

} // namespace

TEST_CASE("an agent works over standard input and output") {
    work_as_agent("stdio");
}

TEST_CASE("an agent works over Streamable HTTP") {
    work_as_agent("http");
}

TEST_CASE("hive mcp without a server says how to name one, and ends with its input") {
    const Person nobody;
    CHECK(nobody.run({"mcp"}).exit_code == 2);
    const RunningHive hive;
    const auto talk =
        hive.shell("printf '%s\\n' '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}' '{' "
                   "'{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/"
                   "call\",\"params\":{\"name\":\"ready\"}}' "
                   "| \"$HIVE\" mcp");
    CHECK(talk.exit_code == 0);
    CHECK(contains(talk.out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"));
    CHECK(contains(talk.out, "-32700"));
    CHECK(contains(talk.out, "\"tasks\":[]"));
}
