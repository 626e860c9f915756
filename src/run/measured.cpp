#include "run/measured.hpp"

#include "kernel/timestamp.hpp"

#include <algorithm>
#include <utility>

namespace hive::run {
namespace {

using telemetry::Latencies;

// A status after a longer silence says nothing about the time between.
constexpr Duration pause_min = std::chrono::seconds{30};

double number_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::uint64_t count_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    if (value == nullptr || !value->is_number()) return 0;
    boost::system::error_code bad;
    const auto count = value->to_number<std::uint64_t>(bad);
    return bad ? 0 : count;
}

const json::object* object_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value == nullptr ? nullptr : value->if_object();
}

const json::object* work_of(const wire::Envelope& envelope) {
    if (wire::is_manager(envelope.scope.role)) return nullptr;
    const auto* full = std::get_if<wire::StatusFull>(&envelope.body);
    const auto* delta = std::get_if<wire::StatusDelta>(&envelope.body);
    if (full == nullptr && delta == nullptr) return nullptr;
    const auto& context = full != nullptr ? full->context : delta->context;
    const json::object* work = context ? object_in(*context, "work") : nullptr;
    return work != nullptr && object_in(*work, "latencyUs") != nullptr ? work : nullptr;
}

Latencies latencies_in(const json::object& us) {
    return {
        .p50 = number_in(us, "p50"),
        .p90 = number_in(us, "p90"),
        .p95 = number_in(us, "p95"),
        .p99 = number_in(us, "p99"),
        .p999 = number_in(us, "p999"),
        .max = number_in(us, "max"),
        .mean = number_in(us, "mean")};
}

json::object to_json(const Latencies& us) {
    return {{"p50", us.p50},   {"p90", us.p90}, {"p95", us.p95},  {"p99", us.p99},
            {"p999", us.p999}, {"max", us.max}, {"mean", us.mean}};
}

double seconds(Duration span) {
    return std::chrono::duration<double>{span}.count();
}

} // namespace

void Measured::Tally::add(const Tally& other) {
    calls += other.calls;
    failed += other.failed;
    for (const auto& [status, count] : other.by_status) by_status[status] += count;
}

bool Measured::hear(const wire::Envelope& envelope, Timestamp now) {
    const json::object* work = work_of(envelope);
    if (work == nullptr) return false;
    Tally tally{.calls = count_in(*work, "transactions"), .failed = count_in(*work, "failed")};
    if (const auto* by_status = object_in(*work, "byStatus")) {
        for (const auto& [status, unused] : *by_status) {
            const std::uint64_t count = count_in(*by_status, status);
            if (count > 0) tally.by_status[status] = count;
        }
    }
    const Duration since = now - std::exchange(heard_, now);
    Bee& bee = bees_[std::string{envelope.scope.instance.text()}];
    if (tally == bee.now) {
        if (empty()) began_ = now;
        return false;
    }
    // A bee that was restarted counts from zero: what it measured before stays.
    if (tally.calls < bee.now.calls) bee.before.add(bee.now);
    bee.now = std::move(tally);
    bee.latency = latencies_in(*object_in(*work, "latencyUs"));
    busy_ += std::clamp(since, Duration{0}, pause_min);
    changed_ = now;
    mark(now);
    return true;
}

void Measured::mark(Timestamp now) {
    if (!points_.empty() && now - points_.back().at < every_) return;
    const Tally sum = all();
    points_.push_back({.at = now, .calls = sum.calls, .failed = sum.failed, .latency = latency()});
    if (points_.size() == points_max) thin();
}

// Every second one goes: counts are sums, so the others stay true.
void Measured::thin() {
    std::size_t kept = 0;
    for (std::size_t i = 1; i < points_.size(); i += 2) points_[kept++] = points_[i];
    points_.resize(kept);
    every_ *= 2;
}

Measured::Tally Measured::all() const {
    Tally sum;
    for (const auto& [instance, bee] : bees_) {
        sum.add(bee.before);
        sum.add(bee.now);
    }
    return sum;
}

// Of several bees the slowest: percentiles cannot be added, and the true one is never above it.
Latencies Measured::latency() const {
    Latencies worst;
    double calls = 0;
    for (const auto& [instance, bee] : bees_) {
        const Latencies& one = bee.latency;
        worst.p50 = std::max(worst.p50, one.p50);
        worst.p90 = std::max(worst.p90, one.p90);
        worst.p95 = std::max(worst.p95, one.p95);
        worst.p99 = std::max(worst.p99, one.p99);
        worst.p999 = std::max(worst.p999, one.p999);
        worst.max = std::max(worst.max, one.max);
        const auto own = static_cast<double>(bee.now.calls);
        calls += own;
        if (calls > 0) worst.mean += (one.mean - worst.mean) * own / calls;
    }
    return worst;
}

json::array Measured::course() const {
    json::array out;
    Timestamp from = began_;
    std::uint64_t calls = 0;
    std::uint64_t failed = 0;
    for (const Point& point : points_) {
        const double span = std::max(seconds(point.at - from), 0.001);
        out.push_back(json::object{
            {"atSec", seconds(point.at - began_)},
            {"ratePerSec", static_cast<double>(point.calls - calls) / span},
            {"failedPerSec", static_cast<double>(point.failed - failed) / span},
            {"p50Us", point.latency.p50},
            {"p95Us", point.latency.p95},
            {"p99Us", point.latency.p99}});
        from = point.at;
        calls = point.calls;
        failed = point.failed;
    }
    return out;
}

json::object Measured::report() const {
    const Tally sum = all();
    json::object by_status;
    for (const auto& [status, count] : sum.by_status) by_status[status] = count;
    const double span = seconds(busy_);
    const bool several = std::ranges::count_if(
                             bees_, [](const auto& each) { return each.second.now.calls > 0; }) > 1;
    return {
        {"began", format_timestamp(began_)},
        {"upTo", format_timestamp(changed_)},
        {"busySec", span},
        {"calls", sum.calls},
        {"failed", sum.failed},
        {"ratePerSec", span > 0 ? static_cast<double>(sum.calls) / span : 0.0},
        {"latencyUs", to_json(latency())},
        {"upperBound", several},
        {"byStatus", std::move(by_status)},
        {"course", course()}};
}

} // namespace hive::run
