#pragma once

#include "bus/rabbitmq/ack_ledger.hpp"
#include "bus/rabbitmq/assembler.hpp"
#include "bus/rabbitmq/declared.hpp"
#include "bus/rabbitmq/intake.hpp"
#include "bus/rabbitmq/io_loop.hpp"
#include "bus/rabbitmq/link_state.hpp"
#include "bus/rabbitmq/topology_channel.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace hive::bus::rabbitmq {

// Consumes, each consumer on a channel of its own, and runs the topology calls: both on one AMQP
// connection, because an exclusive queue belongs to the connection that declared it.
class ConsumeLoop final : public IoLoop {
public:
    ConsumeLoop(std::shared_ptr<const Options> options, std::shared_ptr<LinkState> link);

    // Starts consuming, or says why not. Waits at most the request timeout, as all of these do.
    Status consume(const std::shared_ptr<Intake>& intake);
    // Stops it and returns its unsettled deliveries to the queue. Does not wait when called on the
    // loop's own thread.
    void close(const std::shared_ptr<Intake>& intake);
    // Stops deliveries; what was handed out may still be settled.
    void cancel(const std::shared_ptr<Intake>& intake);

    Status declare(const Layout& layout);
    Status bind(const Binding& binding);
    Status unbind(const Binding& binding);
    Status remove_queue(const std::string& name);
    Status remove_exchange(const std::string& name);
    Result<QueueStats> inspect(const std::string& queue);
    Result<std::size_t> purge(const std::string& queue);

protected:
    Status on_up(Session& session) override;
    void on_away(const Error& why) override;
    Result<Duration> work(Session& session) override;
    bool is_done(bool up) override;
    void on_goodbye(Session& session) override;
    void on_end() override;

private:
    struct Consumer {
        std::shared_ptr<Intake> intake;
        AckLedger ledger{};
        amqp_channel_t channel = 0; // 0: not consuming
        bool cancelled = false;     // no more deliveries; waits for the settlement of the last
        bool gone = false;
        bool touched = false; // has deliveries to hand over
        TimePoint flush_at = TimePoint::max();
        TimePoint release_at = TimePoint::max(); // when acknowledgements stop waiting for a gap
        TimePoint resume_at = TimePoint::max();  // its queue was missing after a reconnect
        TimePoint resume_until{};
    };

    // Runs on the loop's thread; without a session when there is none, and then with the reason.
    using Request = std::function<void(Session* session, const Error& away)>;

    template <class T>
    Result<T> call(std::function<Result<T>(Session&)> action);
    void post(Request request);
    void run_requests(Session* session);
    void set_reachable(bool up, const Error& why);

    Consumer* find(const Intake* intake);
    Consumer* at_channel(amqp_channel_t channel);
    Status start_consumer(Session& session, Consumer& consumer);
    Status recover(Session& session);
    void resume(Session& session, Consumer& consumer);
    void end(Consumer& consumer, const Error& why);
    void cancelled_by_broker(Session& session, Consumer& consumer);
    template <class T>
    Result<T> noting_absence(const std::string& queue, Result<T> answer);
    void close_channel(Session& session, Consumer& consumer);
    void drop_gone();

    Status flush_due(Session& session);
    enum class Held : std::uint8_t { may_wait, go_too };
    Status flush(Session& session, Consumer& consumer, Held held);
    Status
    acknowledge(Session& session, const Consumer& consumer, std::span<const AckLedger::Ack> acks);
    Status drain(Session& session);
    Status take_frame(Session& session, const amqp_frame_t& frame);
    Status take_channel_method(Session& session, const amqp_frame_t& frame);
    void take_delivery(Message& message);
    void hand_over();
    Duration idle_for() const;

    std::shared_ptr<LinkState> link_;
    mutable std::mutex mutex_;
    // Guarded by mutex_:
    std::deque<Request> requests_;                        // bounded by the callers that wait
    std::vector<std::pair<const Intake*, bool>> settled_; // who has settlements; urgent or not
    bool up_ = true;
    Error away_{}; // why not up_

    // Only on the thread:
    std::vector<std::unique_ptr<Consumer>> consumers_;
    std::vector<Consumer*> by_channel_;
    std::vector<amqp_channel_t> resting_; // closed; frames for them may wait inside the library
    std::optional<TopologyChannel> topology_;
    Declared declared_;
    Assembler assembler_;
};

} // namespace hive::bus::rabbitmq
