#include "tests/contract/runtime/process_site.hpp"
#include "tests/contract/runtime/scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

using namespace hive;
using namespace hive::contract;

namespace {

namespace fs = std::filesystem;

// The numbers that lines begin with.
std::vector<int> numbers_in(const std::string& text) {
    std::vector<int> numbers;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
        if (text[at] >= '0' && text[at] <= '9') numbers.push_back(std::stoi(text.substr(at, 12)));
        if (text.find('\n', at) == std::string::npos) break;
    }
    return numbers;
}

} // namespace

TEST_CASE("an exit brings the end of the log, bounded and safe to show") {
    Scene scene;
    REQUIRE(scene.launch(named("aborts", "bee")).has_value());
    const auto exits = scene.exits().wait_for(1);
    REQUIRE(exits.size() == 1);
    CHECK(exits[0].failed);
    CHECK(exits[0].cause == "killed by SIGABRT");
    const auto& lines = exits[0].last_lines;
    REQUIRE(lines.size() >= 2);
    CHECK(lines.size() <= 20);
    CHECK(lines.back() == "last");
    std::size_t bytes = 0;
    for (const auto& line : lines) {
        bytes += line.size();
        CHECK(std::ranges::none_of(line, [](char c) {
            return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0xff;
        }));
    }
    CHECK(bytes <= 32U << 10U);
    CHECK(lines[lines.size() - 2].find("red") != std::string::npos);
}

TEST_CASE("the last lines are those of this life, not of an earlier one") {
    Scene scene;
    const auto first = named("aborts", "bee");
    REQUIRE(scene.launch(first).has_value());
    REQUIRE(scene.exits().wait_for(1).size() == 1);
    REQUIRE(scene.launch(named("fails", "bee")).has_value());
    const auto exits = scene.exits().wait_for(2);
    REQUIRE(exits.size() == 2);
    CHECK(exits[1].last_lines == std::vector<std::string>{"ready", "the queue is not there"});
}

TEST_CASE("a log that grows is rotated, and only so many are kept") {
    ProcessSite site;
    auto options = site.options();
    options.log_bytes_max = 4096;
    options.logs_kept = 2;
    const auto runtime = site.open(options);
    const auto bee = named("chatty", "bee");
    Awaited launched;
    runtime->launch({.name = bee}, launched.done());
    REQUIRE(launched.get().has_value());
    const std::string log = site.log_of(bee);
    // Three rotations: the first copy has gone by then.
    REQUIRE(eventually([&] { return fs::exists(log + ".2"); }));
    const auto oldest = numbers_in(content_of(log + ".2"));
    REQUIRE(eventually([&] { return numbers_in(content_of(log + ".2")) != oldest; }));
    Awaited stopped;
    runtime->stop(bee, long_grace, stopped.done());
    REQUIRE(stopped.get().has_value());
    CHECK(!fs::exists(log + ".3"));
    const auto older = numbers_in(content_of(log + ".2"));
    const auto newer = numbers_in(content_of(log + ".1"));
    REQUIRE(!older.empty());
    REQUIRE(!newer.empty());
    CHECK(older.back() < newer.front());
    const auto newest = numbers_in(content_of(log));
    if (!newest.empty()) CHECK(newer.back() < newest.front());
    CHECK(std::ranges::is_sorted(newer));
}
