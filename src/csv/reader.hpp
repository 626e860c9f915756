#pragma once

#include "kernel/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::csv {

struct Rules {
    char delimiter = ',';
    std::size_t row_bytes_max = std::size_t{1} << 20U;
    std::size_t columns_max = 4096;
};
Status check(const Rules& rules);

// Rows of comma-separated text (RFC 4180), from bytes that come in any pieces. Beyond the RFC: any
// line end, empty lines are passed over, and blanks around a field belong to it only in quotes. A
// row that is not well formed ends at the next line end; reading goes on behind it.
class Reader {
public:
    enum class Progress : std::uint8_t { more, row, bad };

    explicit Reader(Rules rules);

    // Takes bytes up to the end of a row at most, and says how many. Call it again only while there
    // is more to come, or after next().
    std::size_t feed(std::string_view bytes);
    void end(); // of the text: what has come so far is the last row
    void next();

    Progress progress() const noexcept { return progress_; }
    std::size_t columns() const noexcept { return ends_.size(); }
    std::string_view column(std::size_t index) const noexcept;
    std::uint64_t line() const noexcept { return row_line_; } // where the row begins; the first: 1
    std::string_view problem() const noexcept { return problem_; }

private:
    enum class State : std::uint8_t {
        row,     // nothing of it has come
        field,   // nothing of it but blanks
        plain,   // a field without quotes
        quoted,  // inside quotes
        quote,   // after a quote inside quotes: their end, or half of a quote
        behind,  // after the end of quotes
        skipping // to the end of a line, since something was wrong
    };

    std::size_t run(std::string_view bytes);
    void step(char byte);
    void step_field(char byte);
    void step_quote(char byte);
    void count_line(char byte);
    void add(std::string_view bytes);
    void end_field();
    void end_row();
    void bad(std::string_view problem);
    bool ends_line(char byte) const noexcept { return byte == '\n' || byte == '\r'; }
    bool blank(char byte) const noexcept {
        return (byte == ' ' || byte == '\t') && byte != rules_.delimiter;
    }

    Rules rules_;
    State state_ = State::row;
    Progress progress_ = Progress::more;
    std::array<bool, 256> special_{}; // what ends a run of plain text
    std::string text_{};              // of all fields of the row
    std::vector<std::size_t> ends_{}; // of each field in it
    std::size_t field_begin_ = 0;
    bool carriage_ = false; // the last byte: a line feed behind it is the same line end
    std::uint64_t line_ = 1;
    std::uint64_t row_line_ = 1;
    std::string_view problem_{};
};

} // namespace hive::csv
