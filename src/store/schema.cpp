#include "store/schema.hpp"

#include "store/dialect.hpp"
#include "store/migration.hpp"

#include <algorithm>
#include <set>

namespace hive::store {
namespace {

using References = std::vector<std::pair<std::string, std::string>>;

std::set<std::string> names_of_ours() {
    std::set<std::string> names;
    for (const auto& step : migrations()) names.insert(step.tables.begin(), step.tables.end());
    return names;
}

// Moves a table behind all that refer to it. Tables that refer to each other in a circle keep the
// order they had.
std::vector<Table> referring_first(std::vector<Table> tables, const References& references) {
    std::vector<Table> ordered;
    while (!tables.empty()) {
        const auto is_free = [&](const Table& table) {
            return std::ranges::none_of(references, [&](const auto& reference) {
                return reference.second == table.name && reference.first != table.name &&
                       std::ranges::find(tables, reference.first, &Table::name) != tables.end();
            });
        };
        auto next = std::ranges::find_if(tables, is_free);
        if (next == tables.end()) next = tables.begin();
        ordered.push_back(std::move(*next));
        tables.erase(next);
    }
    return ordered;
}

} // namespace

Result<std::vector<Table>> our_tables(Session& session, Engine engine) {
    const auto ours = names_of_ours();
    std::vector<Table> tables;
    References references;
    auto ok = session.query(dialect_of(engine).columns, {}, [&](const Row& row) {
        const std::string name{row.text(0)};
        if (!ours.contains(name)) return;
        if (tables.empty() || tables.back().name != name) tables.push_back({name});
        tables.back().columns.emplace_back(row.text(1));
    });
    if (ok) {
        ok = session.query(dialect_of(engine).references, {}, [&](const Row& row) {
            references.emplace_back(row.text(0), row.text(1));
        });
    }
    if (!ok) return fail(ok.error());
    return referring_first(std::move(tables), references);
}

} // namespace hive::store
