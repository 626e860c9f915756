#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "telemetry/summary.hpp"
#include "wire/envelope.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hive::run {

// What the bees of one run measured, from the statuses that they send anyway: the counts as they
// are, and a course of bounded length. For swarms of a server, where nobody looks every second.
class Measured {
public:
    explicit Measured(Timestamp began) : began_{began} {}

    // A status at its time; true when it says something new. What measures nothing is ignored.
    bool hear(const wire::Envelope& envelope, Timestamp now);

    bool empty() const noexcept { return points_.empty(); }
    Timestamp began() const noexcept { return began_; } // with the first call, or now
    // As RunReport of the API; of a run that has measured something.
    json::object report() const;

    static constexpr std::size_t points_max = 240;

private:
    struct Tally {
        std::uint64_t calls = 0;
        std::uint64_t failed = 0;
        std::map<std::string, std::uint64_t> by_status{};

        void add(const Tally& other);
        bool operator==(const Tally&) const = default;
    };
    struct Bee {
        Tally before{}; // of its lives that are over
        Tally now{};
        telemetry::Latencies latency{};
    };
    struct Point {
        Timestamp at{};
        std::uint64_t calls = 0; // up to here
        std::uint64_t failed = 0;
        telemetry::Latencies latency{}; // of all calls up to here
    };

    Tally all() const;
    telemetry::Latencies latency() const;
    void mark(Timestamp now);
    void thin();
    json::array course() const;

    Timestamp began_;
    Timestamp heard_{began_};
    Timestamp changed_{began_};
    Duration busy_{0}; // in which calls were measured
    std::map<std::string, Bee> bees_{};
    std::vector<Point> points_{};
    Duration every_ = std::chrono::seconds{1}; // doubles when the course is full
};

} // namespace hive::run
