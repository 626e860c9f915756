#pragma once

#include "audit/ledger.hpp"
#include "audit/proof.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace hive::store {

// Subtrees of fewer leaves are hashed from the entries when a proof needs them: keeping them would
// double the rows that an append writes.
inline constexpr unsigned kept_level = 6;

// What searches ask for is kept of so many entries at once, those of a subtree of this level: their
// times, and which values these columns have among them.
inline constexpr unsigned span_level = 10;
inline constexpr std::array<std::string_view, 3> span_terms{"actor", "action", "entity_type"};

// The audit log of one hive in the database, within one unit of work.
class AuditLedger final : public audit::Ledger, public audit::NodeSource {
public:
    AuditLedger(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    Result<audit::Head> head() const override;
    Status append(const audit::Batch& batch) override;
    Result<std::vector<audit::Entry>> read(std::uint64_t first, std::size_t limit) const override;
    Result<audit::Page> search(const audit::Query& query) const override;
    Status erase_details(std::uint64_t sequence) override;
    Status save_checkpoint(const audit::SignedCheckpoint& checkpoint) override;
    Result<std::vector<audit::SignedCheckpoint>>
    checkpoints_after(std::uint64_t size, std::size_t limit) const override;

    // Errc::not_found when the subtree is not complete.
    Result<Digest> node(unsigned level, std::uint64_t index) const override;
    Result<std::optional<audit::SignedCheckpoint>> latest_checkpoint() const;

private:
    // Sequences, both included.
    struct Window {
        std::uint64_t first = 1;
        std::uint64_t last = 0;
    };

    Result<std::vector<Window>> windows_of(const audit::Query& query) const; // newest first
    Result<std::vector<Window>> spans_of(const audit::Query& query, std::uint64_t last) const;
    Result<std::optional<Digest>> subtree_of_entries(unsigned level, std::uint64_t index) const;
    Status move_head(const audit::Head& from, const audit::Head& to);
    Status insert(std::span<const audit::Entry> entries);
    Status insert(std::span<const audit::TreeNode> nodes);
    Status insert_span(std::uint64_t place);

    Session* session_;
    HiveId hive_;
    mutable std::optional<audit::Head> seen_{}; // what head() said last: saves append() a query
};

} // namespace hive::store
