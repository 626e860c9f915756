#include "guard/settings.hpp"

#include "pace/shape.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace hive::guard {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t depth_max = 1'000'000'000;
// Smaller steps would never reach the change of 1 % from which on producers are told.
constexpr double step_pct_min = 1;

Status bracket_upright(const Settings& settings) {
    if (settings.min_depth < settings.max_depth) return {};
    return fail(
        Errc::invalid,
        fmt::format(
            "minDepth {} must be below maxDepth {}", settings.min_depth, settings.max_depth));
}

Status target_inside(const Settings& settings) {
    const std::uint64_t target = settings.target_depth;
    if (target >= std::uint64_t{settings.min_depth} + room_min &&
        target + room_min <= settings.max_depth)
        return {};
    return fail(
        Errc::invalid, fmt::format(
                           "targetDepth {} must lie between minDepth {} and maxDepth {}, at least "
                           "{} items from either",
                           target, settings.min_depth, settings.max_depth, room_min));
}

json::object& object_at(json::object& root, std::string_view name) {
    auto& value = root[name];
    return value.is_object() ? value.get_object() : value.emplace_object();
}

// The value that every field has now is what a field table says it falls back to.
template <Described T>
void write(T value, json::object& into) {
    FieldTable table;
    describe(table, value);
    std::vector<FieldInfo> all;
    table.list("", all);
    for (const FieldInfo& field : all) {
        const auto dot = field.path.find('.');
        if (dot == std::string::npos) {
            into[field.path] = field.fallback;
        } else {
            object_at(into, field.path.substr(0, dot))[field.path.substr(dot + 1)] = field.fallback;
        }
    }
}

} // namespace

json::object to_json(const Settings& settings) {
    json::object out;
    write(settings, out);
    out.erase("backpressure"); // listed as if it were there
    if (settings.backpressure) write(*settings.backpressure, object_at(out, "backpressure"));
    return out;
}

std::span<const Named<Strategy>> names_of(Strategy) {
    static constexpr std::array names{
        Named<Strategy>{"predictive", Strategy::predictive},
        Named<Strategy>{"stepwise", Strategy::stepwise}};
    return names;
}

void describe(FieldTable& fields, Adjust& adjust) {
    fields.add("strategy", adjust.strategy)
        .help("predictive follows the consumption; stepwise only acts outside the bracket");
    fields.add("maxIncreasePct", adjust.max_increase_pct)
        .range(step_pct_min, 1000)
        .unit("%")
        .help("How much the rate may rise in one decision");
    fields.add("maxDecreasePct", adjust.max_decrease_pct)
        .range(step_pct_min, 100)
        .unit("%")
        .help("How much the rate may fall in one decision");
    fields.add("minRatePerSec", adjust.min_rate)
        .range(rate_min, pace::rate_max)
        .unit("1/s")
        .help("Never slower than this, all producers together");
    fields.add("maxRatePerSec", adjust.max_rate)
        .range(rate_min, pace::rate_max)
        .unit("1/s")
        .help("Never faster than this, all producers together");
    fields.add("minInterval", adjust.min_interval)
        .range(0s, 1h)
        .help("The least time between two changes; 0s lets each sample bring one");
    fields.rule([&adjust]() -> Status {
        if (adjust.min_rate <= adjust.max_rate) return {};
        return fail(
            Errc::invalid, fmt::format(
                               "minRatePerSec {} must not be above maxRatePerSec {}",
                               adjust.min_rate, adjust.max_rate));
    });
}

void describe(FieldTable& fields, Prefill& prefill) {
    fields.add("enabled", prefill.enabled).help("Whether the queue fills up ahead of a spike");
    fields.add("lookahead", prefill.lookahead)
        .range(0s, 24h)
        .help("How long before the spike of the plan it begins");
    fields.add("liftPct", prefill.lift_pct)
        .range(0, 1000)
        .unit("%")
        .help("How far the target is raised, but never above maxDepth");
}

void describe(FieldTable& fields, Backpressure& backpressure) {
    fields.add("queueAlias", backpressure.queue)
        .required()
        .check([](const std::string& text) -> Status {
            return text.empty() ? fail(Errc::invalid, {}) : Status{};
        })
        .expected("the alias of a queue")
        .help("The queue further on that must not fill up");
    fields.add("highDepth", backpressure.high_depth)
        .range(1, depth_max)
        .unit("items")
        .help("Above this both moderator and producers are slowed down");
    fields.add("recoveryDepth", backpressure.recovery_depth)
        .range(0, depth_max)
        .unit("items")
        .help("Below this both return");
    fields.add("moderatorReductionPct", backpressure.moderator_reduction_pct)
        .range(1, 90)
        .unit("%")
        .help("How much less the moderator lets pass, each decision anew");
    fields.rule([&backpressure]() -> Status {
        if (backpressure.recovery_depth < backpressure.high_depth) return {};
        return fail(
            Errc::invalid, fmt::format(
                               "recoveryDepth {} must be below highDepth {}",
                               backpressure.recovery_depth, backpressure.high_depth));
    });
}

void describe(FieldTable& fields, Settings& settings) {
    fields.add("enabled", settings.enabled).help("Whether the guard steers");
    fields.add("queueAlias", settings.queue)
        .required()
        .check([](const std::string& text) -> Status {
            return text.empty() ? fail(Errc::invalid, {}) : Status{};
        })
        .expected("the alias of a queue")
        .fixed()
        .help("The queue whose depth is kept");
    fields.add("targetDepth", settings.target_depth)
        .range(1, depth_max)
        .unit("items")
        .help("The depth it is kept at");
    fields.add("minDepth", settings.min_depth)
        .range(0, depth_max)
        .unit("items")
        .help("Below this the queue counts as too empty");
    fields.add("maxDepth", settings.max_depth)
        .range(1, depth_max)
        .unit("items")
        .help("Above this the queue counts as too full");
    fields.add("samplePeriod", settings.sample_period)
        .range(period_min, 1h)
        .help("How often the depth is read");
    fields.add("movingAverageWindow", settings.window)
        .range(1, window_max)
        .unit("samples")
        .help("Over how many samples the depth is averaged");
    fields.add("adjust", settings.adjust);
    fields.add("prefill", settings.prefill);
    fields.add("backpressure", settings.backpressure);
    fields.rule([&settings] { return bracket_upright(settings); });
    fields.rule([&settings] { return target_inside(settings); });
    fields.rule([&settings]() -> Status {
        if (!settings.backpressure || settings.backpressure->queue != settings.queue) return {};
        return fail(
            Errc::invalid,
            fmt::format(
                "backpressure.queueAlias must be a queue further on, not '{}' itself",
                settings.queue));
    });
}

} // namespace hive::guard
