#include "store/journal_tables.hpp"

#include "store/columns.hpp"
#include "store/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::store {
namespace {

constexpr std::size_t runs_per_pass = 64;

JournalRow journal_row_of(const Row& row) {
    return {
        .sequence = static_cast<std::uint64_t>(row.integer(0)),
        .swarm = std::string{row.text(1)},
        .run = std::string{row.text(2)},
        .time = time_at(row, 3),
        .severity = row.integer(4),
        .kind = std::string{row.text(5)},
        .type = std::string{row.text(6)},
        .origin = std::string{row.text(7)},
        .correlation_id =
            row.text_if(8) ? std::optional{std::string{*row.text_if(8)}} : std::nullopt,
        .data = std::string{row.text(9)}};
}

// The conditions of a query, with their values after the hive and the limit.
class JournalFilter {
public:
    explicit JournalFilter(std::vector<Value> first) : values_{std::move(first)} {}

    void add(std::string_view condition, Value value) {
        values_.push_back(value);
        text_ += fmt::format(" AND {} ${}", condition, values_.size());
    }
    void add(std::string_view condition, const std::optional<std::string>& wanted) {
        if (wanted) add(condition, Value{std::string_view{*wanted}});
    }
    void add_text(std::string_view condition) { text_ += condition; }
    const std::string& text() const { return text_; }
    const std::vector<Value>& values() const { return values_; }

private:
    std::vector<Value> values_;
    std::string text_;
};

JournalFilter filter_of(const JournalQuery& query, std::vector<Value> first) {
    JournalFilter filter{std::move(first)};
    filter.add("swarm =", query.swarm);
    filter.add("run =", query.run);
    filter.add("kind =", query.kind);
    filter.add("type =", query.type);
    filter.add("correlation_id =", query.correlation_id);
    if (query.severity_min > 0) {
        filter.add_text(" AND severity > 0"); // spelled as the index of bad entries has it
        filter.add("severity >=", query.severity_min);
    }
    if (query.since) filter.add("time >=", as_column(*query.since));
    if (query.until) filter.add("time <", as_column(*query.until));
    if (query.before) filter.add("sequence <", as_column(*query.before));
    if (query.after) filter.add("sequence >", as_column(*query.after));
    return filter;
}

} // namespace

Result<bool> JournalTable::append(std::span<JournalRow> rows, std::string_view batch) {
    std::optional<std::int64_t> last;
    // Whoever appends holds this row to the commit: numbers become visible in their order, so a
    // reader that continues after the last it saw misses none.
    const auto moved = session_->query(
        "INSERT INTO orchestrator_journal_head (hive, last, batch) VALUES ($1, $2, $3) "
        "ON CONFLICT (hive) DO UPDATE SET last = orchestrator_journal_head.last + excluded.last, "
        "batch = excluded.batch WHERE orchestrator_journal_head.batch <> excluded.batch "
        "RETURNING last",
        {hive_.text(), as_column(std::uint64_t{rows.size()}), batch},
        [&](const Row& row) { last = row.integer(0); });
    if (!moved) return fail(moved.error());
    if (!last) return false;
    auto sequence = static_cast<std::uint64_t>(*last) - rows.size();
    Rows out{"orchestrator_journal (hive, sequence, swarm, run, time, severity, kind, type, "
             "origin, correlation_id, data)"};
    for (JournalRow& row : rows) {
        row.sequence = ++sequence;
        out.add(
            {hive_.text(), as_column(row.sequence), row.swarm, row.run, as_column(row.time),
             row.severity, row.kind, row.type, row.origin, or_null(row.correlation_id), row.data});
    }
    if (auto ok = out.insert(*session_); !ok) return fail(ok.error());
    return true;
}

Result<JournalPage> JournalTable::page(const JournalQuery& query) const {
    const std::size_t limit = std::min(query.limit, journal_page_max);
    // One more than wanted tells whether there is a next page.
    const JournalFilter filter =
        filter_of(query, {hive_.text(), as_column(std::uint64_t{limit} + 1)});
    JournalPage page;
    const auto read = session_->query(
        fmt::format(
            "SELECT sequence, swarm, run, time, severity, kind, type, origin, correlation_id, data "
            "FROM orchestrator_journal WHERE hive = $1{} ORDER BY sequence {} LIMIT $2",
            filter.text(), query.after ? "ASC" : "DESC"),
        filter.values(), [&](const Row& row) { page.rows.push_back(journal_row_of(row)); });
    if (!read) return fail(read.error());
    page.more = page.rows.size() > limit;
    if (page.more) page.rows.pop_back();
    return page;
}

Result<std::uint64_t> JournalTable::last() const {
    std::int64_t last = 0;
    const auto read = session_->query(
        "SELECT last FROM orchestrator_journal_head WHERE hive = $1", {hive_.text()},
        [&](const Row& row) { last = row.integer(0); });
    if (!read) return fail(read.error());
    return static_cast<std::uint64_t>(last);
}

Result<std::vector<std::string>>
JournalTable::expired_runs(const JournalRetention& retention, Timestamp now) const {
    std::vector<std::string> expired;
    const auto read = session_->query(
        "SELECT id FROM orchestrator_run WHERE hive = $1 AND pinned = $2 AND ended IS NOT NULL "
        "AND (ended < $3 OR id NOT IN (SELECT id FROM orchestrator_run WHERE hive = $1 "
        "AND pinned = $2 AND ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT $4)) "
        "ORDER BY ended, id LIMIT $5",
        {hive_.text(), false, as_column(now - retention.run_age),
         as_column(std::uint64_t{retention.runs_ended}), as_column(std::uint64_t{runs_per_pass})},
        [&](const Row& row) { expired.emplace_back(row.text(0)); });
    if (!read) return fail(read.error());
    return expired;
}

Result<std::int64_t>
JournalTable::remove_oldest(std::string_view run, std::uint64_t up_to, std::size_t most) {
    return session_->execute(
        "DELETE FROM orchestrator_journal WHERE hive = $1 AND sequence IN ("
        "SELECT sequence FROM orchestrator_journal WHERE hive = $1 AND run = $2 "
        "AND sequence <= $3 ORDER BY sequence LIMIT $4)",
        {hive_.text(), run, as_column(up_to), as_column(std::uint64_t{most})});
}

// The newest entry of no run that is too many; 0 when none is.
Result<std::uint64_t> JournalTable::bound_without_run(std::size_t kept) const {
    std::int64_t bound = 0;
    const auto read = session_->query(
        "SELECT sequence FROM orchestrator_journal WHERE hive = $1 AND run = '' "
        "ORDER BY sequence DESC LIMIT 1 OFFSET $2",
        {hive_.text(), as_column(std::uint64_t{kept})},
        [&](const Row& row) { bound = row.integer(0); });
    if (!read) return fail(read.error());
    return static_cast<std::uint64_t>(bound);
}

Result<JournalSweep> JournalTable::sweep(const JournalRetention& retention, Timestamp now) {
    JournalSweep sweep;
    std::size_t left = retention.rows_per_pass;
    const auto remove = [&](std::string_view run, std::uint64_t up_to) -> Result<bool> {
        const auto removed = remove_oldest(run, up_to, left);
        if (!removed) return fail(removed.error());
        sweep.entries += *removed;
        left -= static_cast<std::size_t>(*removed);
        return left > 0; // else some may be left
    };
    const auto expired = expired_runs(retention, now);
    if (!expired) return fail(expired.error());
    for (const std::string& run : *expired) {
        const auto whole = remove(run, column_max);
        if (!whole) return fail(whole.error());
        if (!*whole) break;
        const auto gone = session_->execute(
            "DELETE FROM orchestrator_run WHERE hive = $1 AND id = $2", {hive_.text(), run});
        if (!gone) return fail(gone.error());
        sweep.runs += *gone;
    }
    if (left > 0) {
        const auto bound = bound_without_run(retention.entries_without_run);
        if (!bound) return fail(bound.error());
        if (*bound > 0) {
            if (const auto whole = remove("", *bound); !whole) return fail(whole.error());
        }
    }
    sweep.more = left == 0 || expired->size() == runs_per_pass;
    return sweep;
}

} // namespace hive::store
