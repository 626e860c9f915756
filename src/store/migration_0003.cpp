#include "store/migration_0003.hpp"

#include "store/dialect.hpp"

#include <array>

namespace hive::store {
namespace {

constexpr std::array<std::string_view, 9> changes_0003{
    // The times of each 1024 entries: leads a search for a time to few of them. An index of the
    // times would cost each append more and find less, as results are wanted by sequence.
    R"(CREATE TABLE audit_span (
    hive {text} NOT NULL,
    place {int64} NOT NULL,
    earliest {int64} NOT NULL,
    latest {int64} NOT NULL,
    PRIMARY KEY (hive, place)
){strict})",
    "INSERT INTO audit_span (hive, place, earliest, latest) "
    "SELECT hive, (sequence - 1) / 1024, min(time), max(time) FROM audit_log "
    "GROUP BY hive, (sequence - 1) / 1024 HAVING count(*) = 1024",

    // Only the primary key begins with the hive now: planners without statistics, as PostgreSQL has
    // them of a new table, took any index that does and walked through the whole hive for one row.
    "DROP INDEX audit_log_actor",
    "DROP INDEX audit_log_entity",
    "DROP INDEX audit_log_action",
    "DROP INDEX audit_log_time",
    "CREATE INDEX audit_log_actor ON audit_log (actor, hive, sequence)",
    "CREATE INDEX audit_log_entity ON audit_log (entity_id, entity_type, hive, sequence)",
    "CREATE INDEX audit_log_action ON audit_log (action, hive, sequence)",
};

constexpr std::array<std::string_view, 1> tables_0003{"audit_span"};

std::vector<std::string> statements_0003(Engine engine) {
    auto all = translate_all(changes_0003, engine);
    for (auto& guard : append_only(engine, "audit_span", "")) all.push_back(std::move(guard));
    return all;
}

} // namespace

const Migration migration_0003{3, "audit search", &statements_0003, tables_0003};

} // namespace hive::store
