#include "store/row.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::store {
namespace {

[[noreturn]] void refuse(std::size_t column, const Value& value, std::string_view wanted) {
    constexpr std::array<std::string_view, 6> kinds{"null", "bool", "integer",
                                                    "real", "text", "blob"};
    throw BadColumn{fmt::format(
        "column {} holds {} where {} is expected", column, kinds[value.index()], wanted)};
}

template <class T>
T get(const Row& row, std::size_t column, std::string_view wanted) {
    const Value& value = row.at(column);
    if (const T* found = std::get_if<T>(&value)) return *found;
    refuse(column, value, wanted);
}

} // namespace

const Value& Row::at(std::size_t column) const {
    if (column >= columns_.size()) {
        throw BadColumn{
            fmt::format("column {} was read of a row with {} columns", column, columns_.size())};
    }
    return columns_[column];
}

bool Row::is_null(std::size_t column) const {
    return std::holds_alternative<Null>(at(column));
}

std::int64_t Row::integer(std::size_t column) const {
    return get<std::int64_t>(*this, column, "an integer");
}

double Row::real(std::size_t column) const {
    if (const auto* whole = std::get_if<std::int64_t>(&at(column))) {
        return static_cast<double>(*whole);
    }
    return get<double>(*this, column, "a number");
}

bool Row::boolean(std::size_t column) const {
    // A comparison is an integer on SQLite and a boolean on PostgreSQL.
    if (const auto* truth = std::get_if<bool>(&at(column))) return *truth;
    return get<std::int64_t>(*this, column, "a boolean") != 0;
}

std::string_view Row::text(std::size_t column) const {
    return get<std::string_view>(*this, column, "text");
}

Blob Row::blob(std::size_t column) const {
    return get<Blob>(*this, column, "a blob");
}

std::optional<std::int64_t> Row::integer_if(std::size_t column) const {
    if (is_null(column)) return std::nullopt;
    return integer(column);
}

std::optional<std::string_view> Row::text_if(std::size_t column) const {
    if (is_null(column)) return std::nullopt;
    return text(column);
}

} // namespace hive::store
