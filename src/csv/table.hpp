#pragma once

#include "csv/reader.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hive::csv {

enum class Charset : std::uint8_t { utf8, latin1 };

// A file of rows, read block by block as they are asked for.
class Table {
public:
    struct Options {
        std::string path;
        Rules rules{};
        Charset charset = Charset::utf8;
        bool header = true; // the first row names the columns; else they are col0, col1, ...
    };
    enum class Found : std::uint8_t { row, bad_row, end, nothing_yet };

    // Refused when the file cannot be read, or its header not be used.
    static Result<std::unique_ptr<Table>> open(Options options);
    ~Table();
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    // The next row; after some blocks without the end of one it says nothing_yet and can be asked
    // again. An error when the file cannot be read any more.
    Result<Found> next();
    void append_json(std::string& out) const; // the row: a flat object of texts
    std::string_view problem() const noexcept { return problem_; }
    std::uint64_t row() const noexcept { return row_; }            // from 1, without the header
    std::uint64_t line() const noexcept { return reader_.line(); } // where it begins
    Status rewind();                                               // to the first row

private:
    Table(Options options, int file);
    Status read_header();
    Status fill();
    Found judged();
    bool convert();
    std::string_view column(std::size_t index) const;

    Options options_;
    int file_;
    Reader reader_;
    std::string block_{};
    std::string_view rest_{}; // of the block
    bool at_end_ = false;
    bool begun_ = false;
    std::vector<std::string> keys_{};    // with quotes and colon, as they stand in JSON
    std::vector<std::string> columns_{}; // in UTF-8; only when they were something else
    std::string problem_{};
    std::uint64_t row_ = 0;
};

} // namespace hive::csv
