#pragma once

#include "bus/control_bus.hpp"
#include "bus/layout.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "wire/topic.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::simulation {

enum class SessionId : std::uint32_t {};  // one connect of one component; never used again
enum class ConsumerId : std::uint32_t {}; // never used again

// A message inside the broker. Shared, because one message may sit in many queues.
struct Parcel {
    std::shared_ptr<const bus::ControlMessage> message;
    bus::Persistence persistence = bus::Persistence::persistent;
    bool redelivered = false;
    std::uint64_t place = 0; // in its queue; a parcel that comes back returns there
    TimePoint queued_at{};
    std::uint32_t deaths = 0; // how often it was dead-lettered
};

// What the broker needs of the world around it.
class BrokerSurroundings {
public:
    virtual ~BrokerSurroundings() = default;
    virtual TimePoint now() const = 0;
    virtual void hand_over(ConsumerId consumer, std::uint64_t tag, const Parcel& parcel) = 0;
    virtual void consumer_lost(ConsumerId consumer) = 0; // its queue was removed
    virtual void expire_later(const std::string& queue, TimePoint at) = 0;
    // Where a parcel goes that comes back: its own place, or, as AMQP allows, another.
    virtual std::uint64_t
    place_of_return(const Parcel& parcel, const std::deque<Parcel>& ready) = 0;
};

// The semantics of an AMQP broker without time or faults: those are its surroundings' business.
class Broker {
public:
    explicit Broker(BrokerSurroundings& surroundings);

    Status declare(SessionId session, const bus::Layout& layout);
    Status bind(SessionId session, const bus::Binding& binding);
    Status unbind(SessionId session, const bus::Binding& binding);
    Status remove_queue(SessionId session, const std::string& name);
    void remove_exchange(const std::string& name);
    Result<bus::QueueStats> inspect(SessionId session, const std::string& name);
    Result<std::size_t> purge(SessionId session, const std::string& name);

    bool has_room_for(std::string_view routing_key);
    // Into every queue bound to its key, once each; how many.
    std::size_t
    accept(std::shared_ptr<const bus::ControlMessage> message, bus::Persistence persistence);

    // Deliveries begin with resume(), once the other end knows the consumer's id.
    Result<ConsumerId> consume(SessionId session, const std::string& queue, std::size_t prefetch);
    void resume(ConsumerId consumer);
    void cancel(ConsumerId consumer); // what it holds unsettled it still may settle
    void settle(ConsumerId consumer, std::uint64_t tag, bool ack);
    void end_session(SessionId session); // unsettled parcels return, exclusive queues vanish
    void expire(const std::string& queue);
    void restart(); // only durable objects and, in them, persistent messages survive

    bool has_queue(std::string_view name) const { return queues_.find(name) != queues_.end(); }
    std::vector<std::string> queue_names() const;

private:
    struct QueueState {
        bus::Queue settings;
        SessionId owner{}; // of an exclusive queue
        std::deque<Parcel> ready{};
        std::vector<ConsumerId> consumers{};
        std::size_t turn = 0; // whose turn it is among the consumers
        std::uint64_t next_place = 0;
    };
    struct Held {
        std::uint64_t tag;
        Parcel parcel;
    };
    struct ConsumerState {
        SessionId session;
        QueueState* queue; // null once the queue is gone
        std::size_t prefetch;
        std::vector<Held> held{};
    };
    struct Route {
        wire::Topic topic;
        QueueState* queue;
    };
    struct ExchangeState {
        bool durable = true;
        std::vector<Route> routes{};
    };

    ConsumerState& state_of(ConsumerId id) { return consumers_[static_cast<std::size_t>(id)]; }
    Result<QueueState*> usable(SessionId session, std::string_view name);
    Status declare_exchange(const bus::Exchange& exchange);
    Status declare_queue(SessionId session, const bus::Queue& queue);
    const std::vector<QueueState*>& routed(std::string_view key);
    void enqueue(QueueState& queue, Parcel parcel);
    void dead_letter(const QueueState& from, Parcel parcel);
    void drop_expired(QueueState& queue);
    void pump(QueueState& queue);
    std::optional<ConsumerId> consumer_with_credit(QueueState& queue);
    void put_back(QueueState& queue, Parcel parcel); // as redelivered
    void put_back_all(ConsumerState& consumer);
    void detach(ConsumerState& consumer, ConsumerId id);
    void erase_queue(QueueState& queue);

    BrokerSurroundings& around_;
    std::map<std::string, QueueState, std::less<>> queues_;
    std::map<std::string, ExchangeState, std::less<>> exchanges_;
    std::vector<ConsumerState> consumers_;
    std::vector<QueueState*> routed_; // scratch, so that routing does not allocate
    std::uint64_t next_tag_ = 1;
};

} // namespace hive::simulation
