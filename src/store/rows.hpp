#pragma once

#include "kernel/result.hpp"
#include "store/session.hpp"

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace hive::store {

// Rows on their way into one table, several per statement: on PostgreSQL each statement is a round
// trip. The values borrow, as those of a statement do, until insert() has returned.
class Rows {
public:
    // `into`: a table with the columns to fill, as in `settings (hive, name)`.
    explicit Rows(std::string_view into) : into_{into} {}

    void add(std::initializer_list<Value> row); // as many values as there are columns
    Status insert(Session& session);            // all of them, in order

private:
    std::string_view into_;
    std::size_t columns_ = 0;
    std::vector<Value> values_;
};

} // namespace hive::store
