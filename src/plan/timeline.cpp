#include "plan/timeline.hpp"

#include <algorithm>

namespace hive::plan {
namespace {

double milliseconds(Duration duration) {
    return static_cast<double>(
        std::chrono::duration_cast<std::chrono::milliseconds>(duration).count());
}

} // namespace

json::object to_json(const Progress& progress) {
    json::object out{
        {"elapsedMs", milliseconds(progress.elapsed)},
        {"firedSteps", progress.fired},
        {"totalSteps", progress.steps},
        {"run", progress.run},
        {"totalRuns", progress.runs},
        {"complete", progress.complete}};
    if (!progress.last_step.empty()) out["lastStepId"] = progress.last_step;
    if (!progress.next_step.empty()) out["nextStepId"] = progress.next_step;
    if (progress.next_in) out["nextDueMs"] = milliseconds(*progress.next_in);
    return out;
}

Duration Timeline::elapsed(TimePoint now) const {
    return before_ + (since_ ? std::max(now - *since_, Duration::zero()) : Duration::zero());
}

void Timeline::run(TimePoint now) {
    if (since_) return;
    if (complete()) {
        before_ = {};
        run_ = 0;
        next_ = 0;
    }
    since_ = now;
}

void Timeline::pause(TimePoint now) {
    before_ = elapsed(now);
    since_.reset();
}

std::vector<Due> Timeline::due(TimePoint now) {
    std::vector<Due> out;
    while (since_ && !plan_.empty() && !complete()) {
        const Duration at = elapsed(now) - begun();
        fire_steps(at, out);
        move_ramps(at, out);
        if (next_ < plan_.steps.size() || !ramps_.empty() || at < plan_.length) break;
        ++run_;
        next_ = 0;
    }
    return out;
}

void Timeline::fire_steps(Duration at, std::vector<Due>& out) {
    for (; next_ < plan_.steps.size() && plan_.steps[next_].at <= at; ++next_) {
        const bool ramp = plan_.steps[next_].kind == Kind::ramp;
        out.push_back({.step = next_, .begins = true, .share = ramp ? 0.0 : 1.0});
        if (ramp) ramps_.push_back({next_, plan_.steps[next_].at});
    }
}

void Timeline::move_ramps(Duration at, std::vector<Due>& out) {
    for (Active& ramp : ramps_) {
        const Step& step = plan_.steps[ramp.step];
        if (at < std::min(ramp.moved_at + ramp_every, step.end())) continue;
        ramp.moved_at = at;
        const double share = std::chrono::duration<double>(at - step.at) / step.lasts;
        out.push_back({.step = ramp.step, .share = std::min(share, 1.0)});
    }
    std::erase_if(
        ramps_, [&](const Active& ramp) { return ramp.moved_at >= plan_.steps[ramp.step].end(); });
}

std::optional<TimePoint> Timeline::next() const {
    if (!since_ || plan_.empty() || complete()) return std::nullopt;
    Duration at = plan_.length;
    if (next_ < plan_.steps.size()) at = std::min(at, plan_.steps[next_].at);
    for (const Active& ramp : ramps_) {
        at = std::min({at, ramp.moved_at + ramp_every, plan_.steps[ramp.step].end()});
    }
    return *since_ + (begun() + at - before_);
}

Progress Timeline::progress(TimePoint now) const {
    const std::uint32_t run = complete() ? plan_.runs - 1 : run_;
    Progress out{
        .elapsed = complete() ? plan_.length : elapsed(now) - begun(),
        .run = run + 1,
        .runs = plan_.runs,
        .fired = complete() ? plan_.steps.size() : next_,
        .steps = plan_.steps.size(),
        .complete = complete()};
    if (out.fired > 0) out.last_step = plan_.steps[out.fired - 1].id;
    if (out.complete || next_ >= plan_.steps.size()) return out;
    out.next_step = plan_.steps[next_].id;
    out.next_in = std::max(plan_.steps[next_].at - out.elapsed, Duration::zero());
    return out;
}

std::optional<Timeline::Ahead> Timeline::next_spike(TimePoint now) const {
    if (complete()) return std::nullopt;
    const auto is_spike = [](const Step& step) { return step.kind == Kind::spike; };
    const Duration at = elapsed(now) - begun();
    const auto& steps = plan_.steps;
    auto found =
        std::find_if(steps.begin() + static_cast<std::ptrdiff_t>(next_), steps.end(), is_spike);
    if (found != steps.end()) return Ahead{found->at - at, found->lasts};
    found = std::ranges::find_if(steps, is_spike);
    if (found == steps.end() || run_ + 1 >= plan_.runs) return std::nullopt;
    return Ahead{plan_.length + found->at - at, found->lasts};
}

} // namespace hive::plan
