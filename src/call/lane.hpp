#pragma once

#include "call/call.hpp"
#include "call/options.hpp"
#include "kernel/clock.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace hive::call {

class LaneCore;

// One thread with its connections: takes calls from any thread, makes `concurrency` of them at a
// time in the order they came, and hands back what became of them. Every call that was accepted
// comes back exactly once.
class Lane {
public:
    struct Events {
        // On the lane's thread, once a turn of its loop, with all calls that ended in it. What is
        // left in the vector is used again, so take what you need; must neither block nor throw.
        std::function<void(std::vector<Done>&)> done{};
        // On the lane's thread: half the queue is free again after a submit was refused.
        std::function<void()> room{};
    };

    static Result<std::unique_ptr<Lane>> start(Options options, Events events);
    ~Lane(); // cancels what is under way
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    // All of them or none. Taken: the vector is empty, and may hold the memory of an earlier one.
    // Errc::limit: no room, and Events::room will follow. Errc::closed: draining.
    [[nodiscard]] Status submit(std::vector<Call>& calls);

    std::size_t room() const;    // calls that submit would take now
    std::size_t pending() const; // accepted and not yet handed back

    // Takes no more calls, lets those that were taken end within the limit, and cancels the rest.
    // Returns when all have been handed back; not to be called from Events.
    void drain(Duration within);

private:
    explicit Lane(std::unique_ptr<LaneCore> core);
    std::unique_ptr<LaneCore> core_;
};

} // namespace hive::call
