#include "cli/open_store.hpp"

#include "store/migration.hpp"
#include "store/postgres/open.hpp"
#include "store/sqlite/open.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hive::cli {

namespace fs = std::filesystem;

Status make_data_directory(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) return {};
    fs::create_directories(path, error);
    if (!error) fs::permissions(path, fs::perms::owner_all, error);
    if (!error) return {};
    return fail(
        Errc::denied, fmt::format(
                          "data directory {} cannot be made: {}; choose another with --data DIR",
                          path, error.message()));
}

Result<std::unique_ptr<store::Database>> open_as_it_is(const StorePlace& place, StoreUse use) {
    if (place.url) return store::postgres::open({.url = std::string{place.url->reveal()}});
    const bool makes = use != StoreUse::visit;
    if (makes) {
        if (auto ok = make_data_directory(place.data); !ok) return fail(ok.error());
    } else if (std::error_code error; !fs::exists(place.data + "/hive.db", error)) {
        return fail(
            Errc::not_found,
            fmt::format("there is no hive in {}; name its directory with --data DIR", place.data));
    }
    return store::sqlite::open(
        {.directory = place.data,
         .tenancy = use == StoreUse::serve ? store::sqlite::Tenancy::owner
                                           : store::sqlite::Tenancy::visitor,
         .create = makes});
}

std::string name_of(const StorePlace& place) {
    return place.url ? place.url->shown() : place.data + "/hive.db";
}

Result<std::unique_ptr<store::Database>> open_store(const StorePlace& place, StoreUse use) {
    auto database = open_as_it_is(place, use);
    if (!database) return database;
    if (auto ok = store::migrate(**database); !ok) return fail(ok.error());
    return database;
}

} // namespace hive::cli
