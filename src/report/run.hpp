#pragma once

#include "telemetry/summary.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hive::report {

struct BeeMoment {
    std::string role{};
    std::string instance{};
    double per_sec = 0;
    std::string state{}; // "ok", "throttled", "stopped", ...; empty counts as ok

    bool operator==(const BeeMoment&) const = default;
};

struct GuardMoment {
    std::string state{}; // "STEADY", "PREFILL", ..., as the guard says it
    double depth = 0;
    double target = 0;
    double rate = 0; // per second, as the guard sets it

    bool operator==(const GuardMoment&) const = default;
};

// One window of a run, a second as a rule.
struct Moment {
    double at_sec = 0; // the end of the window since the start
    double window_sec = 1;
    double planned_per_sec = 0;
    double sent_per_sec = 0;
    double done_per_sec = 0;   // answered, failures among them
    double failed_per_sec = 0; // part of done
    telemetry::Latencies latency_us{};
    telemetry::Latencies latency_from_due_us{};
    std::map<std::string, std::uint64_t> depths{}; // by queue, at the end of the window
    std::map<std::string, std::uint64_t> errors{}; // by class, of this window
    std::vector<BeeMoment> bees{};
    std::map<std::string, GuardMoment> guards{}; // by queue

    bool operator==(const Moment&) const = default;
};

// A step of the plan, where it happened.
struct Marker {
    double at_sec = 0;
    std::string text{};

    bool operator==(const Marker&) const = default;
};

// Of a guarded queue, in items.
struct Bracket {
    double min = 0;
    double target = 0;
    double max = 0;

    bool operator==(const Bracket&) const = default;
};

// A bar of the latency distribution: from the bar before it up to here.
struct Bar {
    double up_to_us = 0;
    std::uint64_t count = 0;

    bool operator==(const Bar&) const = default;
};

struct Edge {
    std::string from{}; // role, or instance where several share a role
    std::string queue{};
    std::string to{};

    bool operator==(const Edge&) const = default;
};

enum class Verdict : std::uint8_t {
    running,
    passed,
    failed,      // a threshold was broken
    aborted,     // a threshold ended the run early
    interrupted, // by a person
    broken,      // the run could not be carried out
};

// What one run was, or is so far. While it runs the summary holds the counts up to now, with
// `duration_sec` as the time that has gone; what is not known yet stays empty.
struct Run {
    telemetry::Summary summary{};
    std::optional<double> planned_sec{}; // how long it is meant to take
    std::vector<Moment> moments{};       // in order
    std::vector<Marker> markers{};       // in order; those ahead of the clock as well
    std::map<std::string, Bracket> brackets{};
    std::vector<Bar> distribution{};                                // of latency_us
    std::map<std::string, std::uint64_t> errors{};                  // by class, of the whole run
    std::vector<std::pair<std::string, std::string>> environment{}; // in the order to show it
    std::vector<Edge> graph{};
    Verdict verdict = Verdict::running;
    std::string reason{}; // of the verdict, a sentence; may be empty

    bool operator==(const Run&) const = default;
};

} // namespace hive::report
