#pragma once

#include "kernel/json.hpp"
#include "report/statistics.hpp"
#include "telemetry/summary.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive::report {

enum class Change : std::uint8_t {
    same, // any change is smaller than what matters
    better,
    worse,
    unclear, // noise hides whether there is a change that matters
};
std::string_view name_of(Change change) noexcept;

// How a change was judged.
enum class Method : std::uint8_t {
    runs,      // several runs a side: by what differs between runs of the same thing
    windows,   // one run: by the noise of its windows
    tolerance, // nothing is known about noise: by size alone
};
std::string_view name_of(Method method) noexcept;

struct Compared {
    enum class Kind : std::uint8_t { rate, share, micros };

    std::string metric{}; // as thresholds call it
    Kind kind = Kind::micros;
    double base = 0;
    double fresh = 0;
    std::optional<Interval> difference{}; // fresh - base
    Change change = Change::same;
    Method method = Method::tolerance;
    bool counts = true; // for the verdict; the others are shown only
};

struct Comparison {
    Change verdict = Change::same;
    double tolerance = 0;
    std::size_t base_runs = 0;
    std::size_t fresh_runs = 0;
    std::vector<Compared> metrics{};
    std::vector<std::string> notes{}; // what a reader should know before believing it
};

struct CompareOptions {
    double tolerance = 0.05; // a smaller change does not matter
    std::uint64_t seed = 1;  // the same input gives the same answer
};

// Both sides hold at least one summary.
Comparison compare(
    std::span<const telemetry::Summary> base, std::span<const telemetry::Summary> fresh,
    const CompareOptions& options = {});

std::string to_text(const Comparison& comparison, bool colors);
json::object to_json(const Comparison& comparison);

} // namespace hive::report
