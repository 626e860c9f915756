#include "store/ask_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

namespace hive::store {
namespace {

AskRow ask_of(const Row& row) {
    return {
        .correlation_id = std::string{row.text(0)},
        .asked = time_at(row, 1),
        .ended = time_if(row, 2),
        .body = std::string{row.text(3)},
        .outcome = row.is_null(4) ? std::nullopt : std::optional{std::string{row.text(4)}}};
}

} // namespace

Status AskTable::add(const AskRow& row) {
    return nothing_but(session_->execute(
        "INSERT INTO orchestrator_ask (hive, correlation_id, asked, ended, body, outcome) "
        "VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (hive, correlation_id) DO NOTHING",
        {hive_.text(), row.correlation_id, as_column(row.asked), as_column(row.ended), row.body,
         or_null(row.outcome)}));
}

Status AskTable::end(const EndedAsk& ended) {
    return nothing_but(session_->execute(
        "UPDATE orchestrator_ask SET ended = $3, outcome = $4 "
        "WHERE hive = $1 AND correlation_id = $2 AND ended IS NULL",
        {hive_.text(), ended.correlation_id, as_column(ended.when), ended.outcome}));
}

Result<std::vector<AskRow>> AskTable::open() const {
    std::vector<AskRow> rows;
    const auto read = session_->query(
        "SELECT correlation_id, asked, ended, body, outcome FROM orchestrator_ask "
        "WHERE ended IS NULL AND hive = $1 ORDER BY asked, correlation_id",
        {hive_.text()}, [&](const Row& row) { rows.push_back(ask_of(row)); });
    if (!read) return fail(read.error());
    return rows;
}

Result<std::optional<AskRow>> AskTable::find(std::string_view id) const {
    std::optional<AskRow> found;
    const auto read = session_->query(
        "SELECT correlation_id, asked, ended, body, outcome FROM orchestrator_ask "
        "WHERE hive = $1 AND correlation_id = $2",
        {hive_.text(), id}, [&](const Row& row) { found = ask_of(row); });
    if (!read) return fail(read.error());
    return found;
}

Result<std::int64_t> AskTable::forget(Timestamp ended_before) {
    return session_->execute(
        "DELETE FROM orchestrator_ask WHERE hive = $1 AND ended < $2",
        {hive_.text(), as_column(ended_before)});
}

} // namespace hive::store
