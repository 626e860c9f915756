#include "kernel/json.hpp"
#include "tests/contract/runtime/process_site.hpp"
#include "tests/contract/runtime/scene.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

using namespace hive;
using namespace hive::contract;

namespace {

namespace fs = std::filesystem;

ProcessSite& site_of(Scene& scene) {
    return dynamic_cast<ProcessSite&>(scene.place());
}

mode_t mode_of(const std::string& path) {
    struct stat status{};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777U;
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

// Everything in a directory, as one text.
std::string everything_in(const std::string& directory) {
    std::string all;
    for (const auto& entry : fs::recursive_directory_iterator{directory}) {
        all += entry.path().string() + "\n";
        if (entry.is_regular_file()) all += content_of(entry.path().string());
    }
    return all;
}

} // namespace

TEST_CASE("records and logs are their owner's only, and hold no secret") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    const auto bee = named("idle", "bee");
    Awaited launched;
    scene.runtime().launch(
        {.name = bee, .environment = {{"BROKER", "amqp://bee:hunter2@h"}}}, launched.done());
    REQUIRE(launched.get().has_value());
    REQUIRE(eventually([&] { return site.is_settled(bee); }));
    CHECK(mode_of(site.directory()) == 0700);
    CHECK(mode_of(site.directory() + "/run") == 0700);
    CHECK(mode_of(site.directory() + "/run/s") == 0700);
    CHECK(mode_of(site.directory() + "/logs/s") == 0700);
    CHECK(mode_of(site.record_of(bee)) == 0600);
    CHECK(mode_of(site.log_of(bee)) == 0600);
    const std::string all = everything_in(site.directory());
    CHECK(contains(all, "bee.json"));
    CHECK(!contains(all, "hunter2"));
    for (const auto& line : site.said().lines()) CHECK(!contains(line, "hunter2"));
}

TEST_CASE("a component gets a clean start: little environment, no terminal, no stray descriptor") {
    REQUIRE(::setenv("SERVER_SECRET", "hunter2", 1) == 0);
    REQUIRE(::setenv("HIVE_LOG_LEVEL", "debug", 1) == 0);
    const int stray = ::dup2(STDIN_FILENO, 57); // without O_CLOEXEC
    const auto before = ::signal(SIGUSR1, SIG_IGN);
    {
        Scene scene;
        const auto bee = scene.launch_settled("tells", "bee");
        const std::string said = content_of(site_of(scene).log_of(bee));
        CHECK(contains(said, "HIVE_LOG_LEVEL=debug\n"));
        CHECK(contains(said, "PATH="));
        CHECK(!contains(said, "hunter2"));
        CHECK(contains(said, "blocked 0, ignored 0, session of its own 1, descriptor 57 0\n"));
    }
    ::signal(SIGUSR1, before);
    ::close(stray);
    ::unsetenv("HIVE_LOG_LEVEL");
    ::unsetenv("SERVER_SECRET");
}

TEST_CASE("the record of a swarm's last component takes its directory along, logs stay") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    const auto first = scene.launch_settled("idle", "first");
    const auto second = scene.launch_settled("idle", "second");
    REQUIRE(scene.stop(first).has_value());
    CHECK(!fs::exists(site.record_of(first)));
    CHECK(fs::exists(site.directory() + "/run/s"));
    REQUIRE(scene.stop(second).has_value());
    CHECK(!fs::exists(site.directory() + "/run/s"));
    CHECK(fs::exists(site.log_of(first)));
    REQUIRE(scene.launch(named("fails", "third")).has_value());
    REQUIRE(scene.exits().wait_for(1).size() == 1);
    CHECK(eventually([&] { return !fs::exists(site.directory() + "/run/s"); }));
}

TEST_CASE("a process that was given the number of a dead component is left alone") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    const auto bee = scene.launch_settled("idle", "bee");
    const int pid = scene.runtime().running()->front().pid.value_or(0);
    scene.close_runtime();
    auto text = content_of(site.record_of(bee));
    text.pop_back(); // its line end
    auto record = parse_json(text);
    REQUIRE(record.has_value());
    const auto ticks = record->at("startTicks").to_number<std::uint64_t>();
    record->as_object()["startTicks"] = ticks + 1;
    std::ofstream{site.record_of(bee)} << to_text(*record);

    const auto found = runtime::process::find_records(site.directory());
    REQUIRE(found.has_value());
    REQUIRE(found->size() == 1);
    CHECK(!found->front().alive);
    const auto next = scene.place().open();
    CHECK(next->running()->empty());
    Awaited stopped;
    next->stop(bee, 0s, stopped.done());
    CHECK(stopped.get().has_value());
    CHECK(eventually([&] { return !fs::exists(site.record_of(bee)); }));
    CHECK(::kill(pid, 0) == 0);
    ::kill(pid, SIGKILL);
}

TEST_CASE("records of the dead are removed by the next runtime") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    const auto bee = scene.launch_settled("idle", "bee");
    const int pid = scene.runtime().running()->front().pid.value_or(0);
    scene.close_runtime();
    ::kill(pid, SIGKILL);
    REQUIRE(
        eventually([&] { return !runtime::process::find_records(site.directory())->at(0).alive; }));
    const auto next = scene.place().open();
    CHECK(eventually([&] { return !fs::exists(site.directory() + "/run/s"); }));
}

TEST_CASE("a file that is no record is told, and nothing is launched over it") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    const auto bee = named("idle", "bee");
    scene.launch_settled("idle", "healthy");
    std::ofstream{site.record_of(bee)} << "{\"pid\": 1}";
    const auto refused = scene.launch(bee);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == Errc::conflict);
    CHECK(contains(refused.error().detail, site.record_of(bee) + " is not a record"));
    CHECK(scene.running() == 1);
    const auto stopped = scene.stop_all(runtime::Which::everything);
    REQUIRE(!stopped.has_value());
    CHECK(contains(stopped.error().detail, site.record_of(bee)));
    CHECK(scene.running() == 0); // the healthy one is stopped all the same
    fs::remove(site.record_of(bee));
}

TEST_CASE("a program that cannot be run is named with the reason, and leaves no record") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    auto options = site.options();
    for (const auto& [program, reason] : std::vector<std::pair<std::string, std::string>>{
             {"/nowhere/hive", "No such file or directory"},
             {site.directory(), "Permission denied"}}) {
        options.program = program;
        const auto runtime = site.open(options);
        Awaited launched;
        runtime->launch({.name = named("idle", "bee")}, launched.done());
        const Status status = launched.get();
        REQUIRE(!status.has_value());
        CHECK(status.error().detail == program + " cannot be run: " + reason);
        CHECK(!fs::exists(site.directory() + "/run/s"));
        CHECK(runtime->running()->empty());
    }
}

TEST_CASE("a directory that cannot be written is a clear error") {
    // These fail for root as well, whom permission bits do not stop.
    Scene scene;
    ProcessSite& site = site_of(scene);
    const SystemClock clock;
    LogCapture capture;
    LogLevels levels;
    const auto refused = runtime::process::make_runtime(
        {.program = hive::tests::in_build("tests/runtime_component"), .directory = "/proc/hive"},
        clock, {capture, clock, levels, "runtime"});
    REQUIRE(!refused.has_value());
    CHECK(contains(refused.error().detail, "directory /proc/hive cannot be made"));

    std::ofstream{site.directory() + "/run/s"} << "in the way";
    const auto launched = scene.launch(named("idle", "bee"));
    REQUIRE(!launched.has_value());
    CHECK(contains(launched.error().detail, site.directory() + "/run/s cannot be made"));
    fs::remove(site.directory() + "/run/s");
    CHECK(scene.launch(named("idle", "bee")).has_value());
}

TEST_CASE("a record that cannot be written starts nothing") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    const auto bee = named("idle", "bee");
    fs::create_directories(site.directory() + "/run/.s.bee.tmp"); // where it would be written
    const auto launched = scene.launch(bee);
    REQUIRE(!launched.has_value());
    CHECK(contains(launched.error().detail, "cannot be written"));
    CHECK(scene.running() == 0);
    CHECK(content_of(site.log_of(bee)).empty()); // it never ran
}
