// What measuring costs: one recorded latency is to be at most 5 ns; merging and reading are for
// information.
#include "kernel/random.hpp"
#include "telemetry/histogram.hpp"
#include "telemetry/histogram_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace hive;
using namespace hive::telemetry;

namespace {

constexpr double demanded = 5; // nanoseconds
constexpr int rounds = 50;

double nanoseconds(const std::function<void()>& work) {
    double best = 1e18;
    for (int round = 0; round < rounds; ++round) {
        const auto before = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::nano> took =
            std::chrono::steady_clock::now() - before;
        best = std::min(best, took.count());
    }
    return best;
}

} // namespace

int main() {
    Random random{1};
    std::vector<std::uint64_t> values(65'536);
    for (auto& value : values) // around a millisecond, with a tail
        value = static_cast<std::uint64_t>(1e6 * std::exp(random.unit() + random.unit()));
    Histogram histogram;
    const double each = nanoseconds([&] {
                            for (const auto value : values) histogram.record_ns(value);
                        }) /
                        static_cast<double>(values.size());
    Histogram other;
    fmt::print(
        "record      {:8.2f} ns  {} (demanded: 5)\n", each, each <= demanded ? "ok" : "TOO SLOW");
    fmt::print("merge       {:8.0f} ns\n", nanoseconds([&] { other.merge(histogram); }));
    double sum = 0;
    fmt::print(
        "percentile  {:8.0f} ns\n", nanoseconds([&] { sum += histogram.percentile_ns(99); }));
    const std::string text = to_text(histogram);
    fmt::print(
        "to text     {:8.0f} ns\n", nanoseconds([&] { sum += double(to_text(other).size()); }));
    fmt::print("text        {:8} bytes\n", text.size());
    fmt::print("memory      {:8} bytes\n", histogram.memory_bytes());
    return each <= demanded && sum > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
