#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/store_commands.hpp"
#include "cli/text_table.hpp"
#include "store/migration.hpp"
#include "store/schema.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hive::cli {
namespace {

constexpr Duration count_within = std::chrono::minutes{10};

Result<json::object> tables_of(store::Session& session, store::Engine engine) {
    const auto version = store::schema_version(session, engine);
    if (!version) return fail(version.error());
    const auto tables = store::our_tables(session, engine);
    if (!tables) return fail(tables.error());
    json::object rows;
    for (const auto& table : *tables) {
        auto counted = session.query(
            fmt::format("SELECT CAST(COUNT(*) AS BIGINT) FROM {}", table.name), {},
            [&](const store::Row& row) { rows[table.name] = row.integer(0); });
        if (!counted) return fail(counted.error());
    }
    return json::object{
        {"engine", store::name_of(engine)},
        {"schema", *version},
        {"newestSchema", store::migrations().size()},
        {"rows", std::move(rows)}};
}

// Of the database with its log; nothing is known about PostgreSQL's files.
void put_size(json::object& info, const StorePlace& place) {
    if (place.url) return;
    std::uintmax_t bytes = 0;
    for (const char* name : {"/hive.db", "/hive.db-wal"}) {
        std::error_code error;
        const auto size = std::filesystem::file_size(place.data + name, error);
        if (!error) bytes += size;
    }
    info["bytes"] = bytes;
}

std::string text_of(const json::object& info) {
    const auto member = [&](std::string_view name) { return member_text(info, name); };
    std::string out = fields_text(
        {{"store", member("store")},
         {"engine", member("engine")},
         {"schema", fmt::format("version {} of {}", member("schema"), member("newestSchema"))},
         {"bytes", member("bytes")}});
    TextTable table{{"TABLE", "ROWS"}};
    const json::object& rows = info.at("rows").as_object();
    for (const auto& [name, count] : rows) table.add({std::string{name}, to_text(count)});
    return out + (rows.empty() ? "" : "\n" + table.text());
}

int run_store_info(StoreOptions& options, Call& call) {
    const StorePlace place = options.store();
    auto database = open_as_it_is(place, StoreUse::visit);
    if (!database) return report(call.host, database.error());
    auto info = store::read_for(
        **database,
        [&](store::Session& session) { return tables_of(session, (*database)->engine()); },
        count_within);
    if (!info) return report(call.host, info.error());
    (*info)["store"] = name_of(place);
    put_size(*info, place);
    call.host.out << (options.json ? to_text(*info) + "\n" : text_of(*info));
    return exit_ok;
}

} // namespace

Command store_info_command() {
    return make_command<StoreOptions>(
        {.name = "info",
         .summary = "what the store is and how much it holds",
         .examples = {{"hive store info", "engine, schema, size and rows of the hive in .hive"}}},
        declare_store, run_store_info);
}

} // namespace hive::cli
