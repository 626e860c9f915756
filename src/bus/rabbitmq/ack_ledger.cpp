#include "bus/rabbitmq/ack_ledger.hpp"

#include <algorithm>

namespace hive::bus::rabbitmq {

void AckLedger::begin_session() {
    base_ = last_;
    floor_ = last_;
    settled_.clear();
    unsettled_ = 0;
    held_.clear();
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

AckLedger::Plan AckLedger::acknowledge(std::span<const std::uint64_t> serials) {
    Plan plan;
    for (const auto serial : serials) {
        if (is_stale(serial)) {
            ++plan.stale;
        } else if (settle(serial)) {
            held_.push_back(serial);
        }
    }
    std::ranges::sort(held_);
    while (!settled_.empty() && settled_.front()) {
        settled_.pop_front();
        ++floor_;
    }
    // With `multiple` the broker insists that the tag itself is outstanding: the last held one of
    // the settled run is, and everything before it is settled.
    const auto above = std::ranges::upper_bound(held_, floor_);
    if (above == held_.begin()) return plan;
    plan.acks.push_back({*(above - 1) - base_, true});
    held_.erase(held_.begin(), above);
    return plan;
}

std::vector<AckLedger::Ack> AckLedger::release() {
    std::vector<Ack> acks;
    acks.reserve(held_.size());
    for (const auto serial : held_) acks.push_back({serial - base_, false});
    held_.clear();
    return acks;
}

std::optional<std::uint64_t> AckLedger::refuse(std::uint64_t serial) {
    if (is_stale(serial) || !settle(serial)) return std::nullopt;
    return serial - base_;
}

} // namespace hive::bus::rabbitmq
