#pragma once

#include "bus/rabbitmq/assembler.hpp"
#include "bus/rabbitmq/io_loop.hpp"
#include "bus/rabbitmq/link_state.hpp"
#include "bus/rabbitmq/outbox.hpp"
#include "bus/rabbitmq/publish_frames.hpp"

#include <memory>
#include <mutex>
#include <vector>

namespace hive::bus::rabbitmq {

// Publishes what the outboxes hold, each on a channel of its own in confirm mode. It waits for no
// answer but confirmations, so a broker alarm stops nothing except publishing. A write may still
// block when a large body meets a broker that stopped reading; only this thread waits then.
class PublishLoop final : public IoLoop {
public:
    PublishLoop(std::shared_ptr<const Options> options, std::shared_ptr<LinkState> link);

    void add(std::shared_ptr<Outbox> outbox); // until it is finished
    std::uint64_t unconfirmed() const;
    void await_copies(TimePoint deadline); // until retried and dead items are moved

protected:
    Status on_up(Session& session) override;
    void on_away(const Error& why) override;
    Result<Duration> work(Session& session) override;
    bool is_done(bool up) override;
    void on_goodbye(Session& session) override;

private:
    enum class State : std::uint8_t { closed, open, closing };
    struct Lane { // a channel, its number is its place + 1
        std::shared_ptr<Outbox> outbox{};
        State state = State::closed;
        bool touched = false; // has news for its producer
    };

    std::vector<std::shared_ptr<Outbox>> outboxes() const;
    void assign_lanes();
    Result<bool> publish_some(Session& session, std::size_t lane);
    Status open_lane(Session& session, std::size_t lane);
    Status publish(Session& session, amqp_channel_t channel, const Outgoing& message);
    Status write_gathered(Session& session);
    Status retire_finished(Session& session);
    Status drain(Session& session);
    Status take_frame(Session& session, const amqp_frame_t& frame);
    Status take_connection_method(Session& session, const amqp_method_t& method);
    Status take_channel_method(Session& session, const amqp_frame_t& frame);
    void take_return(const Message& message);
    void announce_all();
    Duration idle_for() const;

    std::shared_ptr<LinkState> link_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<Outbox>> outboxes_; // guarded; the rest is the thread's
    std::vector<Lane> lanes_;
    std::vector<const Outgoing*> batch_;
    PublishFrames frames_{0}; // of the batch, not written yet
    Assembler assembler_;
    bool blocked_ = false;   // by a broker alarm
    bool congested_ = false; // the socket is full
};

} // namespace hive::bus::rabbitmq
