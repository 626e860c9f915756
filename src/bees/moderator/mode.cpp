#include "bees/moderator/mode.hpp"

#include "pace/shape_json.hpp"
#include "pace/shapes.hpp"

#include <array>

namespace hive::bees {
namespace {

// The one member that counts, in the spelling that every shape has.
json::object written(const ModeConfig& mode, const json::value& member) {
    const std::string_view name = name_of(mode.type);
    json::object out{{"type", name}};
    if (!member.is_null()) out[name] = member;
    return out;
}

Status check(const ModeConfig& mode) {
    if (mode.jitter.kind == worker::JitterKind::periodic) {
        return fail(
            Errc::invalid, "jitter.type PERIODIC is for schedules; items come to a moderator when "
                           "they come: use SEQUENCE");
    }
    const auto shape = shape_of(mode);
    return shape ? Status{} : fail(shape.error());
}

} // namespace

std::span<const Named<ModeType>> names_of(ModeType) {
    static constexpr std::array names{
        Named<ModeType>{"pass-through", ModeType::pass_through},
        Named<ModeType>{"rate-per-sec", ModeType::rate_per_sec},
        Named<ModeType>{"sine", ModeType::sine},
        Named<ModeType>{"ramp", ModeType::ramp},
        Named<ModeType>{"steps", ModeType::steps},
        Named<ModeType>{"pattern", ModeType::pattern}};
    return names;
}

std::string_view name_of(ModeType type) {
    for (const auto& named : names_of(type)) {
        if (named.value == type) return named.name;
    }
    return "";
}

void describe(FieldTable& fields, SineConfig& sine) {
    fields.add("minRatePerSec", sine.min_rate)
        .range(0, pace::rate_max)
        .unit("1/s")
        .help("At the trough");
    fields.add("maxRatePerSec", sine.max_rate)
        .range(0, pace::rate_max)
        .unit("1/s")
        .help("At the crest");
    fields.add("periodSeconds", sine.period_seconds).range(0.001, 1e7).unit("s").help("Of a wave");
    fields.add("phaseOffsetSeconds", sine.phase_seconds)
        .range(0, 1e7)
        .unit("s")
        .help("How far into the wave it begins");
    fields.rule([&sine]() -> Status {
        if (sine.min_rate <= sine.max_rate) return {};
        return fail(Errc::invalid, "minRatePerSec is above maxRatePerSec");
    });
}

void describe(FieldTable& fields, ModeConfig& mode) {
    fields.add("type", mode.type).help("How items are let through");
    fields.add("ratePerSec", mode.rate_per_sec)
        .range(0, pace::rate_max)
        .unit("1/s")
        .help("With rate-per-sec; 0 stops");
    fields.add("burst", mode.burst)
        .range(1, 1e6)
        .help("How many may pass at once after a time without any");
    fields.add("admitPct", mode.admit_pct)
        .range(0, 100)
        .unit("%")
        .help("How much of its rate it lets pass; buffer guards lower it under backpressure");
    fields.add("sine", mode.sine);
    fields.add("ramp", mode.ramp).help("With ramp: from, to (1/s) and over, like 30s");
    fields.add("steps", mode.steps)
        .help("With steps: a list of ratePerSec and lasts; after: hold, repeat or stop");
    fields.add("pattern", mode.pattern)
        .help("With pattern: baseRatePerSec, segments with mutators, normalisation, spikes");
    fields.add("jitter", mode.jitter);
    fields.add("seed", mode.seed).help("Of the jitter; none: that of the bee");
    fields.rule([&mode] { return check(mode); });
}

namespace {

Result<pace::Shape> whole_shape_of(const ModeConfig& mode) {
    switch (mode.type) {
    case ModeType::pass_through:
    case ModeType::rate_per_sec: return pace::constant(mode.rate_per_sec);
    case ModeType::sine:
        return pace::sine(
            {.min = mode.sine.min_rate,
             .max = mode.sine.max_rate,
             .period = pace::from_seconds(mode.sine.period_seconds),
             .phase = pace::from_seconds(mode.sine.phase_seconds)});
    case ModeType::ramp: return pace::read_shape(written(mode, mode.ramp));
    case ModeType::steps: return pace::read_shape(written(mode, mode.steps));
    case ModeType::pattern: return pace::read_shape(written(mode, mode.pattern));
    }
    return pace::constant(0);
}

} // namespace

Result<pace::Shape> shape_of(const ModeConfig& mode) {
    auto shape = whole_shape_of(mode);
    if (!shape || mode.admit_pct == 100) return shape;
    return shape->scaled(mode.admit_pct / 100);
}

std::optional<pace::Pattern> pattern_of(const ModeConfig& mode) {
    if (mode.type != ModeType::pattern) return std::nullopt;
    auto pattern = pace::read_pattern(mode.pattern);
    return pattern ? std::optional{*std::move(pattern)} : std::nullopt;
}

} // namespace hive::bees
