#include "tests/contract/runtime/process_site.hpp"
#include "tests/contract/runtime/scene.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

using namespace hive;
using namespace hive::contract;

namespace {

ProcessSite& site_of(Scene& scene) {
    return dynamic_cast<ProcessSite&>(scene.place());
}

int pid_of(runtime::Runtime& runtime) {
    const auto all = runtime.running();
    REQUIRE(all.has_value());
    REQUIRE(all->size() == 1);
    return all->front().pid.value_or(0);
}

Status launch_by(runtime::Runtime& runtime, const runtime::Name& name) {
    Awaited launched;
    runtime.launch({.name = name}, launched.done());
    return launched.get();
}

// What a launcher holds while it launches in a swarm.
int hold(const std::string& directory) {
    REQUIRE(::mkdir(directory.c_str(), 0700) == 0);
    const int held = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    REQUIRE(::flock(held, LOCK_EX) == 0);
    return held;
}

// Every process that was told its directory at launch, with or without a record.
std::set<int> processes_of(const ProcessSite& site) {
    const std::string mark = "SAYING=" + site.directory() + '\0';
    std::set<int> found;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
        const int pid = std::atoi(entry.path().filename().c_str());
        if (pid == 0) continue;
        if (content_of(entry.path() / "environ").find(mark) != std::string::npos) found.insert(pid);
    }
    return found;
}

// A process of its own that has launched `s/bee` in the site's directory. Killed, not stopped.
class OtherLauncher {
public:
    explicit OtherLauncher(const ProcessSite& site)
        : said_{site.directory() + "-launcher"},
          pid_{tests::spawn(
              {.argv =
                   {hive::tests::in_build("tests/runtime_component"), "launch", site.directory(),
                    "s", "bee"},
               .output = said_})} {
        CHECK(eventually(
            [this] { return content_of(said_).find("launched\n") != std::string::npos; }));
    }
    ~OtherLauncher() { kill(); }
    OtherLauncher(const OtherLauncher&) = delete;
    OtherLauncher& operator=(const OtherLauncher&) = delete;

    void kill() {
        if (pid_ == 0) return;
        ::kill(pid_, SIGKILL);
        CHECK(tests::wait_for_exit(std::exchange(pid_, 0), std::chrono::milliseconds{30'000}));
    }

private:
    std::string said_;
    pid_t pid_;
};

} // namespace

TEST_CASE("components outlive their runtime, and the next one adopts them") {
    Scene scene;
    const auto bee = scene.launch_settled("idle", "bee");
    const int pid = pid_of(scene.runtime());
    scene.close_runtime();
    CHECK(::kill(pid, 0) == 0);

    const auto next = scene.place().open();
    const Exits exits{*next};
    REQUIRE(launch_by(*next, bee).has_value());
    CHECK(pid_of(*next) == pid);
    ::kill(pid, SIGKILL);
    const auto told = exits.wait_for(1);
    REQUIRE(told.size() == 1);
    CHECK(told[0].name == bee);
    CHECK(told[0].failed);
    CHECK(told[0].cause == "killed by SIGKILL"); // still a child of this process
    CHECK(told[0].last_lines == std::vector<std::string>{"ready"});
}

TEST_CASE("a component whose launcher was killed lives on, is adopted and stopped") {
    Scene scene;
    ProcessSite& site = site_of(scene);
    OtherLauncher launcher{site};
    const auto bee = named("idle", "bee");
    const int pid = pid_of(scene.runtime());
    REQUIRE(eventually([&] { return site.is_settled(bee); }));
    launcher.kill();
    CHECK(::kill(pid, 0) == 0);
    CHECK(pid_of(scene.runtime()) == pid);
    REQUIRE(scene.launch(bee).has_value());
    CHECK(pid_of(scene.runtime()) == pid);
    CHECK(site.said().contains("component adopted"));
    REQUIRE(scene.stop(bee).has_value());
    CHECK(scene.running() == 0);
    CHECK(scene.exits().all().empty());
}

TEST_CASE("the exit of an adopted component is told, and that how it ended is not known") {
    Scene scene;
    OtherLauncher launcher{site_of(scene)};
    const auto bee = named("idle", "bee");
    REQUIRE(scene.launch(bee).has_value());
    ::kill(pid_of(scene.runtime()), SIGKILL);
    const auto told = scene.exits().wait_for(1);
    REQUIRE(told.size() == 1);
    CHECK(told[0].failed);
    CHECK(told[0].cause.find("how is not known") != std::string::npos);
}

TEST_CASE("what another process launched can be stopped without being adopted") {
    Scene scene;
    OtherLauncher launcher{site_of(scene)};
    REQUIRE(scene.stop(named("idle", "bee")).has_value());
    CHECK(scene.running() == 0);
}

TEST_CASE("what another process launched is stopped with its swarm") {
    Scene scene;
    OtherLauncher launcher{site_of(scene)};
    scene.launch_settled("idle", "other");
    CHECK(scene.running() == 2);
    REQUIRE(scene.stop_all(runtime::Which::bees).has_value());
    CHECK(scene.running() == 0);
    CHECK(scene.exits().all().empty());
}

TEST_CASE("two runtimes that launch the same at once end with one process") {
    Scene scene;
    const auto other = scene.place().open();
    const Exits others{*other};
    for (int round = 0; round < 20; ++round) {
        const auto bee = named("idle", "bee-" + std::to_string(round));
        Awaited here;
        Awaited there;
        std::jthread elsewhere{[&] { other->launch({.name = bee}, there.done()); }};
        scene.runtime().launch({.name = bee}, here.done());
        elsewhere.join();
        CHECK(here.get().has_value());
        CHECK(there.get().has_value());
    }
    CHECK(scene.running() == 20);
    // Each has all of them: whoever started one, both hear of its end.
    const auto all = scene.runtime().running();
    for (const auto& one : *all) ::kill(one.pid.value_or(0), SIGKILL);
    CHECK(scene.exits().wait_for(20).size() == 20);
    CHECK(others.wait_for(20).size() == 20);
    CHECK(eventually([&] { return scene.running() == 0; }));
}

TEST_CASE("a launch waits while another process launches in the swarm, and not for ever") {
    ProcessSite site;
    auto options = site.options();
    const auto runtime = site.open(options);
    options.lock_patience = 50ms;
    const auto hasty = site.open(options);
    const auto held = hold(site.directory() + "/run/s");
    Awaited waiting;
    runtime->launch({.name = named("idle", "bee")}, waiting.done());
    const Status refused = launch_by(*hasty, named("idle", "bee"));
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == Errc::timeout);
    CHECK(!waiting.is_there());
    ::close(held);
    CHECK(waiting.get().has_value());
    Awaited stopped;
    runtime->stop(named("idle", "bee"), long_grace, stopped.done());
    CHECK(stopped.get().has_value());
}

TEST_CASE("a launcher that is killed at any moment leaves no process without a record") {
    for (const std::size_t seen : std::vector<std::size_t>{1, 2, 3, 5, 8}) {
        Scene scene;
        ProcessSite& site = site_of(scene);
        std::vector<std::string> argv{
            hive::tests::in_build("tests/runtime_component"), "launch", site.directory(), "s"};
        for (int i = 0; i < 200; ++i) argv.push_back("bee-" + std::to_string(i));
        const pid_t launcher = tests::spawn({.argv = argv});
        CHECK(eventually([&] { return scene.running() >= seen; }));
        ::kill(launcher, SIGKILL);
        CHECK(tests::wait_for_exit(launcher, std::chrono::milliseconds{30'000}));
        // One that waits at its gate is ending; after that only recorded ones are left.
        std::set<int> recorded;
        CHECK(eventually([&] {
            recorded.clear();
            const auto running = scene.runtime().running();
            for (const auto& one : running.value()) recorded.insert(one.pid.value());
            return processes_of(site) == recorded;
        }));
        // The newest of those that were seen may have waited at its gate.
        CHECK(recorded.size() + 1 >= seen);
        REQUIRE(scene.stop_all(runtime::Which::everything).has_value());
        const auto left = processes_of(site);
        CHECK(left.empty());
        for (const int pid : left) ::kill(pid, SIGKILL); // nobody else would find them
    }
}

TEST_CASE("a child that ended is reaped") {
    Scene scene;
    scene.launch_settled("idle", "bee");
    const int pid = pid_of(scene.runtime());
    ::kill(pid, SIGKILL);
    REQUIRE(scene.exits().wait_for(1).size() == 1);
    CHECK(::kill(pid, 0) != 0);
}
