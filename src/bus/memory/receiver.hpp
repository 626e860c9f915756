#pragma once

#include "bus/memory/session.hpp"
#include "bus/work_bus.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace hive::bus::memory {

// Holds the chunks it took until their items are settled. An item that was moved out and never
// acknowledged counts as sent on: it is not returned to the queue, because it is not here.
class Receiver final : public WorkReceiver, public Part {
public:
    static Result<std::unique_ptr<WorkReceiver>>
    open(const std::shared_ptr<Session>& session, ReceiverOptions options);
    ~Receiver() override;

    Result<std::span<Delivered>> receive(std::size_t max, Duration wait) override;
    Status ack(std::span<const std::uint64_t> tags) override;
    Status settle(std::uint64_t tag, Verdict verdict, std::string_view reason) override;
    void shut(Leftovers& leftovers) override;

private:
    struct Spot {
        Chunk* chunk;
        std::size_t index;
        std::uint64_t serial;
    };

    Receiver(std::shared_ptr<Session> session, QueuePtr queue, ReceiverOptions options);
    // The following are called with the lock held.
    Status check_queue() const; // Errc::not_found once it was removed
    Result<std::span<Delivered>> try_receive(std::size_t max, Aftermath& after);
    Result<Spot> find(std::uint64_t tag);
    void forget(const Spot& spot); // its item is settled
    Status bury(Delivered& delivered, std::string_view reason, Leftovers& leftovers);
    void return_all(Aftermath& after);

    bool starved() const noexcept { return unsettled_ >= options_.prefetch; }
    void ring_if_fed(bool was_starved);

    const std::shared_ptr<Session> session_;
    const QueuePtr queue_;
    const ReceiverOptions options_;
    const std::shared_ptr<Bell> bell_; // null without a callback

    std::mutex mutex_; // its user against whoever closes the session
    bool shut_ = false;
    bool asked_in_vain_ = false; // since the last delivery
    std::size_t unsettled_ = 0;
    std::uint64_t first_serial_ = 0; // of chunks_.front()
    std::deque<ChunkPtr> chunks_;    // null once all its items are settled
    std::vector<ChunkPtr> emptied_;  // for the queue to use again
};

} // namespace hive::bus::memory
