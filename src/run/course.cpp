#include "run/course.hpp"

#include <algorithm>
#include <utility>

namespace hive::run {
namespace {

constexpr Duration unknown_end_look = std::chrono::milliseconds{50};
constexpr Duration last_item_early = std::chrono::milliseconds{500};

bool nothing_to_send(const Sight& sight) {
    if (!sight.silent.empty()) return false; // who knows what they have
    bool any = false;
    for (const BeeSight& bee : sight.bees) {
        if (!produces(bee)) continue;
        any = true;
        if (bee.flow.input != wire::InputState::out_of_data) return false;
    }
    return any;
}

bool at_rest(const Sight& sight) {
    return sight.silent.empty() && std::ranges::all_of(sight.bees, idle) &&
           std::ranges::all_of(sight.depths, [&](const auto& queue) {
               return queue.second == 0 || sight.unread.contains(queue.first);
           });
}

std::uint64_t processed_by_all(const Sight& sight) {
    std::uint64_t sum = 0;
    for (const BeeSight& bee : sight.bees) sum += processed(bee);
    return sum;
}

} // namespace

Course::Course(CourseOptions options, TimePoint start)
    : options_{std::move(options)}, start_{start} {}

void Course::end_load(Ending ending, TimePoint at) {
    phase_ = Phase::draining;
    ending_ = ending;
    ended_ = at;
}

// Looked at twice: what a broker has delivered and nobody has taken yet is neither in a queue nor
// with a bee.
bool Course::rests(const Sight& sight) {
    const auto before = std::exchange(processed_at_rest_, std::nullopt);
    if (!at_rest(sight)) return false;
    processed_at_rest_ = processed_by_all(sight);
    return before == processed_at_rest_;
}

bool Course::see(const Sight& sight, const telemetry::Summary& summary) {
    if (phase_ == Phase::loading) {
        for (const auto& threshold : options_.thresholds) {
            if (!threshold.abort || !value_of(threshold, summary)) continue;
            if (judge(threshold, summary).ok) continue;
            broken_ = threshold.expr;
            end_load(Ending::threshold, sight.at);
            return true;
        }
        const bool all_sent = nothing_to_send(sight);
        // Producers begin a moment before they are known to have begun, so the last item of a run
        // of a given length is sent a moment early.
        const Duration early = all_sent ? last_item_early : Duration::zero();
        if (options_.length && sight.at >= start_ + *options_.length - early) {
            end_load(Ending::time, start_ + *options_.length);
        } else if (all_sent) {
            end_load(Ending::out_of_data, sight.at);
        }
        return phase_ != Phase::loading;
    }
    if (phase_ == Phase::over) return false;
    drained_ = rests(sight);
    if (!drained_ && sight.at < ended_ + options_.drain) return false;
    phase_ = Phase::over;
    return true;
}

void Course::interrupt(TimePoint now) {
    if (phase_ == Phase::loading)
        end_load(Ending::interrupted, now);
    else
        phase_ = Phase::over;
}

TimePoint Course::next_look(TimePoint now) const {
    constexpr Duration draining_look = std::chrono::milliseconds{20};
    if (phase_ == Phase::draining) return now + draining_look;
    // Without a length only a look finds out that everything was sent, and rates count up to then.
    if (!options_.length) return now + std::min(options_.look_every, unknown_end_look);
    const TimePoint usual = now + options_.look_every;
    const TimePoint end = start_ + *options_.length;
    return end > now ? std::min(usual, end) : usual;
}

} // namespace hive::run
