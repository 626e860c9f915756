#include "store/check.hpp"

#include "store/migration.hpp"
#include "store/schema.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

namespace hive::store {
namespace {

constexpr Duration check_within = std::chrono::hours{6};

Status check_sqlite(Session& session, CheckReport& report) {
    auto checked = session.query("PRAGMA integrity_check(100)", {}, [&](const Row& row) {
        if (row.text(0) != "ok") report.problems.emplace_back(row.text(0));
    });
    if (!checked) return checked;
    return session.query("PRAGMA foreign_key_check", {}, [&](const Row& row) {
        report.problems.push_back(fmt::format(
            "a row of '{}' refers to a row of '{}' that does not exist", row.text(0), row.text(2)));
    });
}

Status check_postgres(Session& session, CheckReport& report) {
    auto checked = session.query(
        "SELECT conname::text, conrelid::regclass::text FROM pg_constraint "
        "WHERE connamespace = current_schema()::regnamespace AND NOT convalidated",
        {}, [&](const Row& row) {
            report.problems.push_back(
                fmt::format("constraint '{}' of '{}' is not in force", row.text(0), row.text(1)));
        });
    if (!checked) return checked;
    bool amcheck = false;
    auto asked =
        session.query("SELECT 1 FROM pg_extension WHERE extname = 'amcheck'", {}, [&](const Row&) {
            amcheck = true;
        });
    if (!asked) return asked;
    if (!amcheck) {
        report.notes.emplace_back(
            "indexes were not checked: the extension amcheck is not installed "
            "(CREATE EXTENSION amcheck)");
        return {};
    }
    return session.query(
        "SELECT bt_index_check(i.indexrelid)::text FROM pg_index i "
        "JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam "
        "WHERE a.amname = 'btree' AND c.relnamespace = current_schema()::regnamespace",
        {}, [](const Row&) {});
}

Status check_rows(Session& session, Engine engine, CheckReport& report) {
    const auto tables = our_tables(session, engine);
    if (!tables) return fail(tables.error());
    for (const auto& table : *tables) {
        const auto read = session.query(
            fmt::format("SELECT {} FROM {}", fmt::join(table.columns, ", "), table.name), {},
            [&](const Row&) { ++report.rows; });
        if (!read) return read;
    }
    return {};
}

Result<CheckReport> check_all(Session& session, Engine engine) {
    CheckReport report;
    auto wrong = check_migrations(session, engine, migrations());
    if (!wrong) return fail(wrong.error());
    report.problems = std::move(*wrong);
    const Status own =
        engine == Engine::sqlite ? check_sqlite(session, report) : check_postgres(session, report);
    if (!own) return fail(own.error());
    // A damaged file often breaks reading it too; what was found already says more than that.
    if (!report.sound()) return report;
    if (auto ok = check_rows(session, engine, report); !ok) return fail(ok.error());
    return report;
}

} // namespace

Result<CheckReport> check(Database& database) {
    return read_for(
        database, [&](Session& session) { return check_all(session, database.engine()); },
        check_within);
}

} // namespace hive::store
