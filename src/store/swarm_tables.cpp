#include "store/swarm_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::store {
namespace {

constexpr std::string_view run_columns = "id, swarm, created, ended, who, labels, notes, pinned";

json::object object_at(const Row& row, std::size_t column) {
    auto parsed = parse_json(row.text(column));
    if (!parsed || !parsed->is_object()) {
        throw BadColumn{fmt::format("'{}' is not a JSON object", row.text(column))};
    }
    return std::move(parsed->as_object());
}

RunRow run_of(const Row& row) {
    return {
        .id = std::string{row.text(0)},
        .swarm = std::string{row.text(1)},
        .created = time_at(row, 2),
        .ended = time_if(row, 3),
        .who = std::string{row.text(4)},
        .labels = object_at(row, 5),
        .notes = std::string{row.text(6)},
        .pinned = row.boolean(7)};
}

} // namespace

Status SwarmTable::save(const SwarmRow& row) {
    return nothing_but(session_->execute(
        "INSERT INTO orchestrator_swarm (hive, id, run, wish, phase, changed, body) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (hive, id) DO UPDATE SET "
        "run = excluded.run, wish = excluded.wish, phase = excluded.phase, "
        "changed = excluded.changed, body = excluded.body",
        {hive_.text(), row.id, row.run, row.wish, row.phase, as_column(row.changed), row.body}));
}

Result<std::vector<SwarmRow>> SwarmTable::load() const {
    std::vector<SwarmRow> rows;
    const auto read = session_->query(
        "SELECT id, run, wish, phase, changed, body FROM orchestrator_swarm "
        "WHERE hive = $1 ORDER BY id",
        {hive_.text()}, [&](const Row& row) {
            rows.push_back(
                {.id = std::string{row.text(0)},
                 .run = std::string{row.text(1)},
                 .wish = std::string{row.text(2)},
                 .phase = std::string{row.text(3)},
                 .changed = time_at(row, 4),
                 .body = std::string{row.text(5)}});
        });
    if (!read) return fail(read.error());
    return rows;
}

Status SwarmTable::remove(std::string_view id) {
    return nothing_but(session_->execute(
        "DELETE FROM orchestrator_swarm WHERE hive = $1 AND id = $2", {hive_.text(), id}));
}

Result<std::int64_t> SwarmTable::forget(std::string_view phase, Timestamp unchanged_since) {
    return session_->execute(
        "DELETE FROM orchestrator_swarm WHERE hive = $1 AND phase = $2 AND changed < $3",
        {hive_.text(), phase, as_column(unchanged_since)});
}

Status SwarmTable::begin_run(const RunRow& run) {
    const std::string labels = to_text(run.labels);
    return nothing_but(session_->execute(
        "INSERT INTO orchestrator_run (hive, id, swarm, created, ended, who, labels, notes, "
        "pinned) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (hive, id) DO NOTHING",
        {hive_.text(), run.id, run.swarm, as_column(run.created), as_column(run.ended), run.who,
         labels, run.notes, run.pinned}));
}

Status SwarmTable::end_run(std::string_view id, Timestamp when) {
    return nothing_but(session_->execute(
        "UPDATE orchestrator_run SET ended = $3 WHERE hive = $1 AND id = $2 AND ended IS NULL",
        {hive_.text(), id, as_column(when)}));
}

Result<std::vector<RunRow>> SwarmTable::runs(const RunQuery& query) const {
    std::vector<Value> values{
        hive_.text(), as_column(std::uint64_t{std::min(query.limit, runs_page_max)})};
    std::string filter;
    const auto add = [&](std::string_view condition, const Value& value) {
        values.push_back(value);
        filter += fmt::format(fmt::runtime(condition), values.size());
    };
    if (query.swarm) add(" AND swarm = ${}", *query.swarm);
    if (query.pinned) add(" AND pinned = ${}", *query.pinned);
    if (query.before) {
        add(" AND (created < ${0} OR (created = ${0}", as_column(query.before->created));
        add(" AND id < ${}))", query.before->id);
    }
    std::vector<RunRow> found;
    const auto read = session_->query(
        fmt::format(
            "SELECT {} FROM orchestrator_run WHERE hive = $1{} "
            "ORDER BY created DESC, id DESC LIMIT $2",
            run_columns, filter),
        values, [&](const Row& row) { found.push_back(run_of(row)); });
    if (!read) return fail(read.error());
    return found;
}

Result<std::optional<RunRow>> SwarmTable::find_run(std::string_view id) const {
    std::optional<RunRow> found;
    const auto read = session_->query(
        fmt::format("SELECT {} FROM orchestrator_run WHERE hive = $1 AND id = $2", run_columns),
        {hive_.text(), id}, [&](const Row& row) { found = run_of(row); });
    if (!read) return fail(read.error());
    return found;
}

Status SwarmTable::patch_run(std::string_view id, const RunPatch& patch) {
    const std::optional<std::string> labels =
        patch.labels ? std::optional{to_text(*patch.labels)} : std::nullopt;
    const Value pinned = patch.pinned ? Value{*patch.pinned} : Value{Null{}};
    const auto changed = session_->execute(
        "UPDATE orchestrator_run SET labels = coalesce($3, labels), notes = coalesce($4, notes), "
        "pinned = coalesce($5, pinned) WHERE hive = $1 AND id = $2",
        {hive_.text(), id, or_null(labels), or_null(patch.notes), pinned});
    if (!changed) return fail(changed.error());
    if (*changed == 1) return {};
    return fail(Errc::not_found, fmt::format("there is no run '{}'", id));
}

} // namespace hive::store
