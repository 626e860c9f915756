#include "bus/rabbitmq/intake.hpp"

#include <algorithm>
#include <utility>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t batch_max = 50;

} // namespace

Intake::Intake(std::string queue, std::size_t prefetch)
    : queue_{std::move(queue)}, prefetch_{prefetch},
      // A small prefetch must not wait for a batch that it cannot fill.
      batch_{std::clamp<std::size_t>(prefetch / 2, 1, batch_max)} {}

void Intake::ack(std::span<const std::uint64_t> serials) {
    if (serials.empty()) return;
    const std::lock_guard lock{mutex_};
    const bool first = settlements_.empty();
    auto& acks = settlements_.acks;
    const std::size_t before = acks.size();
    acks.insert(acks.end(), serials.begin(), serials.end());
    tell_if(first, before, acks.size());
}

void Intake::refuse(std::uint64_t serial, Refusal refusal) {
    const std::lock_guard lock{mutex_};
    settlements_.refusals.emplace_back(serial, refusal);
    // Someone else may be waiting for it: no batching.
    if (tell_) tell_(true);
}

void Intake::tell_if(bool first, std::size_t before, std::size_t after) const {
    const bool full = before < batch_ && after >= batch_;
    if (tell_ && (first || full)) tell_(full);
}

Intake::Settlements Intake::take_settlements() {
    const std::lock_guard lock{mutex_};
    return std::exchange(settlements_, {});
}

void Intake::on_settled(std::function<void(bool urgent)> tell) {
    const std::lock_guard lock{mutex_};
    tell_ = std::move(tell);
}

} // namespace hive::bus::rabbitmq
