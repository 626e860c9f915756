#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hive::bus::rabbitmq {

struct Outgoing {
    std::string exchange;
    std::string key;
    std::string body;
    std::string error;         // goes into an AMQP header of a dead letter; empty: none
    std::uint32_t attempt = 0; // goes into an AMQP header; 0: none
    bool persistent = true;
    std::uint64_t origin = 0; // for on_resolved: what this was made from
    std::uint64_t serial = 0; // its place in the outbox
};

// What was accepted for the broker and is not confirmed yet, in order: a bounded ring. It decides
// what to (re)publish when; the publish loop carries. Producers and the loop may be different
// threads. Serials count accepted messages from 0; publish tags count as AMQP does, from 1 and
// anew with each channel.
class Outbox {
public:
    struct Terms {
        std::size_t capacity = 256; // accepted and not confirmed
        std::size_t in_flight = 256;
        bool mandatory = true;       // the broker returns what it has no queue for
        bool fails_for_good = false; // a refusal fails the whole outbox, since order is lost
        std::function<void()> on_progress{};
        // Told the end of each message. With it a nack is final; without, it is offered again.
        std::function<void(std::uint64_t origin, Status delivered)> on_resolved{};
    };

    explicit Outbox(Terms terms);

    // --- producers
    // Free places, waiting until `deadline` for the first; the error that failed this outbox.
    Result<std::size_t> await_room(TimePoint deadline);
    Outgoing& free_slot(std::size_t index); // for a single producer: fill, then commit()
    void commit(std::size_t count);
    Status put(Outgoing message); // for many producers; Errc::limit when full
    Status flush(TimePoint deadline);
    std::uint64_t accepted() const;
    std::uint64_t confirmed() const; // without a gap
    void abandon();                  // the producer is gone; what was accepted still goes out
    void close(Error error);         // from now on nothing is accepted

    // --- the publish loop
    const Terms& terms() const noexcept { return terms_; }
    // Next to publish, in order; they stay valid until they are resolved.
    void take(std::vector<const Outgoing*>& out, std::size_t max, TimePoint now);
    std::optional<TimePoint> retry_at() const; // when refused messages may be offered again
    void confirm(std::uint64_t tag, bool multiple, TimePoint now) {
        land({tag, multiple}, true, now);
    }
    // Nacked; how many.
    std::size_t refuse(std::uint64_t tag, bool multiple, TimePoint now) {
        return land({tag, multiple}, false, now);
    }
    void returned(std::uint64_t serial, Error why);
    // The broker closed our channel: the message alone in flight is to blame; with more in flight
    // they are offered again one by one to find it.
    void channel_closed(const Error& error);
    std::size_t session_lost(); // how many will be sent again
    // Wakes producers and tells who is to be told. After a batch of the above, not after each: a
    // producer woken for every single place would do little else than wake up.
    void announce();
    bool idle() const;     // nothing left to do
    bool finished() const; // idle and abandoned

private:
    enum class State : std::uint8_t { free, waiting, sent, refused, resolved };
    struct Slot {
        Outgoing message;
        State state = State::free;
        std::optional<Error> returned{};
    };
    struct Flight {
        std::uint64_t serial;
        bool open;
    };
    struct Resolution {
        std::uint64_t origin;
        Status status;
    };

    Slot& slot(std::uint64_t serial) { return slots_[serial % slots_.size()]; }
    struct Tags {
        std::uint64_t last;
        bool multiple;
    };
    std::size_t land(Tags tags, bool ok, TimePoint now);
    void resolve(std::uint64_t serial, Status status);
    void put_back();
    void advance();

    const Terms terms_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Slot> slots_;
    std::uint64_t first_ = 0;    // oldest unresolved
    std::uint64_t next_ = 0;     // next never published in this session
    std::uint64_t last_ = 0;     // one past the newest accepted
    std::deque<Flight> flights_; // by publish tag, the first of which is first_tag_
    std::uint64_t first_tag_ = 1;
    std::size_t in_flight_ = 0;
    std::size_t allowance_; // in flight at once; one after a refusal, then growing again
    std::set<std::uint64_t> refused_;
    TimePoint retry_at_{};
    std::optional<Error> failed_;
    std::optional<Error> lost_one_; // told once by put() or flush()
    bool abandoned_ = false;
    std::vector<Resolution> resolutions_;
};

} // namespace hive::bus::rabbitmq
