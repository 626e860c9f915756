#pragma once

#include "store/value.hpp"

#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>

namespace hive::store {

// A column does not hold what its reader expects: the schema and the code disagree, or someone
// edited the database by hand. It ends the unit of work, which is then rolled back.
struct BadColumn : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// One row of an answer, valid until its handler returns. Columns count from 0.
class Row {
public:
    explicit Row(std::span<const Value> columns) : columns_{columns} {}

    std::size_t size() const { return columns_.size(); }
    const Value& at(std::size_t column) const;
    bool is_null(std::size_t column) const;

    // These throw BadColumn on null and on another kind of value.
    std::int64_t integer(std::size_t column) const;
    double real(std::size_t column) const; // whole numbers too
    bool boolean(std::size_t column) const;
    std::string_view text(std::size_t column) const;
    Blob blob(std::size_t column) const;

    std::optional<std::int64_t> integer_if(std::size_t column) const;
    std::optional<std::string_view> text_if(std::size_t column) const;

private:
    std::span<const Value> columns_;
};

} // namespace hive::store
