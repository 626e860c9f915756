#pragma once

#include "guard/decide.hpp"
#include "kernel/random.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hive::simulation {

// A queue, whoever fills and empties it, and the guard between: what happens to them, and when.
struct Course {
    guard::Settings settings{};
    double configured = 100; // per second: the producers without a guard
    double depth = 0;        // in the beginning
    double length = 60;      // seconds
    std::uint64_t seed = 1;
    std::function<double(double)> consumers{};  // at a second of the course, per second
    std::function<double(double)> processors{}; // of a second queue; none: there is no such queue
    std::function<bool(double)> silent{};       // whether the sample of that second is missing
    std::vector<guard::Spike> spikes{};
    bool poisson = false;        // both ends by chance, instead of evenly
    double jitter = 0;           // of each service, as a part of it
    double actuation = 0;        // seconds until producers do what they are told
    double stale = 0;            // seconds by which a depth is old when it arrives
    double late = 0;             // by which a sample comes late, up to this part of the period
    double producers_max = 1e12; // what they can do at all, whatever they are told
};

// What was seen at one sample.
struct Point {
    double at = 0; // seconds
    double depth = 0;
    double average = 0;
    double rate = 0;        // what the producers were told
    double consumption = 0; // what the consumers could take
    double estimate = 0;
    double target = 0;
    double behind = 0;
    double factor = 1;
    guard::Phase phase = guard::Phase::disabled;
};

struct Told {
    double at = 0;
    guard::Command command{};
};

struct Story {
    std::vector<Point> points{};
    std::vector<Told> told{};

    bool says(std::string_view code, double from = 0) const; // a Note or a Warn
    std::size_t count(std::string_view code) const;
    // The part of the points from `from` to `to` whose smoothed depth lies between two depths.
    struct Span {
        double from = 0;
        double to = 1e300;
    };
    double part_between(double low, double high, const Span& span) const;
    double part_within(double part, const Span& span) const; // of the target, by the depth itself
    double lowest(const Span& span) const;                   // smoothed
    double highest(const Span& span) const;
};

Story play(const Course& course);

} // namespace hive::simulation
