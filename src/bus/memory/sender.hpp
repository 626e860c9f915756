#pragma once

#include "bus/memory/session.hpp"
#include "bus/work_bus.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hive::bus::memory {

// What is accepted lies in its queues already, so it is confirmed at once and the window of the
// options never fills; backpressure comes from full queues.
class Sender final : public WorkSender, public Part {
public:
    static Result<std::unique_ptr<WorkSender>>
    open(std::shared_ptr<Session> session, SenderOptions options);
    ~Sender() override;

    Result<std::size_t> send(const Route& route, ItemRefs items, Duration wait) override;
    std::uint64_t accepted() const override { return accepted_; }
    std::uint64_t confirmed() const override { return accepted_; }
    Status flush(Duration within) override;
    void shut(Leftovers& leftovers) override;

private:
    Sender(std::shared_ptr<Session> session, SenderOptions options);
    Status aim(const Route& route);
    std::size_t offer(ItemRefs items);
    std::size_t offer_to_all(ItemRefs items, TimePoint now);
    void wait_for_room(Deadline deadline);
    void ring_when_room();

    const std::shared_ptr<Session> session_;
    const std::shared_ptr<Bell> bell_; // null without a callback
    std::uint64_t accepted_ = 0;
    std::optional<Error> failed_;

    // The latest route and where it leads, for as long as the topology stays as it was.
    Route aimed_at_;
    std::uint64_t aimed_version_ = 0;
    std::vector<QueuePtr> targets_;
    QueuePtr full_; // the target that had no room

    std::mutex mutex_;
    QueuePtr waiting_for_; // guarded by mutex_; for whoever closes the session meanwhile
};

} // namespace hive::bus::memory
