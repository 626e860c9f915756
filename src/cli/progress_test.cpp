#include "cli/progress.hpp"

#include <doctest/doctest.h>

#include <sstream>

using namespace hive;
using namespace hive::cli;
using namespace std::chrono_literals;

namespace {

struct Terminal {
    std::ostringstream out{};
    std::ostringstream err{};
    VirtualClock clock{};
    Host host(bool terminal) {
        return {.out = out, .err = err, .env = {}, .clock = clock, .progress = terminal};
    }
};

} // namespace

TEST_CASE("progress is told after a while, not too often, and is gone at the end") {
    Terminal terminal;
    Host host = terminal.host(true);
    {
        Progress progress{host, "verifying"};
        progress.at(1, 200);
        CHECK(terminal.err.str().empty());
        terminal.clock.advance(500ms);
        progress.at(50, 200);
        progress.at(51, 200);
        CHECK(terminal.err.str() == "\r\x1b[Kverifying 25%");
        terminal.clock.advance(100ms);
        progress.at(7, 0);
        CHECK(terminal.err.str().ends_with("verifying 7"));
    }
    CHECK(terminal.err.str().ends_with("\r\x1b[K"));
}

TEST_CASE("nothing is told where there is no terminal") {
    Terminal terminal;
    Host host = terminal.host(false);
    {
        Progress progress{host, "verifying"};
        terminal.clock.advance(1h);
        progress.at(50, 200);
    }
    CHECK(terminal.err.str().empty());
}
