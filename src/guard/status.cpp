#include "guard/status.hpp"

#include "kernel/overloaded.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hive::guard {
namespace {

double rounded(double value) {
    return std::round(value * 1000) / 1000;
}

std::string reason_of(const State& state) {
    if (state.phase == Phase::disabled) return "the producers run as configured";
    if (state.missed > 0) {
        return fmt::format("the depth is not known; last rule {}", name_of(state.rule));
    }
    return fmt::format(
        "{}: {} items, target {:.0f}, the consumers take {}/s", name_of(state.rule),
        state.depths.empty() ? "unknown" : fmt::format("{:.0f}", state.depths.average()),
        state.target, shown_rate(state.consumption.rate()));
}

} // namespace

std::string shown_rate(double rate) {
    if (rate < 100) return fmt::format("{:.3g}", rate);
    std::string digits = fmt::format("{:.0f}", rate);
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
    return digits;
}

json::object to_json(const State& state, const Settings& settings, const Instant& instant) {
    const bool known = !state.depths.empty() && state.missed == 0;
    const auto since = instant.wall - (instant.now - state.since);
    json::object out;
    out["queueAlias"] = settings.queue;
    out["state"] = name_of(state.phase);
    out["since"] = format_timestamp(std::chrono::floor<std::chrono::milliseconds>(since));
    out["depth"] = known ? json::value(state.depths.last().depth) : json::value{};
    out["smoothedDepth"] =
        state.depths.empty() ? json::value{} : json::value(rounded(state.depths.average()));
    out["target"] = state.phase == Phase::disabled ? settings.target_depth : rounded(state.target);
    out["bracket"] = json::object{{"min", settings.min_depth}, {"max", settings.max_depth}};
    out["rate"] = rounded(state.rate);
    out["estimate"] =
        state.consumption.known() ? json::value(rounded(state.consumption.rate())) : json::value{};
    out["moderatorFactor"] = rounded(state.factor);
    out["missingSamples"] = state.missed;
    out["reason"] = reason_of(state);
    return out;
}

std::string to_text(const Command& command) {
    return std::visit(
        overloaded{
            [](const SetRate& set) {
                return fmt::format(
                    "rate {}/s to {}/s: depth {:.0f}, target {:.0f}, the consumers take {}/s; "
                    "{}, rule {}",
                    shown_rate(set.from), shown_rate(set.total), set.depth, set.target,
                    shown_rate(set.estimate), name_of(set.phase), name_of(set.rule));
            },
            [](const SetModeratorFactor& set) {
                return fmt::format(
                    "the moderator lets {:.0f} % of its rate pass", set.factor * 100);
            },
            [](const RestoreStatic& restore) {
                return fmt::format(
                    "the guard is off: the producers return from {}/s to their configured rates",
                    shown_rate(restore.from));
            },
            [](const Warn& warn) { return warn.text; },
            [](const Note& note) { return note.text; },
        },
        command);
}

json::object context_of(const Command& command) {
    if (const auto* set = std::get_if<SetRate>(&command)) {
        return {{"from", rounded(set->from)},     {"to", rounded(set->total)},
                {"depth", rounded(set->depth)},   {"estimate", rounded(set->estimate)},
                {"target", rounded(set->target)}, {"state", name_of(set->phase)},
                {"rule", name_of(set->rule)}};
    }
    if (const auto* slow = std::get_if<SetModeratorFactor>(&command)) {
        return {{"factor", rounded(slow->factor)}};
    }
    if (const auto* restore = std::get_if<RestoreStatic>(&command)) {
        return {{"from", rounded(restore->from)}, {"to", rounded(restore->to)}, {"rule", "static"}};
    }
    return {};
}

int code_of(Phase phase) noexcept {
    return static_cast<int>(phase);
}

Phase phase_named(std::string_view name) noexcept {
    for (const Phase phase :
         {Phase::prefill, Phase::steady, Phase::draining, Phase::filling, Phase::backpressure,
          Phase::recovery}) {
        if (name_of(phase) == name) return phase;
    }
    return Phase::disabled;
}

} // namespace hive::guard
