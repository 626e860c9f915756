#include "store/unit_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <iterator>

namespace hive::store {

Status UnitQueue::push(Unit unit, Done done) {
    assert(unit.work && done);
    const TimePoint deadline = SystemClock{}.now() + unit.within;
    {
        const std::lock_guard lock{mutex_};
        if (closed_) return fail(Errc::closed, "the store is closed");
        if (units_.size() >= max_) {
            return fail(
                Errc::limit,
                fmt::format("{} {} are waiting for the store already; try again", max_, what_));
        }
        units_.push_back({std::move(unit), std::move(done), deadline});
    }
    changed_.notify_one();
    return {};
}

std::vector<Pending> UnitQueue::take(std::size_t most, std::optional<Duration> wait) {
    std::unique_lock lock{mutex_};
    const auto ready = [&] { return closed_ || !units_.empty(); };
    if (wait) {
        changed_.wait_for(lock, *wait, ready);
    } else {
        changed_.wait(lock, ready);
    }
    const auto count = static_cast<std::ptrdiff_t>(std::min(most, units_.size()));
    std::vector<Pending> taken{
        std::make_move_iterator(units_.begin()), std::make_move_iterator(units_.begin() + count)};
    units_.erase(units_.begin(), units_.begin() + count);
    return taken;
}

void UnitQueue::close() {
    {
        const std::lock_guard lock{mutex_};
        closed_ = true;
    }
    changed_.notify_all();
}

bool UnitQueue::exhausted() const {
    const std::lock_guard lock{mutex_};
    return closed_ && units_.empty();
}

void complete(std::vector<Pending>& units) {
    for (auto& unit : units) unit.done(std::move(unit.outcome));
    units.clear();
}

} // namespace hive::store
