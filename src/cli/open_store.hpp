#pragma once

#include "kernel/config.hpp"
#include "kernel/result.hpp"
#include "store/database.hpp"

#include <memory>
#include <optional>

namespace hive::cli {

enum class StoreUse : std::uint8_t {
    serve, // a server: nobody else may own the data directory
    visit, // a short command beside a server that may be running; nothing is made
    begin, // the same, but what is missing is made
};

struct StorePlace {
    std::string data;
    std::optional<Url> url{};
};

// SQLite in the data directory, or PostgreSQL by its URL.
Result<std::unique_ptr<store::Database>> open_store(const StorePlace& place, StoreUse use);
// The same with the schema that is there, or none: for looking after the store itself.
Result<std::unique_ptr<store::Database>> open_as_it_is(const StorePlace& place, StoreUse use);

std::string name_of(const StorePlace& place); // for people, without a password

// Only its owner may look inside: it holds key hashes and the signing key.
Status make_data_directory(const std::string& path);

} // namespace hive::cli
