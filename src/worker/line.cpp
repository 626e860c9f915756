#include "worker/line.hpp"

#include "worker/inputs.hpp"
#include "worker/outputs.hpp"
#include "worker/paced_source.hpp"
#include "worker/queue_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::worker {
namespace {

constexpr std::size_t batch = 64;
// Others on the same thread get their turn after so many batches.
constexpr int rounds = 8;
constexpr double rate_seconds_min = 0.25;
constexpr std::size_t error_bytes_max = 500; // in a status

} // namespace

void Crowd::count(std::size_t items, TimePoint now) {
    items_ += items;
    const double passed = std::chrono::duration<double, std::milli>(now - since_).count();
    constexpr double window_ms = 5;
    if (passed < window_ms) return;
    busy_ = static_cast<double>(items_) / passed >= per_ms_;
    items_ = 0;
    since_ = now;
}

Line::Line(LineParts parts, Work& work)
    : parts_{std::move(parts)}, work_{work},
      stamp_{parts_.setup.self.role.text(), parts_.setup.self.instance.text()},
      gathering_{parts_.bus.gathering()}, reported_at_{parts_.clock.now()},
      self_{std::make_shared<Line*>(this)} {}

Line::~Line() {
    *self_ = nullptr;
}

std::function<void()> Line::bell() {
    return [post = parts_.strand.poster(), self = self_, resting = resting_] {
        if (resting->load()) return;
        post([self] {
            if (*self != nullptr) (*self)->pump();
        });
    };
}

void Line::configure(FlowConfig config) {
    anew_ = anew_ || !same_origin(config.inputs, config_.inputs);
    rewire_ = rewire_ || anew_ || config.outputs != config_.outputs;
    const bool reseeded = config.seed != config_.seed;
    rewire_ = rewire_ || reseeded;
    if (reseeded || config.interceptors != config_.interceptors) interceptors_.reset();
    config_ = std::move(config);
    if (rewire_ && !busy()) unwire();
    for (auto& source : sources_) {
        auto* paced = dynamic_cast<PacedSource*>(source.get());
        if (paced != nullptr && !anew_) paced->change(pace(), config_.vars);
    }
    if (enabled_) set_enabled(true);
}

// The next opening makes them anew. Only when nothing is under way: who took it must settle it. A
// schedule that goes on stays, since it counts.
void Line::unwire() {
    std::erase_if(sources_, [this](const auto& source) {
        return anew_ || dynamic_cast<QueueSource*>(source.get()) != nullptr;
    });
    sink_.reset();
    rewire_ = anew_ = false;
}

void Line::set_enabled(bool enabled) {
    enabled_ = enabled;
    if (enabled) {
        if (auto ok = open(); !ok) return parts_.give_up(ok.error().detail);
    }
    for (auto& source : sources_) {
        if (auto* paced = dynamic_cast<PacedSource*>(source.get())) {
            takes_in() ? paced->resume() : paced->pause();
        }
    }
    work_.set_enabled(enabled);
    enabled ? pump() : close_if_idle();
}

Status Line::open() {
    if (!sink_) {
        auto sink = make_sink(
            config_.outputs, {.setup = parts_.setup,
                              .bus = parts_.bus,
                              .clock = parts_.clock,
                              .ring = bell(),
                              .sequences = parts_.sequences,
                              .seed = parts_.chance->seed("outputs")});
        if (!sink) return hive::fail(sink.error());
        sink_ = *std::move(sink);
    }
    if (!interceptors_ && config_.interceptors != InterceptorConfig{}) {
        auto interceptors = Interceptors::open(
            config_.interceptors, {.clock = parts_.clock,
                                   .sequences = parts_.sequences,
                                   .seed = parts_.chance->seed("interceptors")});
        if (!interceptors) return hive::fail(interceptors.error());
        interceptors_ = *std::move(interceptors);
    }
    if (!sources_.empty()) return {};
    return paced(config_.inputs, parts_.setup.ports) ? open_paced() : open_queues();
}

SchedulerInput Line::pace() const {
    SchedulerInput input = pace_of(config_.inputs);
    input.seed = parts_.chance->seed("schedule", input.seed);
    return input;
}

Status Line::open_paced() {
    auto feed = make_feed(
        config_.inputs, {.setup = parts_.setup,
                         .clock = parts_.clock,
                         .ring = bell(),
                         .seed = parts_.chance->seed("dataset", pace_of(config_.inputs).seed)});
    if (!feed) return hive::fail(feed.error());
    sources_.push_back(std::make_unique<PacedSource>(PacedSource::Options{
        .input = pace(),
        .self = &parts_.setup.self,
        .clock = &parts_.clock,
        .vars = config_.vars,
        .life = fmt::format(
            "{}-{:x}-", stamp_.instance(),
            parts_.clock.wall().time_since_epoch().count() / 1'000'000),
        .feed = *std::move(feed),
        .delay = delay_of(config_.inputs)}));
    return {};
}

Status Line::open_queues() {
    const WorkPorts& ports = parts_.setup.ports;
    for (const WorkPort& port : ports.in) {
        auto source = QueueSource::open(
            parts_.bus, {.queue = port.queue,
                         .input = config_.inputs.rabbit,
                         .number = static_cast<std::uint32_t>(sources_.size()),
                         .ring = bell(),
                         .clock = &parts_.clock});
        if (!source) return hive::fail(source.error());
        sources_.push_back(*std::move(source));
    }
    return {};
}

bool Line::busy() const noexcept {
    return under_way_ != 0 || !outgoing_.empty() || !waiting_.empty() || !finished_.empty();
}

// Sources stay while something of theirs is under way: only they can acknowledge it.
void Line::close_if_idle() {
    if (!enabled_ && !busy()) unwire();
}

void Line::check(const Status& status) {
    if (!status) parts_.give_up(status.error().detail);
}

void Line::pump() {
    if (pumping_) return;
    pumping_ = true;
    Status status{};
    bool more = true;
    for (int round = 0; round < rounds && more && status; ++round) {
        jobs_.clear();
        taken_ = 0;
        status = hand_on();
        if (status && takes_in()) status = take_in();
        more = taken_ > 0;
        if (status && more) status = hand_on();
        if (crowd_.busy() && taken_ < batch) break;
    }
    pumping_ = false;
    if (!status) return check(status);
    if (!enabled_) return close_if_idle();
    if (rewire_ && !busy()) {
        unwire();
        return set_enabled(true);
    }
    if (rewire_) return; // the last one that is under way rings
    if (more && crowd_.busy() && taken_ < batch) {
        resting_->store(true);
        return again_at(parts_.clock.now() + gathering_.wait);
    }
    if (more) return bell()();
    if (!held_back_ && takes_in()) wait_for_more(); // else whoever holds it back rings
}

void Line::wait_for_more() {
    const TimePoint now = parts_.clock.now();
    std::optional<TimePoint> next;
    if (work_.room(now) == 0) {
        next = work_.next(now);
    } else {
        for (const auto& source : sources_) {
            const auto soon = source->next();
            if (soon && (!next || *soon < *next)) next = soon;
        }
    }
    if (next) again_at(*next);
}

void Line::again_at(TimePoint when) {
    const TimePoint now = parts_.clock.now();
    if (alarm_ <= when && alarm_ > now) return; // it rings before
    alarm_ = when;
    parts_.strand.after(std::max(when - now, Duration{0}), [self = self_, when] {
        Line* line = *self;
        if (line == nullptr) return;
        if (line->alarm_ == when) line->alarm_ = TimePoint::max();
        line->resting_->store(false);
        line->pump();
    });
}

Status Line::hand_on() {
    if (auto ok = flush(); !ok) return ok;
    return settle();
}

Status Line::take_in() {
    const std::size_t window = config_.inputs.rabbit.prefetch;
    held_back_ = rewire_ || !outgoing_.empty() || waiting_.size() >= std::max(window, batch);
    if (held_back_ || sources_.empty()) return {};
    std::size_t room = std::min(work_.room(parts_.clock.now()), batch);
    for (std::size_t i = 0; i < sources_.size() && jobs_.size() < room; ++i) {
        Source& source = *sources_[(turn_ + i) % sources_.size()];
        if (auto ok = source.take(room - jobs_.size(), jobs_); !ok) return ok;
    }
    turn_ = (turn_ + 1) % sources_.size();
    if (jobs_.empty()) return {};
    taken_ = jobs_.size();
    crowd_.count(taken_, parts_.clock.now());
    under_way_ += taken_;
    if (interceptors_) intercept();
    if (!jobs_.empty()) work_.take(jobs_, *this);
    return {};
}

void Line::intercept() {
    std::erase_if(jobs_, [this](Job& job) {
        const auto ok = interceptors_->before(*job.item, stamp_, config_.history);
        if (!ok) fail(job, ok.error().detail);
        return !ok;
    });
}

void Line::forward(Job& job) {
    forward(job, parts_.clock.wall());
}

void Line::forward(Job& job, Timestamp processed_at) {
    job.item->add_hop({stamp_, job.received_at, processed_at}, config_.history);
    if (interceptors_) interceptors_->after(*job.item);
    if (!sink_) return finish(job);
    if (auto ok = sink_->admit(*job.item); !ok) return reject(job, ok.error().detail);
    ended();
    ++processed_;
    outgoing_.push_back(job.item);
    outgoing_jobs_.push_back({job.tag, job.source});
}

void Line::finish(Job& job) {
    ended();
    ++processed_;
    finished_.push_back({job.tag, job.source});
}

// Together with those that end in the same turn.
void Line::ended() {
    --under_way_;
    if (!pumping_ && outgoing_.empty() && finished_.empty()) bell()();
}

void Line::fail(Job& job, std::string_view reason) {
    refuse(job, bus::Verdict::retry, reason);
}

void Line::reject(Job& job, std::string_view reason) {
    refuse(job, bus::Verdict::reject, reason);
}

void Line::refuse(Job& job, bus::Verdict verdict, std::string_view reason) {
    ended();
    ++failed_;
    last_error_ = reason.substr(0, error_bytes_max);
    check(sources_[job.source]->refuse(job, verdict, reason));
}

Status Line::flush() {
    if (outgoing_.empty() || !sink_) return {};
    const auto sent = sink_->send(outgoing_);
    if (!sent) return hive::fail(sent.error());
    const auto count = static_cast<std::ptrdiff_t>(*sent);
    const std::uint64_t first = sink_->accepted() - *sent;
    if (waiting_.empty() && sink_->confirmed() == sink_->accepted()) { // a bus in this process
        finished_.insert(finished_.end(), outgoing_jobs_.begin(), outgoing_jobs_.begin() + count);
    } else {
        for (std::size_t i = 0; i < *sent; ++i) {
            waiting_.push_back({first + i + 1, outgoing_jobs_[i]});
        }
    }
    outgoing_.erase(outgoing_.begin(), outgoing_.begin() + count);
    outgoing_jobs_.erase(outgoing_jobs_.begin(), outgoing_jobs_.begin() + count);
    return {};
}

// Tells the sources what is safe, those of one source at a time.
Status Line::settle() {
    const std::uint64_t safe = waiting_.empty() ? 0 : sink_->confirmed();
    while (!waiting_.empty() && waiting_.front().number <= safe) {
        finished_.push_back(waiting_.front().job);
        waiting_.pop_front();
    }
    std::size_t at = 0;
    while (at < finished_.size()) {
        const std::uint32_t source = finished_[at].source;
        tags_.clear();
        for (; at < finished_.size() && finished_[at].source == source; ++at) {
            tags_.push_back(finished_[at].tag);
        }
        if (auto ok = sources_[source]->done(tags_); !ok) return ok;
    }
    finished_.clear();
    return {};
}

// Somebody may ask twice in a moment: too short a time says nothing of the rate.
void Line::count_rate(TimePoint now) {
    const double seconds = std::chrono::duration<double>(now - reported_at_).count();
    if (seconds < rate_seconds_min) return;
    const auto since = processed_ - std::exchange(processed_before_, processed_);
    reported_at_ = now;
    tps_ = static_cast<std::uint64_t>(std::llround(static_cast<double>(since) / seconds));
}

// From the first item that failed until some went well and none failed.
bool Line::failing() {
    const auto since = failed_ - std::exchange(failed_before_, failed_);
    const bool moved = processed_ != std::exchange(processed_seen_, processed_);
    if (since > 0)
        failing_ = true;
    else if (moved)
        failing_ = false;
    return failing_;
}

WorkloadReport Line::report() {
    const TimePoint now = parts_.clock.now();
    count_rate(now);
    json::object details{{"processed", processed_}};
    if (failed_ > 0) details["failed"] = failed_;
    if (failed_ > 0) details["lastError"] = last_error_;
    const std::size_t pending = under_way_ + outgoing_.size() + waiting_.size() + finished_.size();
    if (pending > 0) details["pending"] = pending;
    wire::InputState input = work_.input();
    for (const auto& source : sources_) {
        source->report(details);
        if (input == wire::InputState::ok) input = source->state();
    }
    wire::OutputState output = work_.output();
    if (sink_) {
        sink_->report(details);
        if (output == wire::OutputState::ok) output = sink_->state();
    }
    if (interceptors_) interceptors_->report(details);
    work_.report(details);
    return {
        .tps = tps_,
        .flow = {.input = input, .output = output},
        .details = std::move(details),
        .failing = failing() ? last_error_ : std::string{}};
}

} // namespace hive::worker
