#pragma once

#include "audit/ledger.hpp"

#include <functional>

namespace hive::cli {

// A log that tells how far it was read: for progress.
class WatchedLedger final : public audit::Ledger {
public:
    using Watch = std::function<void(std::uint64_t done, std::uint64_t all)>;
    WatchedLedger(audit::Ledger& ledger, Watch watch) : ledger_{ledger}, watch_{std::move(watch)} {}

    Result<audit::Head> head() const override { return ledger_.head(); }
    Status append(const audit::Batch& batch) override { return ledger_.append(batch); }
    Result<std::vector<audit::Entry>> read(std::uint64_t first, std::size_t limit) const override {
        if (watch_) {
            const auto known = ledger_.head();
            watch_(first, known ? known->size() : 0);
        }
        return ledger_.read(first, limit);
    }
    Result<audit::Page> search(const audit::Query& query) const override {
        return ledger_.search(query);
    }
    Status erase_details(std::uint64_t sequence) override {
        return ledger_.erase_details(sequence);
    }
    Status save_checkpoint(const audit::SignedCheckpoint& checkpoint) override {
        return ledger_.save_checkpoint(checkpoint);
    }
    Result<std::vector<audit::SignedCheckpoint>>
    checkpoints_after(std::uint64_t size, std::size_t limit) const override {
        return ledger_.checkpoints_after(size, limit);
    }

private:
    audit::Ledger& ledger_;
    Watch watch_;
};

} // namespace hive::cli
