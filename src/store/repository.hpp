#pragma once

#include "kernel/result.hpp"
#include "store/session.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store {

// The conditions of a query that grows with what is asked; the hive is $1.
class Filter {
public:
    explicit Filter(std::string_view hive) { values_.emplace_back(hive); }

    // `{}` in the condition stands for the value.
    void add(std::string_view condition, Value value) {
        where_ += fmt::format(" AND {}", fmt::format(fmt::runtime(condition), parameter(value)));
    }
    std::string parameter(Value value) {
        values_.push_back(value);
        return fmt::format("${}", values_.size());
    }
    std::string where() const { return "hive = $1" + where_; }
    Params params() const { return values_; }

private:
    std::string where_;
    std::vector<Value> values_;
};

// Rows whose first column is the thing itself, by the function that reads it.
template <class T>
Result<std::vector<T>> read_bodies(
    Session& session, std::string_view sql, Params params, Result<T> (*read)(std::string_view)) {
    std::vector<T> all;
    Status good{};
    const auto done = session.query(sql, params, [&](const Row& row) {
        auto one = read(row.text(0));
        if (one) {
            all.push_back(*std::move(one));
        } else {
            good = fail(one.error());
        }
    });
    if (!done) return fail(done.error());
    if (!good) return fail(good.error());
    return all;
}

template <class T>
Result<std::optional<T>> first_of(Result<std::vector<T>> found) {
    if (!found) return fail(found.error());
    if (found->empty()) return std::optional<T>{};
    return std::optional<T>{std::move(found->front())};
}

inline Status nothing_but(const Result<std::int64_t>& changed) {
    if (!changed) return fail(changed.error());
    return {};
}

} // namespace hive::store
