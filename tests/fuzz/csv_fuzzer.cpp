// Rows in any pieces: the same rows come out, none larger than allowed, and a row that is written
// with quotes around each field is read back as it was. The first byte says the delimiter.
#include "csv/reader.hpp"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace hive::csv;
using Progress = Reader::Progress;
using Row = std::vector<std::string>;

constexpr std::size_t row_max = 256;

void demand(bool holds) {
    if (!holds) std::abort();
}

// The row as it was found: its line, its fields; or its line and what is wrong with it.
Row row_of(const Reader& reader) {
    Row row{std::to_string(reader.line())};
    if (reader.progress() == Progress::bad) {
        row.emplace_back("bad");
        row.emplace_back(reader.problem());
        return row;
    }
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < reader.columns(); ++i) {
        row.emplace_back(reader.column(i));
        bytes += row.back().size();
    }
    demand(bytes <= row_max);
    return row;
}

std::vector<Row> read_all(std::string_view input, const Rules& rules, std::size_t step) {
    std::vector<Row> rows;
    Reader reader{rules};
    for (std::size_t at = 0; at < input.size(); at += step) {
        std::string_view piece = input.substr(at, step);
        while (!piece.empty()) {
            const std::size_t used = reader.feed(piece);
            demand(used > 0 && used <= piece.size());
            piece.remove_prefix(used);
            if (reader.progress() == Progress::more) {
                demand(piece.empty());
                continue;
            }
            rows.push_back(row_of(reader));
            reader.next();
        }
    }
    reader.end();
    if (reader.progress() != Progress::more) rows.push_back(row_of(reader));
    return rows;
}

void check_round_trip(const Row& row, const Rules& rules) {
    std::string text;
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (i > 1) text += rules.delimiter;
        text += '"';
        for (const char byte : row[i]) text += byte == '"' ? "\"\"" : std::string(1, byte);
        text += '"';
    }
    Row expected = row;
    expected[0] = "1";
    const auto back = read_all(text + "\n", rules, text.size() + 1);
    demand(back.size() == 1 && back[0] == expected);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return 0;
    const Rules rules{
        .delimiter = static_cast<char>(data[0]), .row_bytes_max = row_max, .columns_max = 32};
    if (!check(rules)) return 0;
    const std::string_view input{reinterpret_cast<const char*>(data) + 1, size - 1};
    const auto whole = read_all(input, rules, input.size());
    demand(read_all(input, rules, 1) == whole);
    demand(read_all(input, rules, 7) == whole);
    for (const Row& row : whole) {
        if (row.size() < 2 || row[1] == "bad") continue;
        check_round_trip(row, rules);
    }
    return 0;
}
