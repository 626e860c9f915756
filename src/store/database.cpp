#include "store/database.hpp"

#include <cstdlib>

namespace hive::store {

std::string_view name_of(Engine engine) noexcept {
    switch (engine) {
    case Engine::sqlite: return "SQLite";
    case Engine::postgres: return "PostgreSQL";
    }
    std::abort();
}

} // namespace hive::store
