#include "report/columns.hpp"
#include "report/screen.hpp"
#include "report/spark.hpp"
#include "tests/support/sample_run.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <numeric>

using namespace hive;
using namespace hive::report;
using hive::tests::at_second;
using hive::tests::SampleRun;

namespace {

// As a terminal shows it: without the escapes.
std::string shown(std::string_view line) {
    std::string out;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b')
            i = line.find('m', i);
        else
            out += line[i];
    }
    return out;
}

std::string joined(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != text.npos;
}

Run nasty_run() {
    Run run = at_second(SampleRun{}.make(), 120);
    run.summary.scenario = std::string(300, 'x') + "\x1b[2J\n";
    Moment& last = run.moments.back();
    for (int i = 0; i < 60; ++i) {
        last.bees.push_back(
            {"role", fmt::format("蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂蜂-{}", i), 1e12, "odd\nstate"});
        last.depths[fmt::format("queue-with-a-long-name-{}", i)] = 18'446'744'073'709'551'615U;
        run.errors[fmt::format("error \x1b[31m {}", i)] = 123'456'789'012U;
    }
    return run;
}

} // namespace

TEST_CASE("no line is wider than the screen and there are not more than fit") {
    const std::vector<Run> runs{
        Run{}, at_second(SampleRun{}.make(), 1), at_second(SampleRun{}.make(), 115),
        SampleRun{}.make(), nasty_run()};
    for (const Run& run : runs) {
        for (std::size_t width = 1; width <= 220; ++width) {
            for (const std::size_t height : {0U, 1U, 3U, 8U, 15U, 24U, 60U}) {
                const auto lines = screen(run, {width, height, width % 2 == 0});
                REQUIRE(lines.size() <= height);
                for (const std::string& line : lines) {
                    REQUIRE(line.find('\n') == line.npos);
                    REQUIRE_MESSAGE(columns_of(shown(line)) <= width, shown(line));
                }
            }
        }
    }
}

TEST_CASE("the view says how far, how fast, how slow, what failed and who works") {
    const Run run = at_second(SampleRun{}.make(), 120);
    for (const std::size_t width : {60U, 80U, 120U, 200U}) {
        const std::string text = joined(screen(run, {width, 40, false}));
        CAPTURE(text);
        CHECK(contains(text, "checkout: ramp over the knee"));
        CHECK(contains(text, "2:00 of 3:00"));
        CHECK(contains(text, "67 %  1:00 left"));
        CHECK(contains(text, "of 6,500/s"));
        CHECK(contains(text, "p99.9"));
        CHECK(contains(text, "from due"));
        CHECK(contains(text, "next     back to 3,600/s in 0:09"));
        CHECK(contains(text, "timeout"));
        CHECK(contains(text, "alpha-processor-2"));
        CHECK(contains(text, "→ 800"));
        CHECK(contains(text, "█"));
        CHECK(text.find('\x1b') == text.npos);
    }
    CHECK(contains(joined(screen(run, {80, 40, true})), "\x1b["));
}

TEST_CASE("a guard that keeps its queue in the bracket is no warning, one that does not is") {
    Run run = at_second(SampleRun{}.make(), 30);
    const auto line_of_guard = [&](const char* state) {
        run.moments.back().guards.at("mod").state = state;
        for (const std::string& line : screen(run, {100, 40, true})) {
            if (contains(line, state)) return line;
        }
        return std::string{};
    };
    CHECK(contains(line_of_guard("STEADY"), "\x1b[32mSTEADY"));
    CHECK(contains(line_of_guard("BACKPRESSURE"), "\x1b[33mBACKPRESSURE"));
}

TEST_CASE("with little height what matters stays") {
    const Run run = at_second(SampleRun{}.make(), 120);
    const std::string text = joined(screen(run, {80, 10, false}));
    CHECK(contains(text, "2:00 of 3:00"));
    CHECK(contains(text, " planned"));
    CHECK(contains(text, "now"));
    CHECK_FALSE(contains(text, "alpha-processor-2"));
    CHECK(contains(joined(screen(run, {80, 1, false})), "2:00 of 3:00"));
    CHECK(contains(joined(screen(nasty_run(), {80, 24, false})), "more"));
}

TEST_CASE("text from outside cannot move the cursor") {
    for (const std::string& line : screen(nasty_run(), {100, 40, false}))
        REQUIRE(line.find('\x1b') == line.npos);
}

TEST_CASE("a log line says the last second and the whole") {
    const std::string line = plain_line(at_second(SampleRun{}.make(), 120));
    CAPTURE(line);
    CHECK(line.starts_with("2:00 of 3:00  "));
    CHECK(contains(line, "of 6,500/s  p50 "));
    CHECK(contains(line, "failed "));
    CHECK(contains(line, "of 800 "));
    CHECK(plain_line(Run{}).starts_with("0:00  0/s"));
}

TEST_CASE("a sparkline keeps peaks and a bar its width") {
    std::vector<double> values(100, 1);
    values[37] = 8;
    const std::string spark = sparkline(values, 20, 8);
    CHECK(columns_of(spark) == 20);
    CHECK(contains(spark, "█"));
    CHECK(sparkline({}, 20, 0).empty());
    for (int i = 0; i <= 100; ++i) CHECK(columns_of(bar(i / 100.0, 13)) == 13);
    CHECK(bar(1, 3) == "███");
    CHECK(bar(7, 3) == "███");
    CHECK(bar(-1, 3) == "   ");
}

TEST_CASE("columns count what a terminal shows") {
    CHECK(columns_of("µs→█") == 4);
    CHECK(columns_of("蜂") == 2);
    CHECK(columns_of("e\u0301") == 1);
    CHECK(clipped("abcdef", 4) == "abc…");
    CHECK(clipped("蜂蜂蜂", 4) == "蜂…");
    CHECK(clipped("abc", 0).empty());
    Line line{5, false};
    line.right("7", 3).add("abcdef");
    CHECK(line.text() == "  7a…");
    CHECK(line.room() == 0);
}
