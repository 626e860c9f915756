#pragma once

#include "kernel/json.hpp"
#include "mock/answer.hpp"
#include "telemetry/histogram.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

namespace hive::mock {

// What happened, as the server itself saw it.
struct Record {
    std::uint64_t requests = 0;
    std::uint64_t answered = 0;
    std::uint64_t malformed = 0;
    std::uint64_t connections = 0; // accepted
    std::uint64_t refused = 0;     // connections beyond the limit
    std::uint64_t queued_most = 0;
    std::array<std::uint64_t, faults> by_fault{};
    std::map<int, std::uint64_t> by_status{};
    telemetry::Histogram delay{};     // from the whole request to the moment the answer is sent
    std::vector<Duration> arrivals{}; // since the start or the last reset, in order per thread
    std::uint64_t arrivals_lost = 0;  // beyond the bound

    void merge(const Record& other);
};

// How evenly requests came, by counting them in windows of one width; whole windows only.
struct Evenness {
    Duration window{};
    std::uint64_t windows = 0;
    double mean = 0;
    double variation = 0; // standard deviation by mean
    double most_off = 0;  // of any window from the mean, by the mean
};
Evenness evenness_of(const std::vector<Duration>& sorted, Duration window);

json::object to_json(const Record& record); // sorts a copy of the arrivals

// The record of one thread, read by others.
class Recorder {
public:
    explicit Recorder(std::size_t arrivals_max) : arrivals_max_{arrivals_max} {}

    void arrived(Duration since_start);
    void answered(int status, Fault fault, Duration delay);
    void count(std::uint64_t Record::* what);
    void queued(std::size_t depth);

    Record read() const;
    void reset();

private:
    std::size_t arrivals_max_;
    mutable std::mutex mutex_{};
    Record record_{};
};

} // namespace hive::mock
