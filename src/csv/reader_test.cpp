#include "csv/reader.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::csv;

namespace {

// One text for a row: its line and its fields; or its line and what is wrong.
std::vector<std::string> rows_of(std::string_view text, std::size_t step, Rules rules = {}) {
    std::vector<std::string> rows;
    Reader reader{rules};
    const auto look = [&] {
        if (reader.progress() == Reader::Progress::more) return;
        std::string row = std::to_string(reader.line()) + ":";
        if (reader.progress() == Reader::Progress::bad)
            row += " ! " + std::string{reader.problem()};
        for (std::size_t i = 0; i < reader.columns(); ++i) {
            row += "[" + std::string{reader.column(i)} + "]";
        }
        rows.push_back(row);
        reader.next();
    };
    for (std::size_t at = 0; at < text.size(); at += step) {
        std::string_view piece = text.substr(at, step);
        while (!piece.empty()) {
            piece.remove_prefix(reader.feed(piece));
            look();
        }
    }
    reader.end();
    look();
    return rows;
}

using Rows = std::vector<std::string>;

Rows read(std::string_view text, Rules rules = {}) {
    const Rows whole = rows_of(text, text.size() + 1, rules);
    CHECK(rows_of(text, 1, rules) == whole); // wherever it is cut
    CHECK(rows_of(text, 3, rules) == whole);
    return whole;
}

} // namespace

TEST_CASE("rows end at any line end and empty lines are none") {
    CHECK(
        read("a,b\nc,d\r\n\r\n\ne,f\rg,h") == Rows{"1:[a][b]", "2:[c][d]", "5:[e][f]", "6:[g][h]"});
    CHECK(read("").empty());
    CHECK(read("\n\n").empty());
    CHECK(read("a,,\n,") == Rows{"1:[a][][]", "2:[][]"});
}

TEST_CASE("quotes hold delimiters, line ends and quotes") {
    CHECK(read("\"a,b\",\"say \"\"hi\"\"\"\n") == Rows{"1:[a,b][say \"hi\"]"});
    CHECK(read("\"one\r\ntwo\",x\ny,z") == Rows{"1:[one\r\ntwo][x]", "3:[y][z]"});
    CHECK(read("\"\",\"\"\"\"") == Rows{"1:[][\"]"});
}

TEST_CASE("blanks around a field belong to it only in quotes") {
    CHECK(read("  a b ,\t c\t, \" d \" ,  \n") == Rows{"1:[a b][c][ d ][]"});
    CHECK(read("a\t b\t", {.delimiter = '\t'}) == Rows{"1:[a][b][]"});
}

TEST_CASE("a bad row is said with its line and the next one is read") {
    CHECK(
        read("a\"b,c\nd,e\n") ==
        Rows{"1: ! a quote in a field that does not begin with one", "2:[d][e]"});
    CHECK(
        read("x\n\"a\"b,\"c\nd,e\n") ==
        Rows{"1:[x]", "2: ! text behind the closing quote of a field", "3:[d][e]"});
    CHECK(read("x\n\"a\nb\n") == Rows{"1:[x]", "2: ! a quote is never closed"});
}

TEST_CASE(
    "no row takes more memory than allowed, and a quote that is left open does not end it all") {
    CHECK(
        read("\"abc\ndef\nghi\njk\n", {.row_bytes_max = 8}) ==
        Rows{"1: ! the row is too long; perhaps a quote is never closed", "4:[jk]"});
    CHECK(
        read("a,b,c\nd,e\n", {.columns_max = 2}) ==
        Rows{"1: ! the row has too many columns", "2:[d][e]"});
}

TEST_CASE("a delimiter that could not be told from the rest is refused") {
    CHECK(check({.delimiter = ';'}));
    CHECK(check({.delimiter = '\t'}));
    CHECK_FALSE(check({.delimiter = '"'}));
    CHECK_FALSE(check({.delimiter = '\n'}));
    CHECK_FALSE(check({.delimiter = '\xe4'}));
}
