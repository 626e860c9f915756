#include "call/lanes.hpp"

#include <algorithm>

namespace hive::call {
namespace {

// What lane `index` of `count` gets of a bound that all share.
std::size_t share(std::size_t whole, std::size_t index, std::size_t count) {
    if (whole == SIZE_MAX) return whole;
    return whole / count + (index < whole % count ? 1 : 0);
}

} // namespace

Result<std::unique_ptr<Lanes>>
Lanes::start(std::size_t threads, const Options& options, const Lane::Events& events) {
    if (threads == 0) return fail(Errc::invalid, "calls need at least one thread");
    const std::size_t least =
        std::min({options.concurrency, options.connections_max, options.waiting_max});
    const std::size_t count = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(least, 1));
    std::vector<std::unique_ptr<Lane>> lanes;
    for (std::size_t i = 0; i < count; ++i) {
        Options own = options;
        own.concurrency = share(options.concurrency, i, count);
        own.waiting_max = share(options.waiting_max, i, count);
        own.connections_max = share(options.connections_max, i, count);
        auto lane = Lane::start(own, events);
        if (!lane) return fail(lane.error());
        lanes.push_back(std::move(*lane));
    }
    return std::unique_ptr<Lanes>{new Lanes{std::move(lanes)}};
}

Status Lanes::submit(std::vector<Call>& calls) {
    const std::size_t first = next_.fetch_add(1, std::memory_order_relaxed);
    Status status;
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
        status = lanes_[(first + i) % lanes_.size()]->submit(calls);
        if (status || status.error().code != Errc::limit) break;
    }
    return status;
}

std::size_t Lanes::pending() const {
    std::size_t sum = 0;
    for (const auto& lane : lanes_) sum += lane->pending();
    return sum;
}

void Lanes::drain(Duration within) {
    const auto deadline = std::chrono::steady_clock::now() + within;
    for (const auto& lane : lanes_) {
        const Duration left = deadline - std::chrono::steady_clock::now();
        lane->drain(std::max(left, Duration::zero()));
    }
}

} // namespace hive::call
