#pragma once

#include "bus/connection.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/subscription.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::tests {

// Something that happens to a guarded swarm, so many seconds after its start.
struct Turn {
    double at = 0;
    std::string bee{}; // gate: takes from the guarded queue; sink: takes behind it
    double rate = 0;   // per second, from then on
};

// A real swarm with a guard in it: generator -> raw -> gate -> behind -> sink, and when there is a
// system under test -> calls -> processor.
struct GuardCourse {
    double consumption = 500; // per second, that the gate lets pass
    double sink = 5000;
    std::uint32_t target = 300;
    Duration period = std::chrono::milliseconds{100};
    std::string strategy = "predictive";
    bool backpressure = false; // of `behind`: 400 high, 100 to recover
    double spike = 0; // seconds after the start; 0: none. Three seconds ahead the target is raised
    double lift_pct = 30;
    std::vector<Turn> turns{};
    double length = 10;       // seconds
    std::string target_url{}; // of a system under test

    std::uint32_t low() const { return target * 6 / 10; }
    std::uint32_t high() const { return target * 14 / 10; }
};
json::object bees_of(const GuardCourse& course);
json::object plan_of(const GuardCourse& course); // with its traffic policy

// What was seen of one: depths by looking, everything else by listening. Times are seconds.
struct GuardStory {
    struct Look {
        double at = 0;
        double depth = 0;
        double behind = 0;
    };
    struct Move {
        double at = 0;
        std::string code{}; // of the alert
        json::object context{};
    };
    std::vector<Look> looks{};
    std::vector<Move> moves{}; // guard.*, plan.*

    struct Span {
        double from = 0;
        double to = 1e300;
    };
    // The part of the looks in a span whose depth is that close to the target.
    double part_within(double part, double target, const Span& span) const;
    // Seconds in the span until that is so and stays so.
    double settled_after(double part, double target, const Span& span) const;
    Look lowest(const Span& span) const;         // by depth
    Look highest(const Span& span) const;        // by depth
    double begun(const std::string& step) const; // when a step of the plan did; -1: it did not
    double rate_at(double at) const;             // that the producers were told
    double least_factor() const;                 // of the moderator
};

// Looks at the queues of swarm `guarded` and listens to its controller from its making on.
class GuardWatch {
public:
    GuardWatch(std::unique_ptr<bus::Connection> connection, const Clock& clock);
    ~GuardWatch();
    GuardWatch(const GuardWatch&) = delete;
    GuardWatch& operator=(const GuardWatch&) = delete;

    // For that long from now on, every `each`.
    GuardStory watch(double seconds, Duration each);

private:
    double now() const;

    const Clock& clock_;
    TimePoint start_;
    std::unique_ptr<bus::Connection> connection_;
    std::mutex mutex_;
    std::vector<GuardStory::Move> moves_;
    Subscription subscription_;
};

} // namespace hive::tests
