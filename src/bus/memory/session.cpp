#include "bus/memory/session.hpp"

#include "bus/memory/deadline.hpp"

#include <algorithm>

namespace hive::bus::memory {

Session::Session(std::shared_ptr<Switchboard> board, Grants grants)
    : board_{std::move(board)}, grants_{std::move(grants)}, id_{board_->new_session()} {}

Status Session::check_open() const {
    if (!closed_) return {};
    return fail(Errc::closed, "the connection to the memory bus was closed by its owner");
}

Status Session::add(Part& part) {
    const std::lock_guard lock{mutex_};
    if (auto open = check_open(); !open) return open;
    parts_.push_back(&part);
    return {};
}

void Session::drop(Part& part) {
    const std::lock_guard lock{mutex_};
    std::erase(parts_, &part);
}

Status Session::add(const ConsumerPtr& consumer) {
    const std::lock_guard lock{mutex_};
    if (auto open = check_open(); !open) return open;
    std::erase_if(consumers_, [](const ConsumerPtr& known) {
        return !known->active && known->queue->all_settled(*known);
    });
    consumers_.push_back(consumer);
    return {};
}

void Session::end(const ConsumerPtr& consumer) {
    consumer->active = false;
    Aftermath after;
    after.unused = consumer->queue->drop_consumer(consumer);
    {
        const std::lock_guard idle{consumer->running};
    }
    board_->carry_out(consumer->queue, after);
}

Status Session::close(Duration within) {
    if (closed_.exchange(true)) return {};
    const Deadline deadline = deadline_after(within);
    Leftovers leftovers;
    std::vector<ConsumerPtr> consumers;
    {
        const std::lock_guard lock{mutex_};
        for (Part* part : parts_) part->shut(leftovers);
        consumers.swap(consumers_);
    }
    bool idle = true;
    for (const auto& consumer : consumers) {
        consumer->active = false;
        Aftermath after;
        after.unused = consumer->queue->drop_consumer(consumer);
        idle = std::unique_lock{consumer->running, deadline}.owns_lock() && idle;
        consumer->queue->return_unsettled(*consumer, after);
        leftovers.emplace_back(consumer->queue, std::move(after));
    }
    carry_out(leftovers);
    board_->remove_exclusive(id_);
    if (idle) return {};
    return fail(Errc::timeout, "a control handler was still running when its connection closed");
}

void Session::carry_out(Leftovers& leftovers) {
    for (auto& [queue, after] : leftovers) board_->carry_out(queue, after);
}

} // namespace hive::bus::memory
