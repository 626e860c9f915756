// What one due time costs, for each kind of shape; to be at most 20 ns, so that pacing is never
// what limits a generator.
#include "pace/pattern.hpp"
#include "pace/schedule.hpp"
#include "pace/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

using namespace hive;
using namespace hive::pace;
using namespace std::chrono_literals;

namespace {

constexpr double demanded = 20; // nanoseconds
constexpr int rounds = 500; // of two milliseconds: short enough to fit between two interruptions

Pattern busy_day() {
    return {
        .base_rate = 500'000,
        .cycle = 200ms,
        .segments = {
            {.mode = RampMode{0.2, 2}, .share = 40},
            {.mode = SinusMode{0.5, 2, 40ms, 0s},
             .share = 60,
             .mutators = {Noise{10, 10ms, 1}, Cap{1.8}},
             .transition = Transition::smooth,
             .transition_over = 20ms}}};
}

// In batches, as a generator takes them.
double nanoseconds_each(const Shape& shape, const ScheduleOptions& options) {
    constexpr std::size_t batch = 1'024;
    std::vector<TimePoint> out;
    out.reserve(batch);
    double best = 1e9;
    for (int round = 0; round < rounds; ++round) {
        Schedule schedule{shape, options, TimePoint{}};
        const auto before = std::chrono::steady_clock::now();
        for (std::size_t got = batch; got == batch; out.clear())
            got = schedule.due(TimePoint{200ms}, batch, out);
        const std::chrono::duration<double, std::nano> took =
            std::chrono::steady_clock::now() - before;
        best = std::min(best, took.count() / static_cast<double>(schedule.taken()));
    }
    return best;
}

} // namespace

int main() {
    bool ok = true;
    const auto tell = [&](const char* name, const Shape& shape, const ScheduleOptions& options) {
        const double each = nanoseconds_each(shape, options);
        const bool wanted =
            options.arrivals == Arrivals::even && options.jitter.kind == Jitter::Kind::none;
        ok = ok && (!wanted || each <= demanded);
        fmt::print(
            "{:<28} {:6.1f} ns per due time{}\n", name, each,
            !wanted            ? ""
            : each <= demanded ? "  ok (demanded: 20)"
                               : "  TOO SLOW (demanded: 20)");
    };
    tell("constant 1,000,000/s", *constant(1e6), {});
    tell("ramp 0 to 1,000,000/s", *ramp({0, 1e6, 200ms}), {});
    tell("sine 0 to 1,000,000/s", *sine({0, 1e6, 100ms}), {});
    tell("steps", *steps({{1e6, 10ms}, {0, 10ms}}, After::repeat), {});
    tell("pattern", *shape_of(busy_day()), {});
    tell("constant, Poisson", *constant(1e6), {.arrivals = Arrivals::poisson});
    tell("constant, jitter", *constant(1e6), {.jitter = {Jitter::Kind::sequence, 1ms}});
    return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
