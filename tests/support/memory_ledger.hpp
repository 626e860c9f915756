#pragma once

#include "audit/ledger.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hive::tests {

// A ledger without a database. Its rows are open to tests, which tamper with them.
class MemoryLedger final : public audit::Ledger {
public:
    explicit MemoryLedger(HiveId hive) : stored_head{audit::empty_log(std::move(hive))} {}

    Result<audit::Head> head() const override { return stored_head; }

    Status append(const audit::Batch& batch) override {
        const bool follows =
            batch.head.size() == stored_head.size() + batch.entries.size() &&
            (batch.entries.empty() || batch.entries.front().sequence == stored_head.size() + 1);
        if (!follows) return fail(Errc::conflict, "the batch does not follow the stored head");
        entries.insert(entries.end(), batch.entries.begin(), batch.entries.end());
        stored_head = batch.head;
        return {};
    }

    Result<std::vector<audit::Entry>> read(std::uint64_t first, std::size_t limit) const override {
        std::vector<audit::Entry> page;
        for (const auto& entry : entries) {
            if (page.size() == std::min(limit, audit::page_max)) break;
            if (entry.sequence >= first) page.push_back(entry);
        }
        return page;
    }

    Result<audit::Page> search(const audit::Query& query) const override {
        audit::Page page;
        for (auto at = entries.rbegin(); at != entries.rend(); ++at) {
            if (!audit::matches(query, audit::view_of(*at))) continue;
            if (page.entries.size() == std::min(query.limit, audit::page_max)) {
                page.next = page.entries.back().sequence;
                break;
            }
            page.entries.push_back(*at);
        }
        return page;
    }

    Status erase_details(std::uint64_t sequence) override {
        const auto at = std::ranges::find(entries, sequence, &audit::Entry::sequence);
        if (at == entries.end()) return fail(Errc::not_found, "no such audit entry");
        at->disclosure.reset();
        return {};
    }

    Status save_checkpoint(const audit::SignedCheckpoint& checkpoint) override {
        if (checkpoints.emplace(checkpoint.checkpoint.size, checkpoint).second) return {};
        return fail(Errc::conflict, "there is a checkpoint of that size");
    }

    Result<std::vector<audit::SignedCheckpoint>>
    checkpoints_after(std::uint64_t size, std::size_t limit) const override {
        std::vector<audit::SignedCheckpoint> page;
        for (auto at = checkpoints.upper_bound(size); at != checkpoints.end(); ++at) {
            if (page.size() == std::min(limit, audit::page_max)) break;
            page.push_back(at->second);
        }
        return page;
    }

    audit::Head stored_head;
    std::vector<audit::Entry> entries{};
    std::map<std::uint64_t, audit::SignedCheckpoint> checkpoints{};
};

} // namespace hive::tests
