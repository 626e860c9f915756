#pragma once

#include "bus/control_bus.hpp"
#include "bus/rabbitmq/consume_loop.hpp"
#include "bus/rabbitmq/intake.hpp"
#include "bus/rabbitmq/outbox.hpp"
#include "bus/rabbitmq/publish_loop.hpp"

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace hive::bus::rabbitmq {

class Dispatcher;

// A control consumer: its deliveries wait with the dispatcher for their turn.
class ControlIntake final : public Intake, public std::enable_shared_from_this<ControlIntake> {
public:
    ControlIntake(
        std::string queue, std::size_t prefetch, ControlHandler handler,
        std::weak_ptr<Dispatcher> dispatcher);

    void deliver(RawDelivery delivery) override { arriving_.push_back(std::move(delivery)); }
    void hand_over() override;
    void interrupted(std::uint64_t last_serial) override { stale_up_to_ = last_serial; }
    void ended(const Error& why) override;

    void handle(RawDelivery delivery); // on the dispatcher's thread
    // From now on the handler is not called; waits for a running call unless it is the caller.
    void stop(bool on_dispatcher);

private:
    const ControlHandler handler_;
    const std::weak_ptr<Dispatcher> dispatcher_;
    std::vector<RawDelivery> arriving_; // the loop's
    std::atomic<std::uint64_t> stale_up_to_{0};
    std::atomic<bool> stopped_{false};
    std::mutex running_;
};

// Calls control handlers, one at a time, on a thread of its own: a handler that takes its time, or
// asks the broker something, keeps neither work items nor heartbeats waiting. Its queue is bounded
// by the prefetch of all consumers.
class Dispatcher {
public:
    explicit Dispatcher(std::shared_ptr<const Options> options);
    ~Dispatcher();

    void add(const std::shared_ptr<ControlIntake>& intake, std::vector<RawDelivery> deliveries);
    void stop(); // drops what waits: the broker has it back
    bool on_own_thread() const { return std::this_thread::get_id() == thread_.get_id(); }

private:
    struct Turn {
        std::shared_ptr<ControlIntake> intake;
        RawDelivery delivery;
    };
    void run();

    std::shared_ptr<const Options> options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Turn> turns_;
    bool stopped_ = false;
    std::thread thread_;
};

class Control final : public ControlBus {
public:
    Control(
        std::shared_ptr<const Options> options, std::shared_ptr<PublishLoop> publishing,
        std::shared_ptr<ConsumeLoop> consuming);

    Status publish(ControlMessage message, Persistence persistence) override;
    Result<Subscription>
    consume(const std::string& queue, ControlHandler handler, std::size_t prefetch) override;
    Status flush(Duration within) override;

    void close(const Error& why);

private:
    std::shared_ptr<const Options> options_;
    std::shared_ptr<PublishLoop> publishing_;
    std::shared_ptr<ConsumeLoop> consuming_;
    std::shared_ptr<Outbox> outbox_;
    std::shared_ptr<Dispatcher> dispatcher_; // also held by subscriptions being cancelled
};

} // namespace hive::bus::rabbitmq
