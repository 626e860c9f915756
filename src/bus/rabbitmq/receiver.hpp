#pragma once

#include "bus/rabbitmq/consume_loop.hpp"
#include "bus/rabbitmq/intake.hpp"
#include "bus/rabbitmq/outbox.hpp"
#include "bus/rabbitmq/publish_loop.hpp"
#include "bus/work_bus.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace hive::bus::rabbitmq {

// Deliveries on their way from the consume loop to a receiver, at most `prefetch` of them.
class Inbox final : public Intake {
public:
    Inbox(std::string queue, std::size_t prefetch, std::function<void()> on_items);

    void deliver(RawDelivery delivery) override { arriving_.push_back(std::move(delivery)); }
    void hand_over() override;
    void interrupted(std::uint64_t last_serial) override;
    void ended(const Error& why) override;

    // Appends up to `max`, waiting until `deadline` for the first.
    Status take(std::vector<RawDelivery>& out, std::size_t max, TimePoint deadline);

private:
    const std::function<void()> on_items_;
    std::vector<RawDelivery> arriving_; // the loop's
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<RawDelivery> ready_;
    std::optional<Error> ended_;
};

// Decodes on its caller's thread. Retried and dead items are published again by the publish loop,
// and the original is acknowledged once the copy is confirmed.
class Receiver final : public WorkReceiver {
public:
    struct Parts {
        std::shared_ptr<ConsumeLoop> consuming;
        std::shared_ptr<PublishLoop> publishing;
        std::shared_ptr<const Options> bus;
    };

    static Result<std::unique_ptr<WorkReceiver>> open(Parts parts, ReceiverOptions options);
    ~Receiver() override;

    Result<std::span<Delivered>> receive(std::size_t max, Duration wait) override;
    Status ack(std::span<const std::uint64_t> tags) override;
    Status settle(std::uint64_t tag, Verdict verdict, std::string_view reason) override;

private:
    // Items handed out by one receive(): they stay in place until all of them are settled.
    struct Chunk {
        std::vector<Delivered> items;
        std::size_t unsettled = 0;
    };

    Receiver(Parts parts, ReceiverOptions options);

    Status decode(std::vector<RawDelivery>& raw, std::vector<Delivered>& out);
    Status bury_malformed(RawDelivery& raw, const Error& why);
    Status publish_again(Delivered& delivered, bool dead, std::string_view reason);
    Delivered* find(std::uint64_t tag, Chunk** in);
    void settled(Chunk& chunk, Delivered& delivered);
    void drop_settled();

    Parts parts_;
    ReceiverOptions options_;
    std::shared_ptr<Inbox> inbox_;
    std::shared_ptr<Outbox> again_; // copies of retried and dead items
    std::vector<RawDelivery> raw_;
    std::deque<std::unique_ptr<Chunk>> chunks_;
};

} // namespace hive::bus::rabbitmq
