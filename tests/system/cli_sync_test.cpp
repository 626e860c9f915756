#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/system/cli_hive.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

bool eventually(const std::function<bool()>& holds) {
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) return false;
        std::this_thread::sleep_for(20ms);
    }
    return true;
}

// `hive sync watch` in the background, as somebody at a terminal has it.
class Watching {
public:
    Watching(const RunningHive& hive, std::vector<std::string> more)
        : output_{hive.home.path("watched" + std::to_string(more.size()))} {
        more.insert(more.begin(), {hive::tests::hive_program(), "sync", "watch"});
        pid_ = spawn(
            {.argv = std::move(more),
             .environment = {hive.environment.begin(), hive.environment.end()},
             .output = output_});
    }
    ~Watching() {
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Watching(const Watching&) = delete;
    Watching& operator=(const Watching&) = delete;

    std::string seen() const {
        std::ostringstream text;
        text << std::ifstream{output_}.rdbuf();
        return text.str();
    }
    // Ctrl-C; how it ended.
    int interrupt() {
        ::kill(pid_, SIGINT);
        int status = 0;
        REQUIRE(::waitpid(pid_, &status, 0) == pid_);
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private:
    std::string output_;
    pid_t pid_ = -1;
};

void write_task(const std::string& deia, const std::string& name, std::string_view title) {
    std::ofstream{deia + "/hive/tasks/" + name} << "# " << title << "\n\n**From:** Q33N\n";
}

std::string made_deia(const Person& person) {
    const std::string deia = person.home.path("repo/.deia");
    std::filesystem::create_directories(deia + "/hive/tasks/BOT-002");
    std::ofstream{deia + "/hive/tasks/BOT-002/TASK-002-001-P1-mend.md"}
        << "# Mend the fence\n\n**Task ID:** TASK-002-001\n**From:** AGENT_003\n";
    return deia;
}

} // namespace

TEST_CASE("what the reader sees in a file, and why, without a server") {
    const Person person;
    const std::string file = made_deia(person) + "/hive/tasks/BOT-002/TASK-002-001-P1-mend.md";
    const auto told = person.run({"sync", "explain", file});
    CHECK_MESSAGE(told.exit_code == 0, told.err);
    CHECK(contains(told.out, "hive/tasks/BOT-002/TASK-002-001-P1-mend.md: task"));
    CHECK(contains(told.out, "BOT-003"));
    CHECK(contains(told.out, "bold header 'from', line 4"));
    CHECK(contains(told.out, "inbox directory"));
    const auto json = person.ask({"sync", "explain", file});
    CHECK(json.at("fields").at("priority").at("value").as_int64() == 1);
    CHECK(person.run({"sync", "explain", file, "--zone", "Mars"}).exit_code == 2);
    CHECK(person.run({"sync", "explain", "nowhere.md"}).exit_code != 0);
}

TEST_CASE("a file without a time is as old as its first commit, and explain says so") {
    const Person person;
    const std::string deia = made_deia(person);
    const std::string file = deia + "/hive/tasks/BOT-002/TASK-002-001-P1-mend.md";
    CHECK(contains(person.run({"sync", "explain", file}).out, "when the file was changed"));
    const auto made = person.shell(
        "cd '" + person.home.path("repo") +
        "' && export GIT_CONFIG_GLOBAL=/dev/null GIT_COMMITTER_DATE=2025-01-01T00:00:00Z && "
        "git init --quiet && git add . && "
        "git -c user.name=n -c user.email=e commit --quiet --message m");
    REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    const auto told = person.run({"sync", "explain", file});
    CHECK(contains(told.out, "first commit in git"));
    CHECK(contains(told.out, "2025-01-01T00:00:00Z"));
}

TEST_CASE("a hive beside a .deia directory keeps it in step, and says so") {
    const Person person;
    const std::string deia = made_deia(person);
    const RunningHive hive{{"--deia", deia}};
    const auto pulled = hive.run({"sync", "pull"});
    CHECK_MESSAGE(pulled.exit_code == 0, pulled.err);
    CHECK(contains(hive.run({"task", "list"}).out, "TASK-002-001-P1-mend"));
    CHECK(contains(hive.run({"sync", "status"}).out, "last-write"));
    hive.run({"task", "create", "By API"});
    const auto pushed = hive.run({"sync", "push"});
    CHECK_MESSAGE(pushed.exit_code == 0, pushed.err);
    bool found = false;
    for (const auto& entry : std::filesystem::directory_iterator{deia + "/hive/tasks"})
        found = found || contains(entry.path().string(), "by-api");
    CHECK(found);
    CHECK(contains(hive.run({"sync", "push", "--dry-run"}).out, "Nothing was done."));
}

TEST_CASE("files that are taken and written are shown as it happens, until Ctrl-C") {
    const Person person;
    const std::string deia = made_deia(person);
    const RunningHive hive{{"--deia", deia}};
    Watching watching{hive, {}};
    Watching watching_json{hive, {"--json"}};
    // Both may come later than a file: more of them, until one is seen.
    int files = 0;
    const bool seen = eventually([&] {
        write_task(deia, "seen-" + std::to_string(++files) + ".md", "Seen");
        return contains(watching.seen(), "seen-") && contains(watching_json.seen(), "seen-");
    });
    CHECK_MESSAGE(seen, watching.seen(), watching_json.seen());
    CHECK(contains(watching.seen(), " pulled "));
    CHECK(contains(watching.seen(), "hive/tasks/seen-"));
    const std::string lines = watching_json.seen();
    const auto event = object_in(lines.substr(0, lines.find('\n')));
    CHECK(text_of(event, "event") == "sync.pulled");
    CHECK(text_of(event, "direction") == "pull");
    hive.run({"task", "create", "By API"});
    CHECK(eventually([&] { return contains(watching.seen(), " pushed 1 file: hive/tasks/"); }));
    for (Watching* one : {&watching, &watching_json}) {
        CHECK(one->interrupt() == 130);
        CHECK(one->seen().ends_with('\n')); // whole lines, and no last words
        CHECK_FALSE(contains(one->seen(), "error"));
    }
}

TEST_CASE("hive up beside a .deia directory keeps it in step without being told") {
    const Person person;
    const std::string deia = made_deia(person);
    const RunningHive hive{{}, person.home.path("repo")};
    CHECK(eventually(
        [&] { return contains(hive.run({"task", "list"}).out, "TASK-002-001-P1-mend"); }));
    const auto taken = hive.ask({"task", "show", "TASK-002-001-P1-mend"});
    CHECK(text_of(taken, "title") == "Mend the fence");
    CHECK(text_of(taken, "filePath") == "hive/tasks/BOT-002/TASK-002-001-P1-mend.md");
    const auto made = hive.ask({"task", "create", "Paint the gate"});
    const auto ref = text_of(made, "ref");
    CHECK(eventually([&] { return hive.ask({"task", "show", ref}).contains("filePath"); }));
    const auto path = text_of(hive.ask({"task", "show", ref}), "filePath");
    std::ostringstream text;
    text << std::ifstream{deia + "/" + path}.rdbuf();
    CHECK(contains(text.str(), "Paint the gate"));
    CHECK(contains(text.str(), "ref: \"" + ref + "\""));
}

TEST_CASE("a hive without files says how to have them") {
    const RunningHive hive;
    CHECK(contains(hive.run({"sync", "status"}).out, "--deia"));
    const auto refused = hive.run({"sync", "pull"});
    CHECK(refused.exit_code != 0);
    CHECK(contains(refused.err, "colony.files.root"));
}
