#pragma once

#include "store/database.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store {

// The few places where the engines' SQL differs. Everything else is written once.
struct Dialect {
    std::string_view int64; // column types
    std::string_view real;
    std::string_view text;
    std::string_view blob;
    std::string_view table_suffix; // makes SQLite check column types as PostgreSQL does
    std::string_view keyed_suffix; // the same for a table that is stored by its key alone
    std::string_view columns;      // query: (table, column) of all tables, in a stable order
    std::string_view references;   // query: (table, table its foreign key leads to)
    std::string_view defer_keys;   // statement: check foreign keys at the commit of this unit
    std::string_view check_keys;   // statement: from now on check them at once again
};

const Dialect& dialect_of(Engine engine);

// Fills {int64}, {real}, {text}, {blob}, {strict} and {keyed} in portable text.
std::string translate(std::string_view portable, Engine engine);
std::vector<std::string> translate_all(std::span<const std::string_view> portable, Engine engine);

// The statements of a migration that says the same to both engines.
template <const auto& changes>
std::vector<std::string> translated(Engine engine) {
    return translate_all(changes, engine);
}

// The statements that make an UPDATE or DELETE of `table` fail with Errc::denied.
// `unless` is a condition over OLD and NEW under which an UPDATE is allowed; empty: never.
std::vector<std::string>
append_only(Engine engine, std::string_view table, std::string_view unless);

} // namespace hive::store
