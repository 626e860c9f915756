#pragma once

#include "bus/connection.hpp"
#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/json.hpp"
#include "loop/strand.hpp"

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace hive::rest {

struct TapLimits {
    std::size_t taps = 32; // on this server
    std::size_t items = 1000;
    std::size_t bytes = std::size_t{4} << 20U;       // that one tap holds
    std::size_t item_bytes = std::size_t{64} << 10U; // shown whole; of more the beginning
    Duration ttl_most = std::chrono::hours{1};
};

struct TapWish {
    SwarmId swarm;
    Role role; // part of the queue's name, for who looks at the broker
    QueueName queue;
    std::size_t max = 100;
    Duration ttl = std::chrono::minutes{5};
};

// Copies of what passes a queue of a swarm, for who debugs it. Each tap has a bounded queue of its
// own that loses the oldest first: a tap never slows its swarm. It ends at its time, with this, and
// with the connection. Answers come on a thread of the desk.
class TapDesk {
public:
    // The connection may read `ph.debug.#` and bind it to work exchanges, as the orchestrator's.
    TapDesk(bus::Connection& bus, const Clock& clock, TapLimits limits = {});
    ~TapDesk();
    TapDesk(const TapDesk&) = delete;
    TapDesk& operator=(const TapDesk&) = delete;

    using Answered = std::function<void(Result<json::object>)>;
    void open(TapWish wish, Answered answered);
    void peek(std::string id, Answered answered);  // with what it holds
    void drain(std::string id, Answered answered); // the same, which is then gone
    void close(std::string id, Answered answered); // Errc::not_found also when it has expired

private:
    struct Item {
        json::object shown;
        std::size_t bytes = 0;
    };
    struct Tap {
        TapWish wish;
        std::string queue; // of the tap
        Timestamp expires{};
        TimePoint deadline{};
        std::unique_ptr<bus::WorkReceiver> receiver{};
        std::deque<Item> items{};
        std::size_t bytes = 0;
        std::uint64_t dropped = 0;
    };

    Result<json::object> make(TapWish wish);
    Result<json::object> read(const std::string& id, bool keep);
    Status fetch(Tap& tap) const;
    void hold(Tap& tap, const wire::WorkItem& item) const;
    json::object describe(const std::string& id, const Tap& tap) const;
    void expire();
    void end(Tap& tap);

    bus::Connection& bus_;
    const Clock& clock_;
    const TapLimits limits_;
    std::map<std::string, Tap> taps_; // the strand's
    loop::Loop loop_{1};              // its own: the broker may take its time
    loop::Strand strand_{loop_};
};

} // namespace hive::rest
