#include "worker/paced_source.hpp"

#include "pace/shape_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::worker {
namespace {

// The count is kept here, where it outlives a schedule.
pace::ScheduleOptions options_of(const SchedulerInput& input) {
    return {
        .arrivals = input.poisson ? pace::Arrivals::poisson : pace::Arrivals::even,
        .jitter = {input.jitter.kind, input.jitter.max},
        .max_lag = input.max_lag,
        .seed = input.seed.value_or(1)};
}

pace::Shape shape_of(const SchedulerInput& input) {
    if (input.shape.is_null()) return pace::Shape{input.rate_per_sec};
    auto shape = pace::read_shape(input.shape, "shape");
    return shape ? *std::move(shape) : pace::Shape{0}; // judged before
}

// What a schedule cannot take up while it runs.
bool begins_anew(const SchedulerInput& before, const SchedulerInput& now) {
    return before.poisson != now.poisson || before.seed != now.seed ||
           before.max_lag != now.max_lag || before.pacing != now.pacing ||
           before.jitter != now.jitter;
}

constexpr std::uint32_t attempts_max = 3;
constexpr Duration late_after = std::chrono::seconds{1};
constexpr std::size_t owed_max = 100'000; // of what is due when the rate changes

} // namespace

PacedSource::PacedSource(Options options)
    : options_{std::move(options)},
      schedule_{shape_of(options_.input), options_of(options_.input), options_.clock->now()},
      to_wall_{
          options_.clock->wall().time_since_epoch() - options_.clock->now().time_since_epoch()},
      vars_{wire::HeaderValue::json(to_text(options_.vars))} {
    schedule_.pause(options_.clock->now());
}

bool PacedSource::runs(TimePoint now) const {
    return enabled_ && !dry_ && not_before_ && now >= *not_before_;
}

void PacedSource::hold_or_run(TimePoint now) {
    if (runs(now) == !schedule_.paused()) return;
    runs(now) ? schedule_.resume(now) : schedule_.pause(now);
}

std::size_t PacedSource::left(std::size_t max) const {
    const auto most = options_.input.max_messages;
    if (most == 0) return max;
    return static_cast<std::size_t>(std::min<std::uint64_t>(max, most - std::min(most, counted_)));
}

std::size_t PacedSource::due(std::size_t max, TimePoint now) {
    due_.clear();
    if (schedule_.paused()) return 0;
    if (options_.input.pacing == Pacing::unlimited) {
        due_.assign(max, now);
    } else if (!owed_.empty()) {
        const auto end = owed_.begin() + static_cast<std::ptrdiff_t>(std::min(max, owed_.size()));
        due_.assign(owed_.begin(), end);
        owed_.erase(owed_.begin(), end);
    } else {
        schedule_.due(now, max, due_);
    }
    if (!due_.empty()) lag_max_ = std::max(lag_max_, now - due_.front());
    return due_.size();
}

std::uint64_t PacedSource::free_slot() {
    if (free_.empty()) {
        slots_.push_back(std::make_unique<Slot>());
        return slots_.size() - 1;
    }
    const std::uint64_t slot = free_.back();
    free_.pop_back();
    return slot;
}

Status PacedSource::take(std::size_t max, std::vector<Job>& out) {
    for (; max > 0 && !again_.empty(); --max) {
        out.push_back(again_.back());
        again_.pop_back();
    }
    max = left(max);
    if (max == 0 || !enabled_) return {};
    if (options_.feed) return take_fed(max, out);
    const TimePoint now = options_.clock->now();
    hold_or_run(now);
    if (due(max, now) == 0) return {};
    const Timestamp wall = options_.clock->wall();
    for (const TimePoint due : due_) {
        const std::uint64_t slot = free_slot();
        begin(slots_[slot]->item);
        out.push_back(dated(slot, due, wall));
    }
    return {};
}

// Asks the feed first: a due time that was taken cannot be given back.
Status PacedSource::take_fed(std::size_t max, std::vector<Job>& out) {
    const TimePoint now = options_.clock->now();
    const Timestamp wall = options_.clock->wall();
    for (; max > 0; --max) {
        if (auto ok = fetch(); !ok) return ok;
        hold_or_run(now);
        if (!ahead_ || due(1, now) == 0) return {};
        out.push_back(dated(*std::exchange(ahead_, std::nullopt), due_.front(), wall));
    }
    return {};
}

Status PacedSource::fetch() {
    if (ahead_) return {};
    const std::uint64_t slot = free_slot();
    wire::WorkItem& item = slots_[slot]->item;
    begin(item);
    const auto token = options_.feed->next(item);
    if (!token || !*token) free_.push_back(slot);
    if (!token) return fail(token.error());
    dry_ = !*token && options_.feed->state() != wire::InputState::ok;
    if (!*token) return {};
    item.steps.back().by = {options_.self->role.text(), options_.self->instance.text()};
    slots_[slot]->token = **token;
    ahead_ = slot;
    return {};
}

void PacedSource::begin(wire::WorkItem& item) {
    item.clear(); // what the bus left in place of the one before
    item.steps.reserve(4);
    item.hops.reserve(4);
    item.swarm_id = options_.self->swarm.text();
}

Job PacedSource::dated(std::uint64_t slot, TimePoint due, Timestamp now) {
    ++made_;
    ++counted_;
    wire::WorkItem& item = slots_[slot]->item;
    item.trace_id = options_.life;
    const fmt::format_int number{made_};
    item.trace_id.append(number.data(), number.size());
    item.headers.append(header::sequence, wire::HeaderValue::json(number.str()));
    // Nobody waits for what is made as fast as it goes: it is never late.
    if (options_.input.pacing == Pacing::scheduled) {
        const fmt::format_int at{(due.time_since_epoch() + to_wall_).count()};
        item.headers.append(header::due, wire::HeaderValue::json(at.str()));
    }
    if (!options_.vars.empty()) item.headers.append(header::vars, vars_);
    return {.item = &item, .tag = slot, .source = options_.number, .received_at = now};
}

std::optional<TimePoint> PacedSource::next() const {
    const TimePoint now = options_.clock->now();
    if (!enabled_) return std::nullopt;
    if (!again_.empty()) return now;
    if (left(1) == 0) return std::nullopt;
    if (options_.feed && !ahead_) return options_.feed->again();
    if (not_before_ && now < *not_before_) return not_before_;
    if (options_.input.pacing == Pacing::unlimited || !owed_.empty()) return now;
    return schedule_.paused() ? std::optional{now} : schedule_.next(); // take() lets it run
}

Status PacedSource::done(std::span<const std::uint64_t> tags) {
    free_.insert(free_.end(), tags.begin(), tags.end());
    if (!options_.feed) return {};
    for (const std::uint64_t tag : tags) {
        if (auto ok = options_.feed->done(slots_[tag]->token); !ok) return ok;
    }
    return {};
}

// Nobody has a dead-letter queue for what never was in a queue: it is counted.
Status PacedSource::refuse(const Job& job, bus::Verdict verdict, std::string_view /*reason*/) {
    Job next = job;
    if (verdict == bus::Verdict::requeue ||
        (verdict == bus::Verdict::retry && next.attempt < attempts_max)) {
        if (verdict == bus::Verdict::retry) ++next.attempt;
        again_.push_back(next);
        return {};
    }
    ++failed_;
    free_.push_back(job.tag);
    return options_.feed ? options_.feed->refuse(slots_[job.tag]->token) : Status{};
}

wire::InputState PacedSource::state() const {
    if (left(1) == 0) return wire::InputState::out_of_data;
    const auto due = options_.input.pacing == Pacing::scheduled ? schedule_.next() : std::nullopt;
    const bool late = due && options_.clock->now() - *due > late_after;
    if (options_.feed && !ahead_) return options_.feed->state();
    return late ? wire::InputState::backpressure : wire::InputState::ok;
}

void PacedSource::report(json::object& into) const {
    into["scheduler"] = json::object{
        {"sent", made_},
        {"dropped", dropped_ + schedule_.dropped()},
        {"failed", failed_},
        {"ratePerSec", options_.input.pacing == Pacing::scheduled
                           ? json::value(schedule_.rate(options_.clock->now()))
                           : json::value("unlimited")},
        {"maxLagUs", std::chrono::duration_cast<std::chrono::microseconds>(lag_max_).count()}};
    if (options_.feed) options_.feed->report(into);
}

void PacedSource::change(const SchedulerInput& input, json::object vars) {
    const TimePoint now = options_.clock->now();
    if (vars != options_.vars) {
        options_.vars = std::move(vars);
        vars_ = wire::HeaderValue::json(to_text(options_.vars));
    }
    const std::size_t owed_left = left(owed_max); // of the run as it was
    const SchedulerInput before = std::exchange(options_.input, input);
    if (begins_anew(before, input)) {
        const bool paused = schedule_.paused();
        dropped_ += schedule_.dropped();
        schedule_ = pace::Schedule{shape_of(input), options_of(input), now};
        if (paused) schedule_.pause(now);
    } else if (before.rate_per_sec != input.rate_per_sec || before.shape != input.shape) {
        // It would be forgotten. A finite run that is over owes nothing: those were never due.
        const std::size_t most = std::min(owed_left, owed_max - std::min(owed_max, owed_.size()));
        if (!schedule_.paused() && most > 0) schedule_.due(now, most, owed_);
        schedule_.change(shape_of(input), now);
    }
    if (input.reset || before.max_messages != input.max_messages) {
        counted_ = 0; // another number begins to count anew
        dropped_ += schedule_.dropped();
        schedule_.reset(now);
    }
}

void PacedSource::pause() {
    enabled_ = false;
    hold_or_run(options_.clock->now());
}

void PacedSource::resume() {
    const TimePoint now = options_.clock->now();
    enabled_ = true;
    if (!not_before_) not_before_ = now + options_.delay;
    hold_or_run(now);
}

} // namespace hive::worker
