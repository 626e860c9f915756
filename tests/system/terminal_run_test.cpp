#include "report/columns.hpp"
#include "tests/system/run_scene.hpp"
#include "tests/system/terminal_scene.hpp"

#include <algorithm>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

} // namespace

TEST_SUITE("hive run in a terminal") {
    TEST_CASE("the view fits whatever the width, and an interrupt ends it with a report") {
        for (const int width : {60, 80, 120, 200}) {
            CAPTURE(width);
            const RunScene scene{
                {.usual = {.delay = mock::Delay{.first = 3ms}, .error_ratio = {0.2}}}};
            const Terminal terminal{width, 40};
            terminal.type(fmt::format(
                "{} run {} --rate 100 --duration 5m; echo \"ended with $?\"",
                hive::tests::hive_program(), scene.url("/a/rather/long/path/to/see/what/is/cut")));
            // The second look at latencies: by then there is a trend.
            terminal.until("a view with a trend", [](const std::string& text) {
                return contains(text, "now") && contains(text, "max ");
            });
            const std::string text = terminal.shown();
            CAPTURE(text);
            CHECK(contains(text, " of 5:00"));
            CHECK(contains(text, " left"));
            CHECK(contains(text, "100/s planned"));
            CHECK(contains(text, "p50"));
            CHECK(contains(text, "p99"));
            CHECK(contains(text, "errors"));
            CHECK(contains(text, "500"));
            CHECK(contains(text, "queues"));
            CHECK(contains(text, "results"));
            CHECK(contains(text, "generator"));
            const auto lines = terminal.lines();
            // A line that wrapped would leave its rest at the beginning of the next one.
            CHECK(std::ranges::count_if(lines, [](const std::string& line) {
                      return contains(line, "errors");
                  }) == 1);
            CHECK(std::ranges::all_of(lines, [&](const std::string& line) {
                return report::columns_of(line) <= static_cast<std::size_t>(width);
            }));
            terminal.press("C-c");
            const auto end = terminal.until_shows("ended with 130");
            CHECK(contains(end, "Latency"));
            CHECK(!contains(end, " left")); // the view has gone
        }
    }

    TEST_CASE("a view that is higher than the terminal is cut, not scrolled away") {
        const RunScene scene;
        const Terminal terminal{80, 10};
        terminal.type(fmt::format(
            "{} run {} --rate 50 --duration 5m", hive::tests::hive_program(), scene.url()));
        terminal.until("a view", [](const std::string& text) { return contains(text, "now"); });
        const auto lines = terminal.lines();
        CHECK(std::ranges::count_if(lines, [](const std::string& line) {
                  return contains(line, " of 5:00");
              }) == 1);
        terminal.press("C-c");
    }

    TEST_CASE("where standard error is no terminal there is a line every few seconds") {
        const RunScene scene;
        const auto done = scene.run({scene.url(), "--rate", "50", "--duration", "7s"});
        CHECK(done.exit_code == 0);
        CHECK(std::ranges::count(done.err, '\n') == 2);
        CHECK(contains(done.err, " of 0:07  "));
        CHECK(!contains(done.err, "\x1b"));
        CHECK(!contains(done.out, "\x1b"));
    }

    TEST_CASE("a new scenario is made by questions") {
        const tests::ScratchDirectory files;
        const Terminal terminal{100, 30};
        terminal.type(
            fmt::format("cd {} && {} scenario new", files.path(), hive::tests::hive_program()));
        terminal.until_shows("Folder to make");
        terminal.type("shop");
        terminal.until_shows("Kind (");
        terminal.type("");
        terminal.until_shows("URL of");
        terminal.type("http://127.0.0.1:1/orders");
        terminal.until_shows("Method");
        terminal.type("POST");
        terminal.until_shows("Calls per second");
        terminal.type("7");
        terminal.until_shows("How long");
        terminal.type("3s");
        terminal.until_shows("hive run shop");
        const auto text = RunScene::text_of(files.path("shop/scenario.yaml"));
        CHECK(contains(text, "ratePerSec: 7\n"));
        CHECK(contains(text, "maxMessages: 21"));
        CHECK(contains(text, "path: /orders\n"));
    }
}
