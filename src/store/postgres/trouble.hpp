#pragma once

#include "kernel/result.hpp"

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hive::store::postgres {

struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPtr = std::unique_ptr<PGresult, ClearResult>;

// How much an error takes with it.
enum class Reach : std::uint8_t {
    statement,   // the unit; its savepoint undoes it
    transaction, // the transaction, without anyone's fault: running it again may succeed
    connection,  // the connection is gone
};

struct Trouble {
    Reach reach = Reach::statement;
    Error error{};
};

// Empty when the result is not an error.
std::optional<Trouble> trouble_of(const PGresult& result, std::string_view sql);

// The text of libpq without the line ends it likes.
std::string one_line(std::string_view text);

} // namespace hive::store::postgres
