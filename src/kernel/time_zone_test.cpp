#include "kernel/time_zone.hpp"
#include "kernel/time_zone_rule.hpp"
#include "kernel/timestamp.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace hive;
using namespace std::chrono_literals;

namespace {

std::string number(std::int64_t value, int width) {
    std::string out;
    for (int shift = (width - 1) * 8; shift >= 0; shift -= 8) {
        out += static_cast<char>(value >> shift);
    }
    return out;
}

struct Kind {
    std::int64_t offset;
};
struct Moved {
    std::int64_t at;
    std::int64_t kind;
};

std::string header(std::size_t times, std::size_t kinds) {
    std::string out = "TZif2" + std::string(15, '\0');
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{0}, std::size_t{0}, times, kinds, std::size_t{1}}) {
        out += number(static_cast<std::int64_t>(count), 4);
    }
    return out;
}

// As a compiler of time zones writes it: an empty first part, then the real one.
std::string
file(const std::vector<Moved>& moved, const std::vector<Kind>& kinds, std::string_view rule) {
    std::string out = header(0, 1) + number(0, 4) + std::string(3, '\0');
    out += header(moved.size(), kinds.size());
    for (const auto& one : moved) out += number(one.at, 8);
    for (const auto& one : moved) out += number(one.kind, 1);
    for (const auto& one : kinds) out += number(one.offset, 4) + std::string(2, '\0');
    return out + std::string(1, '\0') + fmt::format("\n{}\n", rule);
}

Timestamp at(std::string_view text) {
    return parse_timestamp(text).value();
}

std::string changes(std::string_view rule, int year) {
    std::string out;
    for (const auto& [time, offset] :
         TimeZoneRule::parse(rule)->changes_in(std::chrono::year{year})) {
        out += fmt::format(
            "{} {}; ", format_timestamp(Timestamp{time}),
            std::chrono::duration_cast<std::chrono::minutes>(offset).count());
    }
    return out;
}

} // namespace

TEST_CASE("rules of every form say when clocks are set") {
    CHECK(
        changes("CET-1CEST,M3.5.0,M10.5.0/3", 2026) ==
        "2026-03-29T01:00:00Z 120; 2026-10-25T01:00:00Z 60; ");
    CHECK(
        changes("EST5EDT,M3.2.0,M11.1.0", 2026) ==
        "2026-03-08T07:00:00Z -240; 2026-11-01T06:00:00Z -300; ");
    CHECK(
        changes("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 2026) == // the evening before
        "2026-03-29T01:00:00Z -60; 2026-10-25T01:00:00Z -120; ");
    CHECK(
        changes("IST-1GMT0,M10.5.0,M3.5.0/1", 2026) == // winter is the exception
        "2026-03-29T01:00:00Z 60; 2026-10-25T01:00:00Z 0; ");
    CHECK(
        changes("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026) ==
        "2026-04-04T15:00:00Z 630; 2026-10-03T15:30:00Z 660; ");
    CHECK(
        changes("AAA0BBB,J60/0,300/0", 2028) == // 1 March also in a leap year; from 0
        "2028-03-01T00:00:00Z 60; 2028-10-26T23:00:00Z 0; ");
    CHECK(changes("JST-9", 2026).empty());
    for (const auto* text :
         {"", "CE-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
          "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/x",
          "CET-1CEST,M3.5.0,M10.5.0 ", "<+01-1", "CET-200", "CET-1:60", "AAA0BBB,J0,J5",
          "AAA0BBB,J366,J5", "AAA0BBB,366,5"}) {
        CHECK_MESSAGE(!TimeZoneRule::parse(text), text);
    }
}

TEST_CASE("a file says what clocks showed, and its rule what they will show") {
    const auto zone = TimeZone::read(
        "Test/Place", file({{0, 1}, {1000, 0}}, {{-600}, {3600}}, "AAA0BBB,M3.5.0,M10.5.0"));
    REQUIRE_MESSAGE(zone, zone.error().detail);
    CHECK(zone->name() == "Test/Place");
    CHECK(zone->offset_at(at("1969-12-31T23:59:59Z")) == -600s);
    CHECK(zone->offset_at(at("1970-01-01T00:00:00Z")) == 3600s);
    CHECK(zone->offset_at(at("1970-01-01T01:00:00Z")) == -600s);
    CHECK(zone->offset_at(at("2026-07-01T00:00:00Z")) == 3600s);
    CHECK(zone->offset_at(at("2026-12-01T00:00:00Z")) == 0s);
    CHECK(zone->offset_at(at("2199-07-01T00:00:00Z")) == 3600s);
    CHECK(TimeZone{}.offset_at(at("2026-07-01T00:00:00Z")) == 0s);
}

TEST_CASE("a time that clocks show twice has two moments, and one they skip has that of setting") {
    const auto zone =
        TimeZone::read("Test/Place", file({}, {{3600}}, "CET-1CEST,M3.5.0,M10.5.0/3")).value();
    const auto local = [](std::string_view text) {
        return std::chrono::local_seconds{
            std::chrono::floor<std::chrono::seconds>(at(text)).time_since_epoch()};
    };
    const auto doubled = zone.when(local("2026-10-25T02:30:00Z"));
    CHECK(doubled.first == at("2026-10-25T00:30:00Z"));
    CHECK(doubled.last == at("2026-10-25T01:30:00Z"));
    const auto skipped = zone.when(local("2026-03-29T02:30:00Z"));
    CHECK(skipped.first == at("2026-03-29T01:00:00Z"));
    CHECK(skipped.last == skipped.first);
    for (const auto* text :
         {"2026-03-29T01:59:59Z", "2026-03-29T03:00:00Z", "2026-10-25T01:59:59Z",
          "2026-10-25T03:00:00Z", "2026-07-01T12:00:00Z"}) {
        const auto plain = zone.when(local(text));
        CHECK(plain.first == plain.last);
        CHECK(zone.to_local(plain.first) == local(text));
    }
}

TEST_CASE("a file that is damaged anywhere is refused or reads, and never more than that") {
    const std::string good =
        file({{0, 1}, {1000, 0}}, {{-600}, {3600}}, "CET-1CEST,M3.5.0,M10.5.0/3");
    REQUIRE(TimeZone::read("Test/Place", good));
    for (std::size_t length = 0; length < good.size(); ++length) {
        CHECK_MESSAGE(!TimeZone::read("Test/Place", good.substr(0, length)), length);
    }
    for (std::size_t i = 0; i < good.size(); ++i) {
        for (const char other : {'\0', '\x7f', '\xff'}) {
            std::string bad = good;
            bad[i] = other;
            const auto read = TimeZone::read("Test/Place", bad);
            if (read) CHECK(abs(read->offset_at(at("2026-07-01T00:00:00Z"))) <= 26h);
        }
    }
}
