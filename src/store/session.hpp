#pragma once

#include "kernel/result.hpp"
#include "store/row.hpp"
#include "store/value.hpp"

#include <cstdint>
#include <functional>
#include <string_view>

namespace hive::store {

using RowHandler = std::function<void(const Row& row)>;

// What a unit of work sees of the database: its own transaction. Statements are portable SQL with
// parameters $1..$n, one statement a call; they are prepared once and kept.
//
// A failed statement fails the whole unit: every later call answers with the same error and what
// the unit did is undone, whatever it returns. Errc::conflict: a unique or foreign key forbids it.
// Errc::invalid: the statement or a value breaks a rule of the schema. Errc::denied: a trigger or a
// right forbids it. Errc::timeout: the unit ran out of time. Errc::unavailable: the store cannot.
class Session {
public:
    virtual ~Session() = default;

    // The number of rows inserted, changed or deleted.
    virtual Result<std::int64_t> execute(std::string_view sql, Params params) = 0;

    // Calls `each` for every row in order. The session must not be used from inside it.
    virtual Status query(std::string_view sql, Params params, const RowHandler& each) = 0;
};

} // namespace hive::store
