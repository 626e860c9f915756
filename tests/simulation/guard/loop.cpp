#include "tests/simulation/guard/loop.hpp"

#include "kernel/overloaded.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

namespace hive::simulation {
namespace {

constexpr double steps_per_period = 16;

TimePoint moment(double second) {
    return TimePoint{Duration{static_cast<Duration::rep>(second * 1e9)}};
}

// How many come in a step with this mean.
class Counter {
public:
    Counter(bool poisson, double jitter) : poisson_{poisson}, jitter_{jitter} {}

    double next(double mean, Random& random) {
        if (poisson_) return by_chance(mean, random);
        credit_ += mean * (1 + (jitter_ * ((2 * random.unit()) - 1)));
        const double whole = std::floor(credit_ + 1e-9);
        credit_ -= whole;
        return whole;
    }

private:
    static double by_chance(double mean, Random& random) {
        if (mean > 30) { // the normal distribution is close enough, and does not take long
            const double u = std::max(random.unit(), 1e-12);
            const double normal =
                std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * random.unit());
            return std::max(0.0, std::round(mean + (std::sqrt(mean) * normal)));
        }
        const double end = std::exp(-mean);
        double count = 0;
        for (double product = random.unit(); product > end; product *= random.unit()) ++count;
        return count;
    }

    bool poisson_;
    double jitter_;
    double credit_ = 0;
};

class Loop {
public:
    explicit Loop(const Course& course)
        : course_{course}, random_{course.seed}, arrivals_{course.poisson, 0},
          services_{course.poisson, course.jitter}, ends_{course.poisson, course.jitter},
          rate_{course.configured}, depth_{course.depth} {}

    Story run() {
        const double period = guard::seconds(course_.settings.sample_period);
        const double step = period / steps_per_period;
        tell(guard::Enabled{course_.configured});
        tell(guard::SpikesPlanned{course_.spikes});
        double next = period;
        for (double due = period; now_ < course_.length; now_ += step) {
            advance(step);
            if (now_ + (step / 2) < due) continue;
            sample();
            next += period;
            due = next + (course_.late * period * random_.unit());
        }
        return std::move(story_);
    }

private:
    void advance(double step) {
        while (!coming_.empty() && coming_.front().at <= now_) {
            rate_ = coming_.front().rate;
            coming_.pop_front();
        }
        depth_ += arrivals_.next(std::min(rate_, course_.producers_max) * step, random_);
        const double capacity = course_.consumers(now_) * factor_;
        const double taken = std::min(depth_, services_.next(capacity * step, random_));
        depth_ -= taken;
        if (course_.processors) {
            behind_ += taken;
            behind_ -= std::min(behind_, ends_.next(course_.processors(now_) * step, random_));
        }
        past_.push_back({now_, depth_});
        while (past_.size() > 1 && past_[1].at <= now_ - course_.stale) past_.pop_front();
    }

    void sample() {
        const bool silent = course_.silent && course_.silent(now_);
        const double depth = course_.stale > 0 ? past_.front().rate : depth_;
        guard::Sample sample{};
        if (!silent) sample.depth = depth;
        if (!silent && course_.processors) sample.behind = behind_;
        tell(sample);
        story_.points.push_back(
            {.at = now_,
             .depth = depth_,
             .average = state_.depths.average(),
             .rate = state_.rate,
             .consumption = course_.consumers(now_) * factor_,
             .estimate = state_.consumption.rate(),
             .target = state_.target,
             .behind = behind_,
             .factor = factor_,
             .phase = state_.phase});
    }

    void tell(const guard::Event& event) {
        auto decision = guard::decide(std::move(state_), event, moment(now_), course_.settings);
        state_ = std::move(decision.next);
        for (auto& command : decision.commands) {
            if (const auto* set = std::get_if<guard::SetRate>(&command)) {
                coming_.push_back({now_ + course_.actuation, set->total});
            } else if (const auto* slow = std::get_if<guard::SetModeratorFactor>(&command)) {
                factor_ = slow->factor;
            }
            story_.told.push_back({now_, std::move(command)});
        }
    }

    struct Change {
        double at = 0;
        double rate = 0;
    };

    const Course& course_;
    Random random_;
    Counter arrivals_;
    Counter services_;
    Counter ends_;
    guard::State state_{};
    double now_ = 0;
    double rate_;
    double depth_;
    double behind_ = 0;
    double factor_ = 1;
    std::deque<Change> coming_{}; // told, not yet done
    std::deque<Change> past_{};   // depths
    Story story_{};
};

std::string_view code_of(const guard::Command& command) {
    return std::visit(
        overloaded{
            [](const guard::Warn& warn) -> std::string_view { return warn.code; },
            [](const guard::Note& note) -> std::string_view { return note.code; },
            [](const auto&) -> std::string_view { return {}; }},
        command);
}

bool in(const Story::Span& span, double at) {
    return at >= span.from && at < span.to;
}

template <class Holds>
double part_of(const std::vector<Point>& points, const Story::Span& span, const Holds& holds) {
    double all = 0;
    double good = 0;
    for (const Point& point : points) {
        if (!in(span, point.at)) continue;
        ++all;
        good += holds(point) ? 1 : 0;
    }
    return all > 0 ? good / all : 0;
}

} // namespace

bool Story::says(std::string_view code, double from) const {
    return std::ranges::any_of(
        told, [&](const Told& each) { return each.at >= from && code_of(each.command) == code; });
}

std::size_t Story::count(std::string_view code) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        told, [&](const Told& each) { return code_of(each.command) == code; }));
}

double Story::part_between(double low, double high, const Span& span) const {
    return part_of(points, span, [&](const Point& point) {
        return point.average >= low && point.average <= high;
    });
}

double Story::part_within(double part, const Span& span) const {
    return part_of(points, span, [&](const Point& point) {
        return std::abs(point.depth - point.target) <= part * point.target;
    });
}

double Story::lowest(const Span& span) const {
    double lowest = 1e300;
    for (const Point& point : points) {
        if (in(span, point.at)) lowest = std::min(lowest, point.average);
    }
    return lowest;
}

double Story::highest(const Span& span) const {
    double highest = 0;
    for (const Point& point : points) {
        if (in(span, point.at)) highest = std::max(highest, point.average);
    }
    return highest;
}

Story play(const Course& course) {
    return Loop{course}.run();
}

} // namespace hive::simulation
