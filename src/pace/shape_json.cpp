#include "pace/shape_json.hpp"

#include "kernel/duration.hpp"
#include "kernel/text.hpp"
#include "pace/shapes.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hive::pace {
namespace {

// Reads the members of one object. The first problem is kept; what comes after it is not believed.
// A member that nobody asked for is a problem as well.
class Members {
public:
    Members(const json::value* value, std::string path, std::optional<Error>& problem)
        : path_{std::move(path)}, problem_{problem} {
        if (value == nullptr) return;
        object_ = value->if_object();
        if (object_ == nullptr) note("", "must be an object");
    }

    double number(std::string_view name, std::optional<double> otherwise = {}) {
        const json::value* value = find(name, !otherwise);
        if (value == nullptr) return otherwise.value_or(0);
        if (value->is_number()) return value->to_number<double>();
        note(name, "must be a number");
        return 0;
    }
    std::uint64_t count(std::string_view name, std::uint64_t otherwise) {
        const json::value* value = find(name, false);
        if (value == nullptr) return otherwise;
        boost::system::error_code wrong;
        const auto whole = value->to_number<std::uint64_t>(wrong);
        if (wrong) note(name, "must be a whole number, 0 or more");
        return whole;
    }
    Duration duration(std::string_view name, std::optional<Duration> otherwise = {}) {
        const json::value* value = find(name, !otherwise);
        if (value == nullptr) return otherwise.value_or(Duration{});
        const auto parsed = value->is_string()
                                ? parse_duration(std::string_view{value->get_string()})
                                : Result<Duration>{fail(Errc::invalid, {})};
        if (!parsed) note(name, "must be a duration like \"30s\"");
        return parsed.value_or(Duration{});
    }
    std::string text(std::string_view name, const std::optional<std::string>& otherwise = {}) {
        const json::value* value = find(name, !otherwise);
        if (value == nullptr) return otherwise.value_or("");
        if (value->is_string()) return std::string{value->get_string()};
        note(name, "must be a string");
        return {};
    }
    bool flag(std::string_view name) {
        const json::value* value = find(name, false);
        if (value == nullptr) return false;
        if (value->is_bool()) return value->get_bool();
        note(name, "must be true or false");
        return false;
    }
    Members object(std::string_view name, bool needed) {
        return {find(name, needed), path_of(name), problem_};
    }
    void each(std::string_view name, const std::function<void(Members&)>& visit, bool needed) {
        const json::value* value = find(name, needed);
        if (value == nullptr) return;
        const auto* list = value->if_array();
        if (list == nullptr) return note(name, "must be a list");
        for (std::size_t i = 0; i < list->size() && !problem_; ++i) {
            Members item{&(*list)[i], fmt::format("{}[{}]", path_of(name), i), problem_};
            visit(item);
            item.close();
        }
    }
    bool has(std::string_view name) const { return object_ != nullptr && object_->contains(name); }
    template <class T>
    T choice(
        std::string_view name, const std::vector<std::pair<std::string_view, T>>& known,
        const std::optional<std::string>& otherwise = {}) {
        const std::string word = text(name, otherwise);
        std::vector<std::string_view> words;
        for (const auto& [spelled, value] : known) {
            if (word == spelled) return value;
            words.push_back(spelled);
        }
        note(name, fmt::format("must be one of {}", fmt::join(words, ", ")));
        return known.front().second;
    }
    void close() {
        if (object_ == nullptr || problem_) return;
        for (const auto& member : *object_) {
            const std::string_view key = member.key();
            if (std::ranges::find(asked_, key) != asked_.end()) continue;
            const auto meant = nearest(key, asked_);
            return note(
                printable(key),
                meant ? fmt::format("is unknown; did you mean '{}'?", *meant)
                      : fmt::format("is unknown; known: {}", fmt::join(asked_, ", ")));
        }
    }
    void note(std::string_view name, std::string_view why) {
        if (!problem_) problem_ = Error{Errc::invalid, fmt::format("{} {}", path_of(name), why)};
    }

private:
    const json::value* find(std::string_view name, bool needed) {
        asked_.push_back(name);
        const json::value* value = object_ ? object_->if_contains(name) : nullptr;
        if (value == nullptr && needed) note(name, "is missing");
        return value;
    }
    std::string path_of(std::string_view name) const {
        return name.empty() ? path_ : fmt::format("{}.{}", path_, name);
    }

    const json::object* object_ = nullptr;
    std::string path_;
    std::optional<Error>& problem_;
    std::vector<std::string_view> asked_{};
};

Mode mode_of(Members& in) {
    enum class Kind : std::uint8_t { flat, ramp, sinus, duty };
    const auto kind = in.choice<Kind>(
        "mode",
        {{"flat", Kind::flat}, {"ramp", Kind::ramp}, {"sinus", Kind::sinus}, {"duty", Kind::duty}});
    switch (kind) {
    case Kind::flat: return FlatMode{in.number("level", 1.0)};
    case Kind::ramp: return RampMode{in.number("from"), in.number("to")};
    case Kind::sinus:
        return SinusMode{
            in.number("min"), in.number("max"), in.duration("period"),
            in.duration("phase", Duration{})};
    case Kind::duty:
        return DutyMode{
            in.number("high", 1.0), in.number("low", 0.0), in.duration("on"), in.duration("off")};
    }
    return FlatMode{};
}

Mutator mutator_of(Members& in) {
    enum class Kind : std::uint8_t { cap, burst, noise };
    const auto kind = in.choice<Kind>(
        "type", {{"cap", Kind::cap}, {"burst", Kind::burst}, {"noise", Kind::noise}});
    switch (kind) {
    case Kind::cap: return Cap{in.number("max")};
    case Kind::burst:
        return Burst{in.duration("every"), in.duration("width"), in.number("liftPct")};
    case Kind::noise:
        return Noise{
            in.number("pct"), in.duration("every", std::chrono::seconds{1}), in.count("seed", 1)};
    }
    return Cap{};
}

Segment segment_of(Members& in) {
    Segment out{.id = in.text("id", ""), .mode = mode_of(in)};
    if (in.has("lasts")) out.lasts = in.duration("lasts");
    if (in.has("share")) out.share = in.number("share");
    in.each("mutators", [&](Members& m) { out.mutators.push_back(mutator_of(m)); }, false);
    out.transition = in.choice<Transition>(
        "transition",
        {{"none", Transition::none},
         {"linear", Transition::linear},
         {"smooth", Transition::smooth}},
        "none");
    out.transition_over = in.duration("transitionOver", Duration{});
    return out;
}

Pattern pattern_of(Members in) {
    Pattern out{
        .base_rate = in.number("baseRatePerSec"),
        .cycle = in.duration("cycle", Duration{}),
        .cycles = in.count("cycles", 0)};
    in.each("segments", [&](Members& s) { out.segments.push_back(segment_of(s)); }, true);
    Members normal = in.object("normalisation", false);
    out.normalisation = {normal.flag("enabled"), normal.number("tolerancePct", 0.0)};
    normal.close();
    in.each(
        "spikes",
        [&](Members& s) {
            out.spikes.push_back({s.duration("at"), s.duration("width"), s.number("liftPct")});
        },
        false);
    in.close();
    return out;
}

// Seconds as a number, which is how the first generation writes a sine.
Duration seconds_of(Members& in, std::string_view name, double otherwise) {
    const double value = in.number(name, otherwise);
    if (value >= 0 && value <= seconds(length_max)) return from_seconds(value);
    in.note(name, "must be from 0 to 400 days of seconds");
    return {};
}

Result<Shape> sine_of(Members in, const std::optional<Error>& problem) {
    const Sine read{
        .min = in.number("minRatePerSec"),
        .max = in.number("maxRatePerSec"),
        .period = seconds_of(in, "periodSeconds", 60),
        .phase = seconds_of(in, "phaseOffsetSeconds", 0)};
    in.close();
    return problem ? fail(*problem) : sine(read);
}

Result<Shape> ramp_of(Members in, const std::optional<Error>& problem) {
    const Ramp read{in.number("from"), in.number("to"), in.duration("over")};
    in.close();
    return problem ? fail(*problem) : ramp(read);
}

Result<Shape> steps_of(Members in, const std::optional<Error>& problem) {
    const auto after = in.choice<After>(
        "after", {{"hold", After::hold}, {"repeat", After::repeat}, {"stop", After::stop}}, "hold");
    std::vector<Step> list;
    in.each(
        "list", [&](Members& s) { list.push_back({s.number("ratePerSec"), s.duration("lasts")}); },
        true);
    in.close();
    return problem ? fail(*problem) : steps(list, after);
}

} // namespace

Result<Pattern> read_pattern(const json::value& pattern) {
    std::optional<Error> problem;
    Pattern out = pattern_of({&pattern, "pattern", problem});
    if (problem) return fail(*problem);
    return out;
}

Result<Shape> read_shape(const json::value& mode, std::string_view name) {
    enum class Kind : std::uint8_t { rate, sine, ramp, steps, pattern };
    std::optional<Error> problem;
    Members in{&mode, std::string{name}, problem};
    const auto kind = in.choice<Kind>(
        "type", {{"rate-per-sec", Kind::rate},
                 {"sine", Kind::sine},
                 {"ramp", Kind::ramp},
                 {"steps", Kind::steps},
                 {"pattern", Kind::pattern}});
    if (problem) return fail(*problem);
    switch (kind) {
    case Kind::rate: {
        const double rate = in.number("ratePerSec");
        return problem ? fail(*problem) : constant(rate);
    }
    case Kind::sine: return sine_of(in.object("sine", true), problem);
    case Kind::ramp: return ramp_of(in.object("ramp", true), problem);
    case Kind::steps: return steps_of(in.object("steps", true), problem);
    case Kind::pattern: {
        const Pattern pattern = pattern_of(in.object("pattern", true));
        if (problem) return fail(*problem);
        auto shape = shape_of(pattern);
        if (shape) return shape;
        return fail(shape.error().code, fmt::format("{}.pattern.{}", name, shape.error().detail));
    }
    }
    return constant(0);
}

} // namespace hive::pace
