#pragma once

#include "bus/work_bus.hpp"
#include "kernel/log.hpp"
#include "loop/strand.hpp"
#include "worker/chance.hpp"
#include "worker/control.hpp"
#include "worker/flow_config.hpp"
#include "worker/interceptors.hpp"
#include "worker/setup.hpp"
#include "worker/sink.hpp"
#include "worker/source.hpp"
#include "worker/work.hpp"

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace hive::worker {

struct LineParts { // all outlive it
    const Setup& setup;
    bus::WorkBus& bus;
    loop::Strand& strand;
    const Clock& clock;
    Logger log;
    std::function<void(std::string why)> give_up;
    std::shared_ptr<templates::Sequences> sequences;
    std::shared_ptr<const Chance> chance;
};

// Whether so many items come that it pays to take them together.
class Crowd {
public:
    explicit Crowd(double per_ms) : per_ms_{per_ms} {}

    void count(std::size_t items, TimePoint now);
    bool busy() const noexcept { return busy_; }

private:
    double per_ms_;
    std::size_t items_ = 0;
    TimePoint since_{};
    bool busy_ = false;
};

// The way of items through a bee: from its sources through its work into its sink, acknowledged
// once the next hop has them. Everything but ring() on the bee's strand.
class Line {
public:
    Line(LineParts parts, Work& work);
    ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    void configure(FlowConfig config);
    // Turned off it takes nothing more; what is under way goes on until it is done.
    void set_enabled(bool enabled);
    bool busy() const noexcept; // something that was taken in is not settled
    WorkloadReport report();

    // For its work.
    void forward(Job& job); // with whatever steps the work has added
    // The same for one of many that were done together, at a time that was read once for them.
    void forward(Job& job, Timestamp processed_at);
    void finish(Job& job);                          // it ends here
    void fail(Job& job, std::string_view reason);   // tried again, at last to the dead letters
    void reject(Job& job, std::string_view reason); // to the dead letters at once
    const wire::Stamp& stamp() const noexcept { return stamp_; }
    const wire::HistoryPolicy& history() const noexcept { return config_.history; }
    const Clock& clock() const noexcept { return parts_.clock; }
    bool crowded() const noexcept { return crowd_.busy(); } // it pays to gather
    loop::Strand& strand() noexcept { return parts_.strand; }
    // Look again: there is room, or more to send. From any thread.
    std::function<void()> bell();

private:
    struct Taken { // a job whose item may be elsewhere by now
        std::uint64_t tag;
        std::uint32_t source;
    };
    struct Waiting { // for the confirmation of what it became
        std::uint64_t number;
        Taken job;
    };

    bool takes_in() const noexcept { return enabled_ && !config_.inputs.hold; }
    Status open();
    SchedulerInput pace() const; // with the seed it has without one of its own
    Status open_paced();
    Status open_queues();
    void unwire();
    void intercept();
    void close_if_idle();
    void pump();
    void wait_for_more();
    void again_at(TimePoint when);
    Status take_in();
    Status hand_on();
    Status flush();
    Status settle();
    void ended();
    void refuse(Job& job, bus::Verdict verdict, std::string_view reason);
    void check(const Status& status);
    void count_rate(TimePoint now);
    bool failing();

    LineParts parts_;
    Work& work_;
    wire::Stamp stamp_;
    FlowConfig config_{};
    std::vector<std::unique_ptr<Source>> sources_{};
    std::unique_ptr<Sink> sink_{};
    std::unique_ptr<Interceptors> interceptors_{}; // none: nothing to do for them
    std::vector<Job> jobs_{};                      // used again for each batch
    std::size_t taken_ = 0; // into it, also those that interceptors refused at once
    std::vector<wire::WorkItem*>
        outgoing_{};                     // not yet taken by the sink; where the sources keep them
    std::vector<Taken> outgoing_jobs_{}; // of those
    std::vector<Taken> finished_{};      // to be told to their sources
    std::deque<Waiting> waiting_{};      // in the order of their numbers
    std::vector<std::uint64_t> tags_{};
    std::size_t under_way_ = 0; // taken in and not ended
    std::size_t turn_ = 0;      // which source is first
    const bus::Gathering gathering_;
    Crowd crowd_{gathering_.per_ms};
    // While it waits for items to gather it looks again by itself, and nobody needs to ring. Shared
    // with its bells, which other threads may ring once it is gone.
    std::shared_ptr<std::atomic<bool>> resting_ = std::make_shared<std::atomic<bool>>(false);
    bool enabled_ = false;
    bool rewire_ = false; // queues and sink are to be opened anew, once nothing is under way
    bool anew_ = false;   // and whatever else items come from
    bool pumping_ = false;
    bool held_back_ = false;
    TimePoint alarm_ = TimePoint::max(); // the earliest that is set
    std::uint64_t processed_ = 0;
    std::uint64_t processed_before_ = 0;
    std::uint64_t tps_ = 0;
    std::uint64_t failed_ = 0;
    std::uint64_t failed_before_ = 0; // at the last report, as below
    std::uint64_t processed_seen_ = 0;
    bool failing_ = false;
    std::string last_error_{};
    TimePoint reported_at_;
    std::shared_ptr<Line*> self_; // null once it is gone: for tasks that come too late
};

} // namespace hive::worker
