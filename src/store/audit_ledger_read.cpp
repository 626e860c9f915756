#include "store/audit_ledger.hpp"
#include "store/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::store {
namespace {

using audit::Entry;

constexpr std::string_view entry_columns =
    "l.sequence, l.time, l.actor, l.action, l.entity_type, l.entity_id, l.correlation_id, "
    "l.request_id, l.details_hash, l.hash";

Entry entry_of(const HiveId& hive, const Row& row) {
    return Entry{
        .sequence = static_cast<std::uint64_t>(row.integer(0)),
        .time = time_at(row, 1),
        .hive = hive.text(),
        .actor = std::string{row.text(2)},
        .action = std::string{row.text(3)},
        .entity_type = std::string{row.text(4)},
        .entity_id = std::string{row.text(5)},
        .correlation_id = std::string{row.text_if(6).value_or("")},
        .request_id = std::string{row.text_if(7).value_or("")},
        .commitment = bytes_at<digest_size>(row, 8),
        .hash = bytes_at<digest_size>(row, 9),
    };
}

Entry disclosed_entry_of(const HiveId& hive, const Row& row) {
    Entry entry = entry_of(hive, row);
    if (!row.is_null(10) && !row.is_null(11)) {
        entry.disclosure = audit::Disclosure{
            bytes_at<std::tuple_size_v<audit::Salt>>(row, 10), std::string{row.text(11)}};
    }
    return entry;
}

// Entries with their details, as far as those were not erased. Details are looked up for the page
// alone: `which` ends with its limit.
std::string select_entries(std::string_view which, std::string_view order) {
    return fmt::format(
        "SELECT {0}, d.salt, d.body FROM (SELECT * FROM audit_log WHERE hive = $1 {1}) l "
        "LEFT JOIN audit_details d ON d.hive = l.hive AND d.sequence = l.sequence "
        "ORDER BY l.sequence {2}",
        entry_columns, which, order);
}

// The conditions of a search and their parameters. $1 to $4 are the hive, the window and the limit.
class EntryFilter {
public:
    void add(std::string_view condition, Value value) {
        values_.push_back(value);
        text_ += fmt::format(" AND {} ${}", condition, values_.size() + 4);
    }
    void add(std::string_view column, const std::optional<std::string>& wanted) {
        if (wanted) add(fmt::format("{} =", column), Value{std::string_view{*wanted}});
    }
    std::string text() const {
        return fmt::format(
            "AND sequence >= $2 AND sequence <= $3{} ORDER BY sequence DESC LIMIT $4", text_);
    }
    std::vector<Value> values(std::vector<Value> first) const {
        first.insert(first.end(), values_.begin(), values_.end());
        return first;
    }

private:
    std::string text_;
    std::vector<Value> values_;
};

// The first entry of a span.
std::uint64_t first_of(std::int64_t place) {
    return (static_cast<std::uint64_t>(place) << span_level) + 1;
}

EntryFilter filter_of(const audit::Query& query) {
    EntryFilter filter;
    filter.add("actor", query.actor);
    filter.add("action", query.action);
    filter.add("entity_type", query.entity_type);
    filter.add("entity_id", query.entity_id);
    if (query.since) filter.add("time >=", as_column(*query.since));
    if (query.until) filter.add("time <", as_column(*query.until));
    return filter;
}

} // namespace

Result<std::vector<Entry>> AuditLedger::read(std::uint64_t first, std::size_t limit) const {
    std::vector<Entry> page;
    const auto read = session_->query(
        select_entries("AND sequence >= $2 ORDER BY sequence LIMIT $3", "ASC"),
        {hive_.text(), as_column(first), as_column(std::min(limit, audit::page_max))},
        [&](const Row& row) { page.push_back(disclosed_entry_of(hive_, row)); });
    if (!read) return fail(read.error());
    return page;
}

// Where entries that match can be: in what is in no span yet, and in the spans that may have them.
// An entity is found by its index.
Result<std::vector<AuditLedger::Window>> AuditLedger::windows_of(const audit::Query& query) const {
    const std::uint64_t last = query.before ? *query.before - 1 : column_max;
    const bool narrow =
        query.since || query.until || query.actor || query.action || query.entity_type;
    if (query.entity_id || !narrow) return std::vector{Window{1, last}};
    Window fresh{1, last};
    const auto read = session_->query(
        "SELECT max(place) FROM audit_span WHERE hive = $1", {hive_.text()}, [&](const Row& row) {
            if (!row.is_null(0)) fresh.first = first_of(row.integer(0) + 1);
        });
    if (!read) return fail(read.error());
    auto windows = spans_of(query, last);
    if (windows) windows->insert(windows->begin(), fresh);
    return windows;
}

// Spans beside each other are one window: who is in all of them costs one look.
Result<std::vector<AuditLedger::Window>>
AuditLedger::spans_of(const audit::Query& query, std::uint64_t last) const {
    std::vector<Value> values{
        hive_.text(), as_column(query.since.value_or(Timestamp::min())),
        as_column(query.until.value_or(Timestamp::max())), as_column(last >> span_level)};
    std::string terms;
    const std::array wanted{&query.actor, &query.action, &query.entity_type};
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (!*wanted.at(i)) continue;
        values.emplace_back(std::string_view{**wanted.at(i)});
        terms += fmt::format(
            " AND EXISTS (SELECT 1 FROM audit_term t WHERE t.hive = $1 AND t.kind = '{}' "
            "AND t.term = ${} AND t.place = s.place)",
            span_terms.at(i), values.size());
    }
    std::vector<Window> windows;
    const auto read = session_->query(
        fmt::format(
            "SELECT s.place FROM audit_span s WHERE s.hive = $1 AND s.latest >= $2 "
            "AND s.earliest <= $3 AND s.place <= $4{} ORDER BY s.place DESC",
            terms),
        values, [&](const Row& row) {
            const Window span{
                first_of(row.integer(0)), std::min(last, first_of(row.integer(0) + 1) - 1)};
            if (!windows.empty() && windows.back().first == span.last + 1) {
                windows.back().first = span.first;
            } else {
                windows.push_back(span);
            }
        });
    if (!read) return fail(read.error());
    return windows;
}

Result<audit::Page> AuditLedger::search(const audit::Query& query) const {
    const std::size_t limit = std::min(query.limit, audit::page_max);
    audit::Page page;
    if (limit == 0 || query.before == 0U) return page;
    const auto windows = windows_of(query);
    if (!windows) return fail(windows.error());
    const EntryFilter filter = filter_of(query);
    for (const auto& [first, last] : *windows) {
        if (page.entries.size() > limit) break;
        if (first > last) continue;
        // One more than wanted tells whether there is a next page.
        const auto wanted = std::uint64_t{limit + 1 - page.entries.size()};
        const auto values =
            filter.values({hive_.text(), as_column(first), as_column(last), as_column(wanted)});
        const auto read =
            session_->query(select_entries(filter.text(), "DESC"), values, [&](const Row& row) {
                page.entries.push_back(disclosed_entry_of(hive_, row));
            });
        if (!read) return fail(read.error());
    }
    if (page.entries.size() > limit) {
        page.entries.pop_back();
        page.next = page.entries.back().sequence;
    }
    return page;
}

Result<Digest> AuditLedger::node(unsigned level, std::uint64_t index) const {
    const auto missing = [&] {
        return fail(
            Errc::not_found,
            fmt::format("the audit log has no complete subtree {}/{}", level, index));
    };
    if (level < kept_level) {
        const auto computed = subtree_of_entries(level, index);
        if (!computed) return fail(computed.error());
        return *computed ? Result<Digest>{**computed} : missing();
    }
    std::optional<Digest> kept;
    const auto read = session_->query(
        "SELECT hash FROM audit_node WHERE hive = $1 AND level = $2 AND place = $3",
        {hive_.text(), std::int64_t{level}, as_column(index)},
        [&](const Row& row) { kept = bytes_at<digest_size>(row, 0); });
    if (!read) return fail(read.error());
    return kept ? Result<Digest>{*kept} : missing();
}

// None when some of its entries are not there yet.
Result<std::optional<Digest>>
AuditLedger::subtree_of_entries(unsigned level, std::uint64_t index) const {
    const std::uint64_t leaves = std::uint64_t{1} << level;
    if (index >= column_max / leaves) return std::nullopt;
    audit::Frontier tree;
    bool whole = true;
    const auto read = session_->query(
        fmt::format(
            "SELECT {} FROM audit_log l WHERE l.hive = $1 AND l.sequence >= $2 "
            "AND l.sequence < $3 ORDER BY l.sequence",
            entry_columns),
        {hive_.text(), as_column(index * leaves + 1), as_column((index + 1) * leaves + 1)},
        [&](const Row& row) {
            const Entry entry = entry_of(hive_, row);
            whole = whole && audit::is_hashable(view_of(entry));
            if (whole) tree.append(audit::leaf_hash(audit::CanonicalBytes{view_of(entry)}.view()));
        });
    if (!read) return fail(read.error());
    if (!whole) return fail(Errc::unavailable, "the audit log was tampered with; verify it");
    if (tree.size() < leaves) return std::nullopt;
    return tree.root();
}

} // namespace hive::store
