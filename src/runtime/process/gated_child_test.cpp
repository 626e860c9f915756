#include "runtime/process/ending.hpp"
#include "runtime/process/gated_child.hpp"
#include "runtime/process/living.hpp"
#include "runtime/process/log_file.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <optional>

using namespace hive;
using namespace hive::runtime::process;

namespace {

struct ShellUnderTest {
    tests::ScratchDirectory scratch{};
    std::string path = (scratch.path() / "log").string();
    OpenLog log = std::move(*open_log(path));

    GatedChild fork(const std::string& script) const {
        auto child = GatedChild::fork({{"/bin/sh", "-c", script}, {"WORD=hello"}}, log.file);
        REQUIRE(child.has_value());
        return std::move(*child);
    }
    std::vector<std::string> lines() const { return last_lines(path, 0, 10); }
};

Ending wait_for_end(const Descriptor& pidfd) {
    pollfd waiting{.fd = pidfd.get(), .events = POLLIN, .revents = 0};
    REQUIRE(::poll(&waiting, 1, 30'000) == 1);
    return take_ending(pidfd);
}

bool lives(const Identity& process) {
    const auto pidfd = open_living(process);
    REQUIRE(pidfd.has_value());
    return static_cast<bool>(*pidfd);
}

} // namespace

TEST_CASE("a child runs its program once its gate is opened") {
    const ShellUnderTest shell;
    auto child = shell.fork("echo $WORD; echo trouble >&2; exit 7");
    const auto before = identify(child.pid());
    REQUIRE(before.has_value());
    CHECK(shell.lines().empty());
    const auto pidfd = child.open_gate();
    REQUIRE(pidfd.has_value());
    const Ending ending = wait_for_end(*pidfd);
    CHECK(ending.failed);
    CHECK(ending.cause == "exit code 7");
    CHECK(shell.lines() == std::vector<std::string>{"hello", "trouble"});
}

TEST_CASE("a child whose gate stays closed ends without having run") {
    const ShellUnderTest shell;
    std::optional<GatedChild> child{shell.fork("echo ran")};
    const int pid = child->pid();
    child.reset();
    const auto lines = shell.lines(); // a sanitizer may have had something to say
    CHECK(std::ranges::find(lines, "ran") == lines.end());
    CHECK(::kill(pid, 0) != 0); // ended and reaped
}

TEST_CASE("a program that cannot be run says why") {
    const ShellUnderTest shell;
    auto child = GatedChild::fork({{"/nowhere/program"}, {}}, shell.log.file);
    REQUIRE(child.has_value());
    const auto opened = child->open_gate();
    REQUIRE(!opened.has_value());
    CHECK(opened.error().code == Errc::not_found);
    CHECK(opened.error().detail == "/nowhere/program cannot be run: No such file or directory");
}

TEST_CASE("a child that is killed at its gate ends as one that ran") {
    const ShellUnderTest shell;
    auto child = shell.fork("echo ran");
    const auto process = identify(child.pid());
    REQUIRE(process.has_value());
    ::kill(child.pid(), SIGKILL);
    const auto pidfd = child.open_gate();
    REQUIRE(pidfd.has_value());
    CHECK(wait_for_end(*pidfd).cause == "killed by SIGKILL");
    CHECK(shell.lines().empty());
}

TEST_CASE("a process is told from a later one with its number") {
    const ShellUnderTest shell;
    auto child = shell.fork("sleep 60");
    auto process = identify(child.pid());
    REQUIRE(process.has_value());
    const auto pidfd = child.open_gate();
    REQUIRE(pidfd.has_value());
    CHECK(lives(*process)); // exec changes nothing
    Identity later = *process;
    ++later.start_ticks;
    CHECK(!lives(later));
    Identity earlier_boot = *process;
    earlier_boot.boot = "another";
    CHECK(!lives(earlier_boot));
    REQUIRE(send_signal(*pidfd, SIGTERM).has_value());
    CHECK(wait_for_end(*pidfd).cause == "killed by SIGTERM");
    CHECK(!lives(*process));
    CHECK(send_signal(*pidfd, SIGTERM).has_value()); // gone is gone
}
