#pragma once

#include "pace/schedule.hpp"
#include "worker/control.hpp"
#include "worker/feed.hpp"
#include "worker/flow_config.hpp"
#include "worker/source.hpp"

#include <memory>
#include <string>
#include <vector>

namespace hive::worker {

// Items of its own, when they are due: an open model that never asks how the last one went. They
// lie in slots that are used again once what they became is safe. While its feed is out of data
// or in trouble time stands still: nothing is owed for it. While it is only slow, items come later.
class PacedSource final : public Source {
public:
    struct Options {
        SchedulerInput input{};
        const Identity* self = nullptr;
        const Clock* clock = nullptr;
        json::object vars{};
        std::string life{}; // begins the trace ids of this start
        std::uint32_t number = 0;
        std::unique_ptr<Feed> feed{}; // none: items are empty
        Duration delay{};             // before the first item, from when it is first resumed
    };
    explicit PacedSource(Options options); // paused

    Status take(std::size_t max, std::vector<Job>& out) override;
    std::optional<TimePoint> next() const override;
    Status done(std::span<const std::uint64_t> tags) override;
    Status refuse(const Job& job, bus::Verdict verdict, std::string_view reason) override;
    wire::InputState state() const override;
    void report(json::object& into) const override;

    void change(const SchedulerInput& input, json::object vars); // goes on from now
    void pause();
    void resume();

private:
    struct Slot {
        wire::WorkItem item{};
        std::uint64_t token = 0; // of the feed
    };

    bool runs(TimePoint now) const;
    void hold_or_run(TimePoint now);
    std::size_t left(std::size_t max) const; // of a finite run
    std::size_t due(std::size_t max, TimePoint now);
    Status take_fed(std::size_t max, std::vector<Job>& out);
    Status fetch();
    void begin(wire::WorkItem& item);
    Job dated(std::uint64_t slot, TimePoint due, Timestamp now);
    std::uint64_t free_slot();

    Options options_;
    pace::Schedule schedule_;
    Duration to_wall_; // from the monotonic clock; measured once, so it never jumps
    wire::HeaderValue vars_;
    std::vector<TimePoint> due_{};
    std::vector<TimePoint> owed_{}; // due under a rate or shape that has since been changed
    std::vector<std::unique_ptr<Slot>> slots_{};
    std::vector<std::uint64_t> free_{};
    std::vector<Job> again_{};              // refused, and to be handed out again
    std::optional<std::uint64_t> ahead_{};  // the slot of what the feed gave and is not yet due
    std::optional<TimePoint> not_before_{}; // once it was resumed
    bool enabled_ = false;
    bool dry_ = false;
    std::uint64_t made_ = 0;
    std::uint64_t counted_ = 0; // of those, since the count began
    std::uint64_t dropped_ = 0; // by schedules before this one
    std::uint64_t failed_ = 0;
    Duration lag_max_{};
};

} // namespace hive::worker
