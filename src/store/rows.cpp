#include "store/rows.hpp"

#include <fmt/compile.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <iterator>
#include <span>

namespace hive::store {
namespace {

constexpr std::size_t statement_rows_max = 64;

std::string statement(std::string_view into, std::size_t rows, std::size_t columns) {
    std::string sql = fmt::format("INSERT INTO {} VALUES ", into);
    const auto out = std::back_inserter(sql);
    for (std::size_t i = 0; i < rows * columns; ++i) {
        const bool first = i % columns == 0;
        fmt::format_to(out, FMT_COMPILE("{}${}"), first ? (i == 0 ? "(" : "), (") : ", ", i + 1);
    }
    sql += ')';
    return sql;
}

} // namespace

void Rows::add(std::initializer_list<Value> row) {
    assert(columns_ == 0 || columns_ == row.size());
    columns_ = row.size();
    values_.insert(values_.end(), row);
}

Status Rows::insert(Session& session) {
    std::size_t done = 0;
    while (done < values_.size()) {
        // Powers of two keep the number of different statements small.
        const std::size_t left = (values_.size() - done) / columns_;
        const std::size_t rows = std::min(std::bit_floor(left), statement_rows_max);
        const Params params{std::span{values_}.subspan(done, rows * columns_)};
        const auto inserted = session.execute(statement(into_, rows, columns_), params);
        if (!inserted) return fail(inserted.error());
        done += rows * columns_;
    }
    return {};
}

} // namespace hive::store
