#include "csv/table.hpp"
#include "tests/support/scratch_directory.hpp"

#include <doctest/doctest.h>

#include <fstream>

using namespace hive;
using namespace hive::csv;

namespace {

struct Scene {
    tests::ScratchDirectory directory{};

    Table::Options file(std::string_view text) const {
        const auto path = directory.path() / "rows.csv";
        std::ofstream{path, std::ios::binary} << text;
        return {.path = path.string()};
    }
};

std::vector<std::string> rest_of(Table& table) {
    std::vector<std::string> rows;
    for (;;) {
        const auto found = table.next().value();
        if (found == Table::Found::end) return rows;
        if (found == Table::Found::nothing_yet) continue;
        std::string row;
        if (found == Table::Found::bad_row) {
            row = std::to_string(table.line()) + ": " + std::string{table.problem()};
        } else {
            table.append_json(row);
        }
        rows.push_back(row);
    }
}

using Rows = std::vector<std::string>;

} // namespace

TEST_CASE("the header names the columns, after a byte order mark too") {
    const Scene scene;
    auto table = Table::open(scene.file("\xef\xbb\xbf"
                                        "id,name,\n1,\"a \"\"b\"\"\",x\n2,,y\n"))
                     .value();
    CHECK(
        rest_of(*table) ==
        Rows{R"({"id":"1","name":"a \"b\"","col2":"x"})", R"({"id":"2","name":"","col2":"y"})"});
    CHECK(table->row() == 2);
    REQUIRE(table->rewind());
    CHECK(rest_of(*table).size() == 2);
}

TEST_CASE("without a header columns are counted and rows may differ") {
    const Scene scene;
    auto options = scene.file("a;b\nc\n");
    options.header = false;
    options.rules.delimiter = ';';
    auto table = Table::open(options).value();
    CHECK(rest_of(*table) == Rows{R"({"col0":"a","col1":"b"})", R"({"col0":"c"})"});
}

TEST_CASE("bad rows are told with their line and passed over") {
    const Scene scene;
    auto table = Table::open(scene.file("a,b\n1,2\n3\n\"4\n\"5,6\n\xff,7\n8,9\n")).value();
    CHECK(
        rest_of(*table) ==
        Rows{
            R"({"a":"1","b":"2"})", "3: the row has 1 columns, the header 2",
            "4: text behind the closing quote of a field",
            "6: the row is not valid UTF-8; if the file is in Latin-1, set the charset",
            R"({"a":"8","b":"9"})"});
}

TEST_CASE("Latin-1 becomes UTF-8") {
    const Scene scene;
    auto options = scene.file("stra\xdf"
                              "e\nM\xfcller\n");
    options.charset = Charset::latin1;
    auto table = Table::open(options).value();
    CHECK(
        rest_of(*table) == Rows{"{\"stra\xc3\x9f"
                                "e\":\"M\xc3\xbcller\"}"});
}

TEST_CASE("a file that cannot be used is refused with its name and the reason") {
    const Scene scene;
    const auto refusal = [](const Table::Options& options) {
        const auto table = Table::open(options);
        return table ? std::string{} : table.error().detail;
    };
    CHECK(
        refusal({.path = "/nowhere/rows.csv"}) ==
        "cannot open /nowhere/rows.csv: No such file or directory");
    CHECK(
        refusal({.path = scene.directory.path().string()}).find("is no regular file") !=
        std::string::npos);
    CHECK(refusal(scene.file("")).find("it is empty") != std::string::npos);
    CHECK(refusal(scene.file("a,a\n")).find("two columns 'a'") != std::string::npos);
}

TEST_CASE("a large file takes one block after another") {
    const Scene scene;
    std::string text = "n,text\n";
    constexpr int count = 50'000;
    for (int i = 0; i < count; ++i)
        text += std::to_string(i) + ",\"line\nof " + std::to_string(i) + "\"\n";
    auto table = Table::open(scene.file(text)).value();
    const Rows rows = rest_of(*table);
    REQUIRE(rows.size() == count);
    CHECK(rows.back() == R"({"n":"49999","text":"line\nof 49999"})");
}
