#include "bees/postprocessor/json_lines.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

using namespace hive;
using namespace hive::bees;

namespace {

std::string text_of(const std::string& path) {
    std::ifstream file{path};
    return {std::istreambuf_iterator<char>{file}, {}};
}

} // namespace

TEST_SUITE("rows in a file") {
    TEST_CASE("rows are appended, and all are there once it is closed") {
        const tests::ScratchDirectory scratch;
        const auto path = (scratch.path() / "rows.jsonl").string();
        for (int i = 0; i < 2; ++i) {
            auto sink = JsonLines::open({.path = path}).value();
            sink->add(fmt::format(R"({{"n":{}}})", i));
            CHECK(text_of(path).find(fmt::format(R"("n":{})", i)) == std::string::npos);
        }
        CHECK(text_of(path) == "{\"n\":0}\n{\"n\":1}\n");
    }
    TEST_CASE("a full file is put aside; no row is cut and the oldest files go") {
        const tests::ScratchDirectory scratch;
        const auto path = (scratch.path() / "rows.jsonl").string();
        auto sink = JsonLines::open({.path = path, .bytes_max = {100}, .keep = 2}).value();
        for (int i = 0; i < 5; ++i) {
            sink->add(std::string(70, static_cast<char>('a' + i)));
            sink->flush();
        }
        CHECK(text_of(path) == std::string(70, 'e') + "\n");
        CHECK(text_of(path + ".1") == std::string(70, 'd') + "\n");
        CHECK(text_of(path + ".2") == std::string(70, 'c') + "\n");
        CHECK_FALSE(std::filesystem::exists(path + ".3"));
        json::object said;
        sink->report(said);
        CHECK(said.at("jsonLines").at("written").to_number<int>() == 5);
        CHECK(said.at("jsonLines").at("rotations").to_number<int>() == 4);
    }
    TEST_CASE("a file that cannot be written is said at once; a full disk is counted") {
        const auto nowhere = JsonLines::open({.path = "/nowhere/rows.jsonl"});
        REQUIRE_FALSE(nowhere);
        CHECK(nowhere.error().detail.find("/nowhere/rows.jsonl") != std::string::npos);

        auto sink = JsonLines::open({.path = "/dev/full"}).value();
        sink->add("{}");
        sink->flush();
        CHECK_FALSE(sink->healthy());
        json::object said;
        sink->report(said);
        CHECK(said.at("jsonLines").at("dropped").to_number<int>() == 1);
        CHECK(said.at("jsonLines").as_object().contains("lastError"));
    }
}
