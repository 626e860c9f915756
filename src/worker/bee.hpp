#pragma once

#include "bus/connection.hpp"
#include "control/mailbox.hpp"
#include "kernel/log.hpp"
#include "loop/strand.hpp"
#include "worker/control.hpp"
#include "worker/workload.hpp"

#include <functional>
#include <memory>
#include <string>

namespace hive::worker {

struct BeeParts { // all outlive the bee
    bus::Connection& bus;
    loop::Loop& loop;
    const Clock& clock;
    Logger log;
    std::function<void(std::string why)> ended; // it gave up; called once, on its strand
    telemetry::MetricsBoard* metrics = nullptr; // none: nobody in this process reads it
};

struct BeeOptions {
    Setup setup;
    ControlSettings control{};
    Duration tick = std::chrono::seconds{1};
    Duration drain = std::chrono::seconds{5}; // for what is under way when it is told to stop
    std::uint64_t entropy = 0;                // of this life, for what no seed decides
};

// A bee as it lives: its control side on a mailbox, and the workload that it turns on and off.
class Bee {
public:
    static Result<std::unique_ptr<Bee>>
    start(BeeOptions options, const BeeKind& kind, BeeParts parts);
    ~Bee(); // at once: what was taken in goes back to its queue
    Bee(const Bee&) = delete;
    Bee& operator=(const Bee&) = delete;

    // Stops the workload; `stopped` comes on the strand once nothing is under way.
    void stop(std::function<void()> stopped);

private:
    Bee(BeeOptions options, BeeParts parts);
    void on(const ControlEvent& event);
    void perform(const ControlCommand& command);
    void hear(const wire::Envelope& signal);
    void tick();
    void await_rest(TimePoint deadline, const std::function<void()>& stopped);

    BeeOptions options_;
    BeeParts parts_;
    ControlState state_;
    loop::Strand strand_;
    control::Mailbox mailbox_;
    std::unique_ptr<Workload> workload_;
    bool stopping_ = false;
};

} // namespace hive::worker
