#include "store/audit_ledger.hpp"

#include "store/columns.hpp"
#include "store/rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::store {
namespace {

using audit::Entry;
using audit::Head;
using audit::SignedCheckpoint;

Result<Head> head_of(const HiveId& hive, const Row& row) {
    const auto size = static_cast<std::uint64_t>(row.integer(0));
    const Blob bytes = row.blob(2);
    std::vector<Digest> peaks(bytes.size() / digest_size);
    for (std::size_t i = 0; i < bytes.size() - bytes.size() % digest_size; ++i) {
        peaks[i / digest_size][i % digest_size] = static_cast<std::uint8_t>(bytes[i]);
    }
    auto tree = audit::Frontier::restore(size, std::move(peaks));
    if (!tree) return fail(tree.error());
    return Head{.hive = hive, .chain = bytes_at<digest_size>(row, 1), .tree = std::move(*tree)};
}

std::string joined(const std::vector<Digest>& peaks) {
    std::string bytes;
    bytes.reserve(peaks.size() * digest_size);
    for (const Digest& peak : peaks) bytes += hive::text_of(ByteView{peak});
    return bytes;
}

bool follows(const audit::Batch& batch, const Head& head) {
    const Entry& first = batch.entries.front();
    return first.sequence == head.size() + 1 &&
           batch.head.size() == head.size() + batch.entries.size() &&
           audit::chain_hash(head.chain, audit::CanonicalBytes{view_of(first)}) == first.hash;
}

// The size is that of the row. A note that is no checkpoint is handed on as it is: to refuse it,
// with a reason, is for who verifies.
SignedCheckpoint checkpoint_of(const Row& row) {
    SignedCheckpoint saved{.checkpoint = {}, .note = std::string{row.text(1)}};
    const std::size_t end = saved.note.find("\n\n");
    if (end != saved.note.npos) {
        if (auto parsed = audit::parse_checkpoint(saved.note.substr(0, end + 1))) {
            saved.checkpoint = std::move(*parsed);
        }
    }
    saved.checkpoint.size = static_cast<std::uint64_t>(row.integer(0));
    return saved;
}

} // namespace

Result<Head> AuditLedger::head() const {
    Result<Head> found = audit::empty_log(hive_);
    const auto read = session_->query(
        "SELECT size, chain, peaks FROM audit_head WHERE hive = $1", {hive_.text()},
        [&](const Row& row) { found = head_of(hive_, row); });
    if (!read) return fail(read.error());
    if (found) seen_ = *found;
    return found;
}

Status AuditLedger::append(const audit::Batch& batch) {
    if (batch.entries.empty()) return {};
    if (!seen_) {
        if (auto stored = head(); !stored) return fail(stored.error());
    }
    if (!follows(batch, *seen_)) {
        return fail(
            Errc::conflict, fmt::format(
                                "audit entry {} does not follow the log of {} entries",
                                batch.entries.front().sequence, seen_->size()));
    }
    if (auto ok = move_head(*seen_, batch.head); !ok) return ok;
    if (auto ok = insert(batch.entries); !ok) return ok;
    if (auto ok = insert(batch.nodes); !ok) return ok;
    seen_ = batch.head;
    return {};
}

// Compares once more, in the statement that changes: two that saw the same head cannot both go on.
Status AuditLedger::move_head(const Head& from, const Head& to) {
    const std::string peaks = joined(to.tree.peaks());
    const auto moved =
        from.size() == 0
            ? session_->execute(
                  "INSERT INTO audit_head (hive, size, chain, peaks) VALUES ($1, $2, $3, $4) "
                  "ON CONFLICT (hive) DO NOTHING",
                  {hive_.text(), as_column(to.size()), as_column(to.chain), bytes_of(peaks)})
            : session_->execute(
                  "UPDATE audit_head SET size = $2, chain = $3, peaks = $4 "
                  "WHERE hive = $1 AND size = $5",
                  {hive_.text(), as_column(to.size()), as_column(to.chain), bytes_of(peaks),
                   as_column(from.size())});
    if (!moved) return fail(moved.error());
    if (*moved == 1) return {};
    return fail(
        Errc::conflict,
        fmt::format("the audit log went on from its {} entries elsewhere", from.size()));
}

Status AuditLedger::insert(std::span<const Entry> entries) {
    Rows log{
        "audit_log (hive, sequence, time, actor, action, entity_type, entity_id, correlation_id, "
        "request_id, details_hash, hash)"};
    Rows details{"audit_details (hive, sequence, salt, body)"};
    for (const auto& entry : entries) {
        log.add(
            {hive_.text(), as_column(entry.sequence), as_column(entry.time), entry.actor,
             entry.action, entry.entity_type, entry.entity_id, entry.correlation_id,
             entry.request_id, as_column(entry.commitment), as_column(entry.hash)});
        if (!entry.disclosure) continue;
        details.add(
            {hive_.text(), as_column(entry.sequence), as_column(entry.disclosure->salt),
             entry.disclosure->details});
    }
    if (auto ok = log.insert(*session_); !ok) return ok;
    return details.insert(*session_);
}

Status AuditLedger::insert(std::span<const audit::TreeNode> nodes) {
    Rows rows{"audit_node (hive, level, place, hash)"};
    for (const auto& node : nodes) {
        if (node.level < kept_level) continue;
        rows.add(
            {hive_.text(), std::int64_t{node.level}, as_column(node.index), as_column(node.hash)});
    }
    if (auto ok = rows.insert(*session_); !ok) return ok;
    for (const auto& node : nodes) {
        if (node.level != span_level) continue;
        if (auto ok = insert_span(node.index); !ok) return ok;
    }
    return {};
}

// What searches know of a span once it is complete: its times, and who did what to what in it.
Status AuditLedger::insert_span(std::uint64_t place) {
    const auto done = session_->execute(
        "INSERT INTO audit_span (hive, place, earliest, latest) "
        "SELECT $1, $2, min(time), max(time) FROM audit_log "
        "WHERE hive = $1 AND sequence > $3 AND sequence <= $4",
        {hive_.text(), as_column(place), as_column(place << span_level),
         as_column((place + 1) << span_level)});
    if (!done) return fail(done.error());
    for (const auto column : span_terms) {
        const auto terms = session_->execute(
            fmt::format(
                "INSERT INTO audit_term (hive, kind, term, place) "
                "SELECT DISTINCT $1, '{0}', {0}, CAST($2 AS BIGINT) FROM audit_log "
                "WHERE hive = $1 AND sequence > $3 AND sequence <= $4",
                column),
            {hive_.text(), as_column(place), as_column(place << span_level),
             as_column((place + 1) << span_level)});
        if (!terms) return fail(terms.error());
    }
    return {};
}

Status AuditLedger::erase_details(std::uint64_t sequence) {
    const auto erased = session_->execute(
        "UPDATE audit_details SET salt = NULL, body = NULL, erased = $3 "
        "WHERE hive = $1 AND sequence = $2 AND erased IS NULL",
        {hive_.text(), as_column(sequence), as_column(SystemClock{}.wall())});
    if (!erased) return fail(erased.error());
    if (*erased == 1) return {};
    bool there = false;
    const auto read = session_->query(
        "SELECT 1 FROM audit_log WHERE hive = $1 AND sequence = $2",
        {hive_.text(), as_column(sequence)}, [&](const Row&) { there = true; });
    if (!read || there) return read;
    return fail(Errc::not_found, fmt::format("there is no audit entry {}", sequence));
}

Status AuditLedger::save_checkpoint(const SignedCheckpoint& checkpoint) {
    const auto& promise = checkpoint.checkpoint;
    const auto saved = session_->execute(
        "INSERT INTO audit_checkpoint (hive, size, time, note) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (hive, size) DO NOTHING",
        {hive_.text(), as_column(promise.size), as_column(promise.time), checkpoint.note});
    if (!saved) return fail(saved.error());
    if (*saved == 1) return {};
    return fail(
        Errc::conflict, fmt::format("there is a checkpoint of {} audit entries", promise.size));
}

Result<std::vector<SignedCheckpoint>>
AuditLedger::checkpoints_after(std::uint64_t size, std::size_t limit) const {
    std::vector<SignedCheckpoint> page;
    const auto read = session_->query(
        "SELECT size, note FROM audit_checkpoint WHERE hive = $1 AND size > $2 "
        "ORDER BY size LIMIT $3",
        {hive_.text(), as_column(size), as_column(std::min(limit, audit::page_max))},
        [&](const Row& row) { page.push_back(checkpoint_of(row)); });
    if (!read) return fail(read.error());
    return page;
}

Result<std::optional<SignedCheckpoint>> AuditLedger::latest_checkpoint() const {
    std::optional<SignedCheckpoint> latest;
    const auto read = session_->query(
        "SELECT size, note FROM audit_checkpoint WHERE hive = $1 ORDER BY size DESC LIMIT 1",
        {hive_.text()}, [&](const Row& row) { latest = checkpoint_of(row); });
    if (!read) return fail(read.error());
    return latest;
}

} // namespace hive::store
