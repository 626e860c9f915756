#include "kernel/json.hpp"
#include "kernel/log.hpp"
#include "kernel/log_capture.hpp"
#include "kernel/log_format.hpp"
#include "kernel/log_limit.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>

#include <thread>

using namespace hive;
using namespace std::chrono_literals;

namespace {

struct LogUnderTest {
    LogCapture sink{};
    VirtualClock clock{*parse_timestamp("2025-09-12T12:34:56.789Z")};
    LogLevels levels{};
    Logger log{sink, clock, levels, "bus"};
};

std::string json_of(const LogRecord& record) {
    std::string line;
    append_json_line(line, record);
    return line;
}

} // namespace

TEST_CASE("a record for people has time, level, area, message and fields on one line") {
    LogUnderTest t;
    t.log.info(
        "connected", {{"host", "localhost"}, {"port", 5672}, {"took", 250ms}, {"tls", true}});
    t.log.warn("odd", {{"text", "two words"}, {"empty", ""}, {"quote", "a\"b"}, {"ratio", 0.5}});
    CHECK(
        t.sink.lines() ==
        std::vector<std::string>{
            "12:34:56.789 INFO  bus      connected host=localhost port=5672 took=250ms tls=true",
            "12:34:56.789 WARN  bus      odd text=\"two words\" empty=\"\" quote=\"a\\\"b\" "
            "ratio=0.5"});
}

TEST_CASE("a record for machines is one JSON object per line with typed fields") {
    const LogField fields[] = {
        {"port", 5672}, {"tls", true}, {"ratio", 0.5}, {"took", Duration{250ms}}, {"level", "x"}};
    const auto line = json_of(
        {.at = *parse_timestamp("2025-09-12T12:34:56Z"),
         .level = LogLevel::error,
         .area = "bus",
         .message = "lost",
         .fields = fields});
    CHECK(
        line == "{\"time\":\"2025-09-12T12:34:56Z\",\"level\":\"error\",\"area\":\"bus\","
                "\"message\":\"lost\",\"fields\":{\"port\":5672,\"tls\":true,\"ratio\":0.5,"
                "\"took\":\"250ms\",\"level\":\"x\"}}\n");
}

TEST_CASE("no value can forge a second line or break the JSON") {
    const std::string hostile = "a\n12:00:00.000 INFO  audit    all is well\x1b[2J\xff\r";
    const LogField fields[] = {{"x\n", hostile}};
    const LogRecord record{.area = "a\nb", .message = hostile, .fields = fields};
    std::string human;
    append_human(human, record, false);
    CHECK(human.find('\n') == human.size() - 1);
    CHECK(human.find('\x1b') == human.npos);
    const std::string line = json_of(record);
    CHECK(line.find('\n') == line.size() - 1);
    CHECK(parse_json(line.substr(0, line.size() - 1)).has_value());
}

TEST_CASE("huge values and too many fields are cut") {
    const std::string huge(1'000'000, 'x');
    const std::vector<LogField> fields(1000, LogField{"f", huge});
    const LogRecord record{.area = "a", .message = huge, .fields = fields};
    std::string human;
    append_human(human, record, false);
    CHECK(human.size() < 200'000);
    CHECK(json_of(record).size() < 200'000);
}

TEST_CASE("a secret in a field is masked") {
    LogUnderTest t;
    t.log.info("login", {{"password", Secret{"hunter2"}}});
    CHECK(t.sink.contains("password=***"));
    CHECK_FALSE(t.sink.contains("hunter2"));
}

TEST_CASE("levels are set per area while loggers are in use") {
    LogUnderTest t;
    const Logger wire = t.log.for_area("wire");
    t.log.debug("hidden");
    CHECK(t.sink.lines().empty());
    REQUIRE(t.levels.set("warn,bus=debug"));
    t.log.debug("shown");
    wire.info("hidden");
    wire.warn("shown");
    CHECK(t.sink.lines().size() == 2);
    CHECK_FALSE(t.log.for_area("new").is_on(LogLevel::info));
    REQUIRE(t.levels.set("off"));
    wire.error("hidden");
    CHECK(t.sink.lines().size() == 2);
}

TEST_CASE("a level that does not exist changes nothing and is named") {
    LogUnderTest t;
    for (const char* spec : {"", "loud", "info,", "info,bus", "info,bus=loud", "=info", "info,,"}) {
        const auto set = t.levels.set(spec);
        REQUIRE_MESSAGE(!set.has_value(), spec);
        CHECK(set.error().detail.find("is not a log level") != std::string::npos);
        CHECK_FALSE(check_log_levels(spec).has_value());
    }
    CHECK(t.log.is_on(LogLevel::info));
}

TEST_CASE("more areas than the bound share the general level") {
    LogUnderTest t;
    for (int i = 0; i < 200; ++i) t.log.for_area("area" + std::to_string(i));
    const Logger late = t.log.for_area("late");
    REQUIRE(t.levels.set("error"));
    CHECK_FALSE(late.is_on(LogLevel::warn));
}

TEST_CASE("colours appear only when asked for") {
    std::string human;
    append_human(human, {.level = LogLevel::warn, .area = "a", .message = "m"}, true);
    CHECK(human.find("\x1b[33mWARN") != human.npos);
}

TEST_CASE("repeated messages are held back and counted") {
    LogUnderTest t;
    LogLimit limit{t.sink, {.burst = 2, .window = 10s}};
    const Logger log{limit, t.clock, t.levels, "bus"};
    for (int i = 0; i < 50; ++i) log.warn("lost", {{"i", i}});
    log.warn("another");
    CHECK(t.sink.lines().size() == 3);
    t.clock.advance(10s);
    log.warn("lost");
    CHECK(t.sink.lines().back().find("lost left_out=48") != std::string::npos);
    t.clock.advance(10s);
    log.warn("lost");
    CHECK(t.sink.lines().back().find("left_out") == std::string::npos);
}

TEST_CASE("threads may log, and change levels, at the same time") {
    LogUnderTest t;
    LogLimit limit{t.sink, {.burst = 1'000'000}};
    std::vector<std::jthread> threads;
    for (int n = 0; n < 4; ++n) {
        threads.emplace_back([&limit, &t] {
            const Logger log{limit, t.clock, t.levels, "bus"};
            for (int i = 0; i < 200; ++i) {
                log.error("tick", {{"i", i}});
                REQUIRE(t.levels.set(i % 2 == 0 ? "info,bus=warn" : "debug"));
            }
        });
    }
    threads.clear();
    CHECK(t.sink.lines().size() == 800);
}
