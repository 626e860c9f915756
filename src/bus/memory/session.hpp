#pragma once

#include "bus/grants.hpp"
#include "bus/memory/consumer.hpp"
#include "bus/memory/switchboard.hpp"
#include "kernel/result.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hive::bus::memory {

// What closing leaves to do once no lock is held.
using Leftovers = std::vector<std::pair<QueuePtr, Aftermath>>;

// A sender or receiver, as its session sees it.
class Part {
public:
    virtual ~Part() = default;
    virtual void shut(Leftovers& leftovers) = 0; // the session is marked as closed already
};

// What a connection shares with its senders, receivers and subscriptions, which may outlive it.
class Session {
public:
    Session(std::shared_ptr<Switchboard> board, Grants grants);

    Switchboard& board() noexcept { return *board_; }
    const Grants& grants() const noexcept { return grants_; }
    std::uint64_t id() const noexcept { return id_; }
    const std::atomic<bool>& closed() const noexcept { return closed_; }
    Status check_open() const;

    Status add(Part& part); // Errc::closed when that came first
    void drop(Part& part);  // once this has returned the part is not being shut

    Status add(const ConsumerPtr& consumer);
    // Once this has returned the handler is not running, unless it is what called this.
    void end(const ConsumerPtr& consumer);

    void carry_out(Leftovers& leftovers); // with no lock held

    // Errc::timeout when a handler was still running at the deadline. Repeating it is harmless.
    Status close(Duration within);

private:
    // Shared: a delivery may be settled when the hub itself is gone.
    const std::shared_ptr<Switchboard> board_;
    const Grants grants_;
    const std::uint64_t id_;
    std::atomic<bool> closed_{false};

    std::mutex mutex_;
    std::vector<Part*> parts_;
    std::vector<ConsumerPtr> consumers_; // also ended ones with unsettled deliveries
};

} // namespace hive::bus::memory
