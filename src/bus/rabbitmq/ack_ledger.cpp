#include "bus/rabbitmq/ack_ledger.hpp"

#include <algorithm>

namespace hive::bus::rabbitmq {

void AckLedger::begin_session() {
    base_ = last_;
    floor_ = last_;
    settled_.clear();
    unsettled_ = 0;
}

std::uint64_t AckLedger::record(std::uint64_t tag) {
    const std::uint64_t serial = base_ + tag;
    if (serial <= last_) return serial; // a broker that repeats a tag breaks only itself
    settled_.insert(settled_.end(), serial - last_, false);
    unsettled_ += serial - last_;
    last_ = serial;
    return serial;
}

bool AckLedger::settle(std::uint64_t serial) {
    if (serial <= floor_ || serial > last_) return false;
    const auto at = static_cast<std::size_t>(serial - floor_ - 1);
    if (settled_[at]) return false;
    settled_[at] = true;
    --unsettled_;
    return true;
}

AckLedger::Plan AckLedger::acknowledge(std::span<std::uint64_t> serials) {
    Plan plan;
    std::ranges::sort(serials);
    std::vector<std::uint64_t> fresh;
    fresh.reserve(serials.size());
    for (const auto serial : serials) {
        if (is_stale(serial)) {
            ++plan.stale;
        } else if (settle(serial)) {
            fresh.push_back(serial);
        }
    }
    while (!settled_.empty() && settled_.front()) {
        settled_.pop_front();
        ++floor_;
    }
    // With `multiple` the broker insists that the tag itself is outstanding: the last fresh one of
    // the settled prefix is, and everything before it is settled.
    const auto above = std::ranges::upper_bound(fresh, floor_);
    if (above != fresh.begin()) plan.acks.push_back({*(above - 1) - base_, true});
    for (auto it = above; it != fresh.end(); ++it) plan.acks.push_back({*it - base_, false});
    return plan;
}

std::optional<std::uint64_t> AckLedger::refuse(std::uint64_t serial) {
    if (is_stale(serial) || !settle(serial)) return std::nullopt;
    return serial - base_;
}

} // namespace hive::bus::rabbitmq
