#pragma once

#include "kernel/clock.hpp"
#include "mock/answer.hpp"
#include "mock/recorder.hpp"
#include "mock/request_log.hpp"
#include "mock/settings.hpp"

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::mock {

// What all threads of a mock share: its endpoints, its time, and what it has seen.
class Site {
public:
    Site(Settings settings, const Clock& clock, RequestLog* log);

    const Settings& settings() const noexcept { return settings_; }
    const Clock& clock() const noexcept { return clock_; }
    RequestLog* log() const noexcept { return log_; }

    Endpoint& endpoint(std::string_view method, std::string_view target);

    Duration since_start(TimePoint now) const;
    // When the stall that holds now is over.
    std::optional<TimePoint> stalled_until(TimePoint now) const;

    Recorder& recorder(std::size_t thread) { return recorders_[thread]; }
    Record record() const; // of all threads
    void reset();          // counters, records, and the time that stalls are counted from

private:
    struct Road {
        explicit Road(const Route& route);
        bool below;       // everything below `path` as well
        std::string path; // without the star
        std::string method;
        Endpoint endpoint;
    };

    Settings settings_;
    const Clock& clock_;
    RequestLog* log_;
    std::deque<Road> roads_{}; // endpoints do not move
    Endpoint usual_;
    std::deque<Recorder> recorders_{};
    std::atomic<TimePoint> start_;
};

} // namespace hive::mock
