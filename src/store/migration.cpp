#include "store/migration.hpp"

#include "store/checksum.hpp"
#include "store/dialect.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

namespace hive::store {
namespace {

struct Applied {
    std::int64_t version;
    std::string name;
    std::string checksum;
};

Result<std::vector<Applied>> recorded_steps(Session& session) {
    std::vector<Applied> steps;
    const auto read = session.query(
        "SELECT version, name, checksum FROM store_migration ORDER BY version", {},
        [&](const Row& row) {
            steps.push_back({row.integer(0), std::string{row.text(1)}, std::string{row.text(2)}});
        });
    if (!read) return fail(read.error());
    return steps;
}

Status ensure_record(Session& session, Engine engine) {
    const auto created = session.execute(
        translate(
            "CREATE TABLE IF NOT EXISTS store_migration (version {int64} PRIMARY KEY, "
            "name {text} NOT NULL, checksum {text} NOT NULL, applied {int64} NOT NULL){strict}",
            engine),
        {});
    if (!created) return fail(created.error());
    return {};
}

// Empty when the recorded steps are the first of ours.
std::vector<std::string>
differences(const std::vector<Applied>& applied, Engine engine, std::span<const Migration> steps) {
    std::vector<std::string> found;
    for (std::size_t i = 0; i < applied.size(); ++i) {
        const Applied& step = applied[i];
        if (i >= steps.size()) {
            found.push_back(fmt::format(
                "the database is at schema version {}, this program knows versions up to {}; "
                "start the newer program, or restore a backup made by this one",
                applied.back().version, steps.size()));
            break;
        }
        if (step.version != steps[i].version || step.checksum != checksum_of(steps[i], engine)) {
            found.push_back(fmt::format(
                "step {} ('{}') of the database's schema is not the step {} ('{}') of this "
                "program; use the program that made the database, or restore a backup",
                step.version, step.name, steps[i].version, steps[i].name));
        }
    }
    return found;
}

Status apply(Session& session, Engine engine, const Migration& step) {
    for (const auto& statement : step.statements(engine)) {
        if (const auto ok = session.execute(statement, {}); !ok) {
            return fail(
                ok.error().code, fmt::format(
                                     "step {} ('{}') of the schema failed: {}", step.version,
                                     step.name, ok.error().detail));
        }
    }
    const auto recorded = session.execute(
        "INSERT INTO store_migration (version, name, checksum, applied) VALUES ($1, $2, $3, $4)",
        {step.version, step.name, checksum_of(step, engine),
         std::int64_t{SystemClock{}.wall().time_since_epoch().count()}});
    if (!recorded) return fail(recorded.error());
    return {};
}

} // namespace

std::string checksum_of(const Migration& migration, Engine engine) {
    Checksum sum;
    for (const auto& statement : migration.statements(engine)) {
        sum.add(statement);
        sum.add(";");
    }
    return sum.text();
}

Result<MigrationReport> apply_migrations(
    Session& session, Engine engine, std::span<const Migration> steps, std::int64_t version) {
    if (auto ok = ensure_record(session, engine); !ok) return fail(ok.error());
    const auto applied = recorded_steps(session);
    if (!applied) return fail(applied.error());
    if (const auto wrong = differences(*applied, engine, steps); !wrong.empty()) {
        return fail(Errc::conflict, wrong.front());
    }
    MigrationReport report{.from = static_cast<std::int64_t>(applied->size()), .to = 0};
    report.to = report.from;
    for (const auto& step : steps.subspan(applied->size())) {
        assert(step.version == report.to + 1);
        if (step.version > version) break;
        if (auto ok = apply(session, engine, step); !ok) return fail(ok.error());
        report.to = step.version;
    }
    return report;
}

Result<MigrationReport> migrate(Database& database) {
    constexpr Duration within = std::chrono::minutes{30};
    const auto newest = static_cast<std::int64_t>(migrations().size());
    return write_for(
        database,
        [&](Session& session) {
            return apply_migrations(session, database.engine(), migrations(), newest);
        },
        within);
}

Result<std::int64_t> schema_version(Session& session, Engine engine) {
    bool exists = false;
    auto ok = session.query(dialect_of(engine).columns, {}, [&](const Row& row) {
        exists = exists || row.text(0) == "store_migration";
    });
    std::int64_t version = 0;
    if (ok && exists) {
        ok = session.query(
            "SELECT coalesce(max(version), 0) FROM store_migration", {},
            [&](const Row& row) { version = row.integer(0); });
    }
    if (!ok) return fail(ok.error());
    return version;
}

Result<std::vector<std::string>>
check_migrations(Session& session, Engine engine, std::span<const Migration> steps) {
    const auto version = schema_version(session, engine);
    if (!version) return fail(version.error());
    const auto applied = *version > 0 ? recorded_steps(session) : std::vector<Applied>{};
    if (!applied) return fail(applied.error());
    auto found = differences(*applied, engine, steps);
    if (found.empty() && applied->size() < steps.size()) {
        found.push_back(fmt::format(
            "the database is at schema version {} of {}; bring it up with: hive store migrate",
            applied->size(), steps.size()));
    }
    return found;
}

} // namespace hive::store
