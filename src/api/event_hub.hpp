#pragma once

#include "api/events.hpp"
#include "api/ws/session.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace hive::api {

// An event in the forms subscribers send: each made once, by the first of them that needs it.
class Broadcast {
public:
    explicit Broadcast(StreamEventPtr event) : event_{std::move(event)} {}

    const StreamEvent& event() const noexcept { return *event_; }
    const ws::FramePtr& frame() const; // WebSocket
    const ws::FramePtr& text() const;  // server-sent event

private:
    StreamEventPtr event_;
    mutable std::once_flag framed_;
    mutable std::once_flag written_;
    mutable ws::FramePtr frame_;
    mutable ws::FramePtr text_;
};
using BroadcastPtr = std::shared_ptr<const Broadcast>;

// The notice of a gap, as JSON text.
std::string gap_notice(const Gap& gap);

struct HubLimits {
    std::size_t window_events = 10'000;
    std::size_t window_bytes = 16U << 20U;
    std::uint64_t first = 1; // the number of the first event
};

// One ordered stream of events for the whole process, and those who listen to it. publish() costs
// nothing where nobody listens, and at most one task per server thread for all that is published
// until that thread looks.
class EventHub {
public:
    // A listener on one of the server's threads; called on that thread only.
    class Listener {
    public:
        virtual ~Listener() = default;
        virtual void receive(const BroadcastPtr& broadcast) = 0;
        // The key or session that it was opened with, and what to do when that has ended.
        virtual std::string_view proof() const = 0;
        virtual void dismiss() = 0;
    };

    // Listening ends with the scope it lives in. Made and destroyed on the listener's thread.
    class [[nodiscard]] Membership {
    public:
        Membership() = default;
        explicit Membership(std::function<void()> leave) : leave_{std::move(leave)} {}
        Membership(Membership&& other) noexcept : leave_{std::exchange(other.leave_, nullptr)} {}
        Membership& operator=(Membership&& other) noexcept;
        ~Membership() { reset(); }
        void reset();

    private:
        std::function<void()> leave_;
    };

    explicit EventHub(HubLimits limits = {});

    // Once, before anybody joins: the server's threads.
    void serve_on(const std::vector<boost::asio::any_io_executor>& threads);
    // Before the server is destroyed; later events are kept for resuming, and sent to nobody.
    void stop_serving();

    // From any thread. The event's number.
    std::uint64_t publish(std::string topic, std::string data);
    std::uint64_t last() const;
    std::uint64_t published() const; // how many, in this life

    // On the listener's own thread. It hears every event that is published from now on, in order,
    // and perhaps some that were just before: compare with last(), asked after joining.
    Membership join(const boost::asio::any_io_executor& thread, Listener& listener);
    Backlog since(std::uint64_t sequence, std::size_t events_max) const;

    // Keys and sessions that somebody listens with, in order, each once.
    std::vector<std::string> proofs() const;
    // Ends everyone who listens with this key or session. From any thread.
    void dismiss(const std::string& proof);

private:
    struct Group { // the listeners of one thread
        explicit Group(boost::asio::any_io_executor on) : thread{std::move(on)} {}
        void tell(const std::shared_ptr<Group>& self); // on its thread: what is waiting

        boost::asio::any_io_executor thread;
        std::unordered_set<Listener*> listeners; // touched by that thread only
        std::atomic<std::size_t> present{0};     // how many they are; grows under the hub's lock
        std::mutex mutex;
        std::vector<BroadcastPtr> waiting; // a task to tell them is under way while there are any
    };
    static void hand(const std::shared_ptr<Group>& group, const BroadcastPtr& broadcast);

    struct Presence { // how many listen with each proof
        std::mutex mutex;
        std::map<std::string, std::size_t, std::less<>> count;
    };

    mutable std::mutex mutex_;
    EventWindow window_;
    std::shared_ptr<Presence> presence_; // shared with memberships, which may outlive us
    // Shared with the tasks on their way to the threads.
    std::vector<std::shared_ptr<Group>> groups_;
};

} // namespace hive::api
