#include "runtime/process/log_file.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::runtime::process;

namespace {

using Lines = std::vector<std::string>;

struct LogUnderTest {
    tests::ScratchDirectory scratch{};
    std::string path = (scratch.path() / "bee.log").string();

    void append(const std::string& text) const { std::ofstream{path, std::ios::app} << text; }
    std::string content(const std::string& suffix = "") const {
        std::ifstream file{path + suffix};
        return {std::istreambuf_iterator<char>{file}, {}};
    }
};

} // namespace

TEST_CASE("the last lines of a log are its newest, the newest last") {
    const LogUnderTest log;
    CHECK(last_lines(log.path, 0, 3).empty());
    log.append("one\ntwo\n\nfour");
    CHECK(last_lines(log.path, 0, 3) == Lines{"two", "", "four"});
    CHECK(last_lines(log.path, 0, 9) == Lines{"one", "two", "", "four"});
    CHECK(last_lines(log.path, 4, 9) == Lines{"two", "", "four"});
    CHECK(last_lines(log.path, 99, 1) == Lines{"four"}); // emptied since
    CHECK(last_lines(log.path, 0, 0).empty());
}

TEST_CASE("the last lines are bounded however long a line is") {
    const LogUnderTest log;
    log.append(std::string(1'000'000, 'x') + "\nend\n");
    CHECK(last_lines(log.path, 0, 20) == Lines{"end"});
    log.append(std::string(1'000'000, 'y'));
    const auto lines = last_lines(log.path, 0, 20);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].size() <= 1100);
    CHECK(lines[0].starts_with("yyy"));
}

TEST_CASE("control characters of a log do not reach who reads its last lines") {
    const LogUnderTest log;
    log.append("\x1b[2Jgone\r\n");
    const auto lines = last_lines(log.path, 0, 1);
    REQUIRE(lines.size() == 1);
    CHECK(lines[0].find('\x1b') == std::string::npos);
    CHECK(lines[0].find('\r') == std::string::npos);
    CHECK(lines[0].find("gone") != std::string::npos);
}

TEST_CASE("a rotated log is kept under a number, and its writer goes on in an empty one") {
    const LogUnderTest log;
    auto writer = open_log(log.path);
    REQUIRE(writer.has_value());
    for (const std::string& text : {std::string{"a\n"}, std::string{"b\n"}, std::string{"c\n"}}) {
        REQUIRE(::write(writer->file.get(), text.data(), text.size()) == 2);
        REQUIRE(rotate_log(log.path, 2).has_value());
    }
    REQUIRE(::write(writer->file.get(), "d\n", 2) == 2);
    CHECK(log.content() == "d\n");
    CHECK(log.content(".1") == "c\n");
    CHECK(log.content(".2") == "b\n");
    CHECK(!std::filesystem::exists(log.path + ".3"));
    CHECK(size_of_log(log.path) == 2);
}

TEST_CASE("a log of which nothing is kept is emptied") {
    const LogUnderTest log;
    log.append("a\n");
    REQUIRE(rotate_log(log.path, 0).has_value());
    CHECK(log.content().empty());
    CHECK(!std::filesystem::exists(log.path + ".1"));
}

TEST_CASE("a log that cannot be copied is emptied all the same, and that is told") {
    const LogUnderTest log;
    log.append("a\n");
    std::filesystem::create_directory(log.path + ".1");
    const auto rotated = rotate_log(log.path, 1);
    REQUIRE(!rotated.has_value());
    CHECK(rotated.error().detail.find("without a copy") != std::string::npos);
    CHECK(log.content().empty());
}

TEST_CASE("a log that is not there cannot be rotated") {
    const LogUnderTest log;
    const auto rotated = rotate_log(log.path, 1);
    REQUIRE(!rotated.has_value());
    CHECK(rotated.error().code == Errc::not_found);
}
