#include "telemetry/summary_json.hpp"

#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace hive::telemetry {
namespace {

json::object latencies_json(const Latencies& l) {
    return {{"p50", l.p50},   {"p90", l.p90}, {"p95", l.p95},  {"p99", l.p99},
            {"p999", l.p999}, {"max", l.max}, {"mean", l.mean}};
}

json::object calls_json(const std::map<std::string, Summary::Call>& calls) {
    json::object out;
    for (const auto& [name, call] : calls) {
        json::object one{
            {"total", call.total},
            {"failed", call.failed},
            {"latencyUs", latencies_json(call.latency_us)},
            {"latencyFromDueUs", latencies_json(call.latency_from_due_us)}};
        if (call.upper_bound) one["upperBound"] = true;
        out[name] = std::move(one);
    }
    return out;
}

json::value rate_json(const std::optional<double>& rate) {
    return rate ? json::value(*rate) : json::value(nullptr);
}

json::object find_max_json(const Summary::FindMax& found) {
    json::array steps;
    for (const auto& step : found.steps) {
        json::object one{
            {"ratePerSec", step.rate_per_sec},
            {"achievedPerSec", step.achieved_per_sec},
            {"p50Us", step.p50_us},
            {"p99Us", step.p99_us},
            {"errorRate", step.error_rate},
            {"ok", step.ok}};
        if (!step.broken.empty()) one["broken"] = step.broken;
        steps.push_back(std::move(one));
    }
    return {
        {"ratePerSec", rate_json(found.rate_per_sec)},
        {"tooMuchPerSec", rate_json(found.too_much_per_sec)},
        {"steps", std::move(steps)}};
}

json::array bees_json(const std::vector<Summary::Bee>& bees) {
    json::array out;
    for (const auto& bee : bees) {
        out.push_back(json::object{
            {"role", bee.role},
            {"instance", bee.instance},
            {"processed", bee.processed},
            {"failed", bee.failed}});
    }
    return out;
}

json::array thresholds_json(const std::vector<Summary::Judged>& thresholds) {
    json::array out;
    for (const auto& judged : thresholds) {
        json::value value;
        if (judged.value) value = *judged.value;
        out.push_back(
            json::object{{"expr", judged.expr}, {"value", std::move(value)}, {"ok", judged.ok}});
    }
    return out;
}

constexpr double window_sec_max = 86'400;

struct Column {
    std::string_view name;
    double SeriesPoint::* value;
};
constexpr std::array series_columns{
    Column{"plannedPerSec", &SeriesPoint::planned_per_sec},
    Column{"ratePerSec", &SeriesPoint::done_per_sec},
    Column{"failedPerSec", &SeriesPoint::failed_per_sec},
    Column{"p50Us", &SeriesPoint::p50_us},
    Column{"p99Us", &SeriesPoint::p99_us},
};

json::object series_json(const Series& series) {
    json::object out{{"windowSec", series.window_sec}};
    for (const Column& column : series_columns) {
        json::array values;
        values.reserve(series.points.size());
        for (const SeriesPoint& point : series.points) values.emplace_back(point.*column.value);
        out[column.name] = std::move(values);
    }
    return out;
}

// Reads members of one object. The first problem is kept; what comes after it is not believed.
class Members {
public:
    Members(const json::value& value, std::string path, std::optional<Error>& problem)
        : path_{std::move(path)}, problem_{problem} {
        object_ = value.if_object();
        if (!object_) note("", "must be an object");
    }

    std::string text(std::string_view name) {
        const json::value* value = need(name);
        if (value && value->is_string()) return std::string{value->get_string()};
        if (value) note(name, "must be a string");
        return {};
    }
    std::uint64_t count(std::string_view name) {
        const json::value* value = need(name);
        if (!value) return 0;
        if (value->is_uint64()) return value->get_uint64();
        if (value->is_int64() && value->get_int64() >= 0)
            return static_cast<std::uint64_t>(value->get_int64());
        note(name, "must be a whole number, 0 or more");
        return 0;
    }
    double number(std::string_view name) {
        const json::value* value = need(name);
        if (value && value->is_number()) return value->to_number<double>();
        if (value) note(name, "must be a number");
        return 0;
    }
    bool flag(std::string_view name) {
        const json::value* value = need(name);
        if (value && value->is_bool()) return value->get_bool();
        if (value) note(name, "must be true or false");
        return false;
    }
    Timestamp time(std::string_view name) {
        const std::string written = text(name);
        if (problem_) return {};
        const auto parsed = parse_timestamp(written);
        if (!parsed) note(name, parsed.error().detail);
        return parsed.value_or(Timestamp{});
    }
    Members object(std::string_view name) {
        const json::value* value = need(name);
        return {value ? *value : empty_object(), path_of(name), problem_};
    }
    template <class Visit>
    void each_member(std::string_view name, const Visit& visit) {
        const json::value* value = need(name);
        if (!value) return;
        const auto* members = value->if_object();
        if (!members) return note(name, "must be an object");
        for (const auto& [key, member] : *members) {
            visit(std::string{key}, member, path_of(name) + '.' + std::string{key});
        }
    }
    template <class Visit>
    void each_item(std::string_view name, const Visit& visit) {
        const json::value* value = need(name);
        if (!value) return;
        const auto* items = value->if_array();
        if (!items) return note(name, "must be a list");
        for (std::size_t i = 0; i < items->size(); ++i)
            visit((*items)[i], fmt::format("{}[{}]", path_of(name), i));
    }
    bool has(std::string_view name) const { return object_ && object_->contains(name); }
    const json::value* need(std::string_view name) {
        const json::value* value = object_ ? object_->if_contains(name) : nullptr;
        if (!value) note(name, "is missing");
        return value;
    }
    void note(std::string_view name, std::string_view why) {
        if (problem_) return;
        problem_ = Error{Errc::invalid, fmt::format("summary: {} {}", path_of(name), why)};
    }

private:
    static const json::value& empty_object() {
        static const json::value empty{json::object{}};
        return empty;
    }
    std::string path_of(std::string_view name) const {
        if (name.empty()) return path_.empty() ? "the document" : path_;
        return path_.empty() ? std::string{name} : fmt::format("{}.{}", path_, name);
    }

    const json::object* object_ = nullptr;
    std::string path_;
    std::optional<Error>& problem_;
};

Latencies latencies_from(Members in) {
    return {
        .p50 = in.number("p50"),
        .p90 = in.number("p90"),
        .p95 = in.number("p95"),
        .p99 = in.number("p99"),
        .p999 = in.number("p999"),
        .max = in.number("max"),
        .mean = in.number("mean")};
}

void read_lists(Members& in, Summary& out, std::optional<Error>& problem) {
    in.each_member("queues", [&](const std::string& name, const json::value& v, std::string path) {
        Members queue{v, std::move(path), problem};
        out.queues[name] = {queue.count("maxDepth"), queue.count("endDepth")};
    });
    in.each_item("bees", [&](const json::value& v, std::string path) {
        Members bee{v, std::move(path), problem};
        out.bees.push_back(
            {bee.text("role"), bee.text("instance"), bee.count("processed"), bee.count("failed")});
    });
    in.each_item("thresholds", [&](const json::value& v, std::string path) {
        Members judged{v, std::move(path), problem};
        Summary::Judged line{.expr = judged.text("expr"), .ok = judged.flag("ok")};
        const json::value* value = judged.need("value");
        if (value && !value->is_null()) line.value = judged.number("value");
        out.thresholds.push_back(std::move(line));
    });
}

std::map<std::string, Summary::Call>
calls_from(Members& in, std::string_view member, std::optional<Error>& problem) {
    std::map<std::string, Summary::Call> out;
    if (!in.has(member)) return out;
    in.each_member(member, [&](const std::string& name, const json::value& v, std::string path) {
        Members call{v, std::move(path), problem};
        out[name] = {
            .total = call.count("total"),
            .failed = call.count("failed"),
            .latency_us = latencies_from(call.object("latencyUs")),
            .latency_from_due_us = latencies_from(call.object("latencyFromDueUs")),
            .upper_bound = call.has("upperBound") && call.flag("upperBound")};
    });
    return out;
}

Summary::FindMax find_max_from(Members in, std::optional<Error>& problem) {
    Summary::FindMax out;
    const auto rate = [&](std::string_view name) -> std::optional<double> {
        const json::value* value = in.need(name);
        return value && !value->is_null() ? std::optional{in.number(name)} : std::nullopt;
    };
    out.rate_per_sec = rate("ratePerSec");
    out.too_much_per_sec = rate("tooMuchPerSec");
    in.each_item("steps", [&](const json::value& v, std::string path) {
        Members step{v, std::move(path), problem};
        out.steps.push_back(
            {.rate_per_sec = step.number("ratePerSec"),
             .achieved_per_sec = step.number("achievedPerSec"),
             .p50_us = step.number("p50Us"),
             .p99_us = step.number("p99Us"),
             .error_rate = step.number("errorRate"),
             .ok = step.flag("ok"),
             .broken = step.has("broken") ? step.text("broken") : ""});
    });
    return out;
}

// Every column has a value for each window, or none of them could be believed.
void read_series(Members in, Series& out, std::optional<Error>& problem) {
    out.window_sec = in.number("windowSec");
    if (!problem && !(out.window_sec > 0 && out.window_sec <= window_sec_max))
        in.note("windowSec", "must be more than 0 and at most a day");
    bool first = true;
    for (const Column& column : series_columns) {
        std::size_t at = 0;
        in.each_item(column.name, [&](const json::value& value, const std::string&) {
            if (problem) return;
            if (at == series_points_max)
                return in.note(column.name, fmt::format("has more than {} values", at));
            const double number = value.is_number() ? value.to_number<double>() : -1;
            if (!(number >= 0))
                in.note(fmt::format("{}[{}]", column.name, at), "must be a number, 0 or more");
            if (first) out.points.emplace_back();
            if (at < out.points.size()) out.points[at].*column.value = number;
            ++at;
        });
        if (at != out.points.size()) in.note(column.name, "must be as long as the other columns");
        first = false;
    }
}

void read_requests(Members in, Summary::Requests& out, std::optional<Error>& problem) {
    out.total = in.count("total");
    out.failed = in.count("failed");
    out.rate_per_sec = in.number("ratePerSec");
    in.each_member(
        "byStatus", [&](const std::string& name, const json::value& v, const std::string&) {
            const json::value wrapped{{"count", v}};
            out.by_status[name] = Members{wrapped, "requests.byStatus", problem}.count("count");
        });
}

json::object without_series(const Summary& s) {
    json::object by_status;
    for (const auto& [status, count] : s.requests.by_status) by_status[status] = count;
    json::object queues;
    for (const auto& [name, queue] : s.queues) {
        queues[name] = json::object{{"maxDepth", queue.max_depth}, {"endDepth", queue.end_depth}};
    }
    return {
        {"schema", summary_schema},
        {"scenario", s.scenario},
        {"swarmId", s.swarm_id},
        {"startedAt", format_timestamp(s.started_at)},
        {"durationSec", s.duration_sec},
        {"load",
         json::object{
             {"planned", s.load.planned},
             {"sent", s.load.sent},
             {"dropped", s.load.dropped},
             {"ratePerSec", s.load.rate_per_sec},
             {"maxScheduleLagUs", s.load.max_schedule_lag_us}}},
        {"requests",
         json::object{
             {"total", s.requests.total},
             {"failed", s.requests.failed},
             {"ratePerSec", s.requests.rate_per_sec},
             {"byStatus", std::move(by_status)}}},
        {"latencyUs", latencies_json(s.latency_us)},
        {"latencyFromDueUs", latencies_json(s.latency_from_due_us)},
        {"bytes", json::object{{"sent", s.bytes.sent}, {"received", s.bytes.received}}},
        {"queues", std::move(queues)},
        {"bees", bees_json(s.bees)},
        {"thresholds", thresholds_json(s.thresholds)},
        {"process",
         json::object{{"cpuSec", s.process.cpu_sec}, {"peakRssBytes", s.process.peak_rss_bytes}}},
        {"calls", calls_json(s.calls)}};
}

} // namespace

json::object to_json(const Summary& s) {
    json::object out = without_series(s);
    if (!s.dimensions.empty()) out["dimensions"] = calls_json(s.dimensions);
    if (!s.series.points.empty()) out["series"] = series_json(s.series);
    if (s.find_max) out["findMax"] = find_max_json(*s.find_max);
    return out;
}

Result<Summary> summary_from_json(const json::value& document) {
    std::optional<Error> problem;
    Members in{document, "", problem};
    if (const std::string schema = in.text("schema"); !problem && schema != summary_schema)
        in.note("schema", fmt::format("must be '{}'", summary_schema));
    Summary out{
        .scenario = in.text("scenario"),
        .swarm_id = in.text("swarmId"),
        .started_at = in.time("startedAt"),
        .duration_sec = in.number("durationSec")};
    Members load = in.object("load");
    out.load = {
        load.count("planned"), load.count("sent"), load.count("dropped"), load.number("ratePerSec"),
        load.number("maxScheduleLagUs")};
    read_requests(in.object("requests"), out.requests, problem);
    out.latency_us = latencies_from(in.object("latencyUs"));
    out.latency_from_due_us = latencies_from(in.object("latencyFromDueUs"));
    Members bytes = in.object("bytes");
    out.bytes = {bytes.count("sent"), bytes.count("received")};
    Members process = in.object("process");
    out.process = {process.number("cpuSec"), process.count("peakRssBytes")};
    read_lists(in, out, problem);
    out.calls = calls_from(in, "calls", problem);
    out.dimensions = calls_from(in, "dimensions", problem);
    if (in.has("series")) read_series(in.object("series"), out.series, problem);
    if (in.has("findMax")) out.find_max = find_max_from(in.object("findMax"), problem);
    if (problem) return fail(*problem);
    return out;
}

} // namespace hive::telemetry
