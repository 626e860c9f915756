#include "kernel/json.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/system/cli_process.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

using namespace hive;
using namespace hive::tests;

namespace {

using namespace std::chrono_literals;

std::string content_of(const std::string& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

template <class Condition>
bool eventually(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

// A data directory in which a launcher that was killed left the component alpha/bee.
class Orphaned {
public:
    Orphaned() {
        const std::string said = scratch_.path("launcher");
        const pid_t launcher = spawn(
            {.argv =
                 {hive::tests::in_build("tests/runtime_component"), "launch", data(), "alpha",
                  "bee"},
             .output = said});
        REQUIRE(eventually([&] { return content_of(said).starts_with("launched\n"); }));
        ::kill(launcher, SIGKILL);
        REQUIRE(wait_for_exit(launcher, 30s));
        std::string record = content_of(data() + "/run/alpha/bee.json");
        REQUIRE(!record.empty());
        record.pop_back(); // its line end
        pid_ = static_cast<int>(parse_json(record)->at("pid").as_int64());
    }
    ~Orphaned() { ::kill(pid_, SIGKILL); }
    Orphaned(const Orphaned&) = delete;
    Orphaned& operator=(const Orphaned&) = delete;

    std::string data() const { return scratch_.path("data"); }
    int pid() const { return pid_; }

private:
    ScratchDirectory scratch_{};
    int pid_ = 0;
};

std::vector<json::object>
components_of(const std::string& data, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args{"doctor", "--json", "--port", "0", "--data", data};
    args.insert(args.end(), more.begin(), more.end());
    const auto run = run_hive(args);
    const auto report = parse_json(run.out.substr(0, run.out.size() - 1));
    REQUIRE_MESSAGE(report.has_value(), run.out);
    std::vector<json::object> found;
    for (const auto& check : report->at("checks").as_array()) {
        if (check.at("name").as_string() == "components") found.push_back(check.as_object());
    }
    return found;
}

std::string text_of(const json::object& check, std::string_view key) {
    return std::string{check.at(key).as_string()};
}

} // namespace

TEST_CASE("without components there is nothing to say about them, and nothing is made") {
    const ScratchDirectory scratch;
    const auto checks = components_of(scratch.path("data"));
    REQUIRE(checks.size() == 1);
    CHECK(text_of(checks[0], "health") == "good");
    CHECK(!std::filesystem::exists(scratch.path("data")));
}

TEST_CASE("a component without a server is named, with its process, its log and what to do") {
    const Orphaned orphaned;
    const auto checks = components_of(orphaned.data());
    REQUIRE(checks.size() == 1);
    CHECK(text_of(checks[0], "health") == "warning");
    CHECK(
        text_of(checks[0], "message") ==
        fmt::format(
            "alpha/bee (idle) runs as process {} without a server; its log is "
            "{}/logs/alpha/bee.log",
            orphaned.pid(), orphaned.data()));
    CHECK(
        text_of(checks[0], "remedy") ==
        fmt::format(
            "start the server on {}, which adopts it, or end it with 'kill {}'", orphaned.data(),
            orphaned.pid()));
}

TEST_CASE("a component of a running server is as it should be") {
    const Orphaned orphaned;
    const std::string path = orphaned.data() + "/hive.lock"; // what a server holds
    const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(::flock(lock, LOCK_EX) == 0);
    const auto checks = components_of(orphaned.data());
    ::close(lock);
    REQUIRE(checks.size() == 1);
    CHECK(text_of(checks[0], "health") == "good");
    // A lock that nobody holds any more is no server.
    CHECK(text_of(components_of(orphaned.data())[0], "health") == "warning");
}

TEST_CASE("whether a server with its store elsewhere runs is left to who asks") {
    const Orphaned orphaned;
    const auto checks = components_of(
        orphaned.data(), {"--store", "postgres://127.0.0.1:1/hive", "--timeout", "100ms"});
    REQUIRE(checks.size() == 1);
    CHECK(text_of(checks[0], "health") == "note");
    CHECK(text_of(checks[0], "remedy").starts_with("if no server runs, "));
}

TEST_CASE("the record of a component that is gone is a note") {
    const Orphaned orphaned;
    ::kill(orphaned.pid(), SIGKILL);
    REQUIRE(eventually([&] { return components_of(orphaned.data()).size() == 2; }));
    const auto checks = components_of(orphaned.data());
    CHECK(text_of(checks[0], "health") == "good");
    CHECK(text_of(checks[1], "health") == "note");
    CHECK(
        text_of(checks[1], "message") ==
        "1 component that is gone left a record; the server removes it");
}

TEST_CASE("a file that is no record is told with its path") {
    const ScratchDirectory scratch;
    std::filesystem::create_directories(scratch.path("data/run/alpha"));
    const auto path = scratch.write("data/run/alpha/bee.json", "{}");
    const auto checks = components_of(scratch.path("data"));
    REQUIRE(checks.size() == 1);
    CHECK(text_of(checks[0], "health") == "warning");
    CHECK(text_of(checks[0], "message").starts_with(path + " is not a record"));
}
