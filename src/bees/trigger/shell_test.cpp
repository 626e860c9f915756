#include "bees/trigger/shell.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

using namespace hive;
using namespace hive::bees;
using namespace std::chrono_literals;

namespace {

ShellResult run(const std::string& command, Duration timeout = 60s, std::size_t most = 65'536) {
    const SystemClock clock;
    const std::atomic<bool> cancel{false};
    return run_shell({command, timeout, most}, clock, cancel);
}

} // namespace

TEST_SUITE("shell commands") {
    TEST_CASE("what it says on both streams is kept, and how it ended is told") {
        const auto good = run("echo out; echo err >&2; cat");
        CHECK(good.ok());
        CHECK(good.output == "out\nerr\n"); // and there is nothing to read for `cat`
        const auto bad = run("exit 3");
        CHECK_FALSE(bad.ok());
        CHECK(bad.exit_code == 3);
        CHECK(run("kill -TERM $$").exit_code == 128 + 15);
    }
    TEST_CASE("output without end is counted, not kept") {
        const auto result = run("head -c 1000000 /dev/zero", 60s, 100);
        CHECK(result.ok());
        CHECK(result.output.size() == 100);
        CHECK(result.output_bytes == 1'000'000);
    }
    TEST_CASE("a command that takes too long ends, with all that it started") {
        const auto result = run("sleep 1000 & echo begun; sleep 1000", 300ms);
        CHECK(result.timed_out);
        CHECK_FALSE(result.ok());
        CHECK(result.output == "begun\n");
        CHECK(result.took < 30s);
    }
    TEST_CASE("somebody in the background does not hold it up") {
        const auto result = run("sleep 1000 & echo done");
        CHECK(result.ok());
        CHECK(result.output == "done\n");
        CHECK(result.took < 30s);
    }
    TEST_CASE("it is ended when nobody wants it any more") {
        const SystemClock clock;
        std::atomic<bool> cancel{false};
        std::thread later{[&] {
            std::this_thread::sleep_for(100ms);
            cancel = true;
        }};
        const auto result = run_shell({"sleep 1000", 600s}, clock, cancel);
        later.join();
        CHECK(result.problem.find("cancelled") != std::string::npos);
        CHECK(result.took < 30s);
    }
    TEST_CASE("the environment of the hive stays here") {
        REQUIRE(::setenv("HIVE_TEST_SECRET", "honey", 1) == 0);
        CHECK(run("env").output.find("honey") == std::string::npos);
        REQUIRE(::unsetenv("HIVE_TEST_SECRET") == 0);
    }
}
