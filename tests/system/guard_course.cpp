#include "tests/system/guard_course.hpp"

#include "kernel/duration.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hive::tests {
namespace {

constexpr const char* watch_queue = "ph.debug.guard-watch";
constexpr const char* raw = "ph.work.guarded.raw";
constexpr const char* behind = "ph.work.guarded.behind";

// Few at a time: what a bee has taken in no longer counts as waiting.
json::object gate_config(double rate) {
    return {
        {"mode", {{"type", "rate-per-sec"}, {"ratePerSec", rate}}},
        {"inputs", {{"rabbit", {{"prefetch", 16}}}}}};
}

json::object step_of(const Turn& turn, std::size_t number) {
    return {
        {"beeId", turn.bee},
        {"steps",
         json::array{json::object{
             {"stepId", fmt::format("turn-{}", number)},
             {"time", fmt::format("{}ms", std::llround(turn.at * 1000))},
             {"config", json::object{{"mode", json::object{{"ratePerSec", turn.rate}}}}}}}}};
}

bool in(const GuardStory::Span& span, double at) {
    return at >= span.from && at < span.to;
}

double number(const json::object& object, std::string_view name, double otherwise) {
    const auto* value = object.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : otherwise;
}

} // namespace

json::object bees_of(const GuardCourse& course) {
    const auto bee = [](std::string_view id, std::string_view role, json::object work) {
        return json::object{{"id", id}, {"role", role}, {"work", std::move(work)}};
    };
    const auto port = [](std::string_view name, std::string_view queue) {
        return json::object{{name, queue}};
    };
    json::object gen = bee("gen", "generator", {{"out", port("out", "raw")}});
    gen["config"] = json::object{
        {"inputs", json::object{{"scheduler", json::object{{"ratePerSec", course.consumption}}}}},
        {"message", json::object{{"bodyType", "SIMPLE"}, {"body", "x"}}}};
    const bool calls = !course.target_url.empty();
    if (calls) {
        gen["config"].as_object()["message"] = {
            {"bodyType", "HTTP"}, {"path", "/x"}, {"method", "GET"}, {"body", ""}};
    }
    json::object gate =
        bee("gate", "moderator", {{"in", port("in", "raw")}, {"out", port("out", "behind")}});
    gate["config"] = gate_config(course.consumption);
    json::object sink = bee("sink", "moderator", {{"in", port("in", "behind")}});
    sink["config"] = gate_config(course.sink);
    if (calls) sink["work"].as_object()["out"] = port("out", "calls");
    json::array bees{std::move(gen), std::move(gate), std::move(sink)};
    if (calls) {
        json::object caller = bee("caller", "processor", {{"in", port("in", "calls")}});
        caller["config"] = json::object{{"baseUrl", course.target_url}, {"threadCount", 4}};
        bees.push_back(std::move(caller));
    }
    return {{"bees", std::move(bees)}};
}

json::object plan_of(const GuardCourse& course) {
    json::object guard{
        {"enabled", true},
        {"queueAlias", "raw"},
        {"targetDepth", course.target},
        {"minDepth", course.low()},
        {"maxDepth", course.high()},
        {"samplePeriod", format_duration(course.period)},
        {"movingAverageWindow", 2},
        {"adjust",
         {{"strategy", course.strategy},
          {"maxIncreasePct", 100},
          {"maxDecreasePct", 50},
          {"minRatePerSec", course.consumption / 20},
          {"maxRatePerSec", course.consumption * 10}}}};
    if (course.backpressure) {
        guard["backpressure"] = {
            {"queueAlias", "behind"}, {"highDepth", 400}, {"recoveryDepth", 100}};
    }
    if (course.spike > 0) {
        guard["prefill"] = {{"enabled", true}, {"lookahead", "3s"}, {"liftPct", course.lift_pct}};
    }
    json::array turns;
    for (std::size_t i = 0; i < course.turns.size(); ++i) {
        turns.push_back(step_of(course.turns[i], i + 1));
    }
    json::object plan{{"trafficPolicy", {{"bufferGuard", std::move(guard)}}}};
    if (!turns.empty()) plan["bees"] = std::move(turns);
    if (course.spike > 0) {
        plan["swarm"] = json::array{json::object{
            {"stepId", "spike"},
            {"type", "spike"},
            {"duration", "1s"},
            {"time", fmt::format("{}ms", std::llround(course.spike * 1000))}}};
    }
    return plan;
}

double GuardStory::part_within(double part, double target, const Span& span) const {
    double all = 0;
    double good = 0;
    for (const Look& look : looks) {
        if (!in(span, look.at)) continue;
        ++all;
        good += std::abs(look.depth - target) <= part * target ? 1 : 0;
    }
    return all > 0 ? good / all : 0;
}

double GuardStory::settled_after(double part, double target, const Span& span) const {
    double last = span.from;
    for (const Look& look : looks) {
        if (in(span, look.at) && std::abs(look.depth - target) > part * target) last = look.at;
    }
    return last - span.from;
}

GuardStory::Look GuardStory::lowest(const Span& span) const {
    Look out{.depth = 1e300};
    for (const Look& look : looks) {
        if (in(span, look.at) && look.depth < out.depth) out = look;
    }
    return out;
}

GuardStory::Look GuardStory::highest(const Span& span) const {
    Look out{.depth = -1};
    for (const Look& look : looks) {
        if (in(span, look.at) && look.depth > out.depth) out = look;
    }
    return out;
}

double GuardStory::begun(const std::string& step) const {
    for (const Move& move : moves) {
        const auto* id = move.code == "plan.step" ? move.context.if_contains("stepId") : nullptr;
        if (id != nullptr && *id == json::value(step)) return move.at;
    }
    return -1;
}

double GuardStory::rate_at(double at) const {
    double rate = 0;
    for (const Move& move : moves) {
        if (move.code != "guard.rate") continue;
        if (move.at > at) return rate > 0 ? rate : number(move.context, "from", 0);
        rate = number(move.context, "to", rate);
    }
    return rate;
}

double GuardStory::least_factor() const {
    double least = 1;
    for (const Move& move : moves) least = std::min(least, number(move.context, "factor", 1));
    return least;
}

GuardWatch::GuardWatch(std::unique_ptr<bus::Connection> connection, const Clock& clock)
    : clock_{clock}, start_{clock.now()}, connection_{std::move(connection)} {
    const std::string exchange{wire::control_exchange};
    const auto declared = connection_->topology().declare(
        {.exchanges = {{exchange}},
         .queues = {{.name = watch_queue}},
         .bindings = {{exchange, "event.alert.#", watch_queue}}});
    auto subscription = connection_->control().consume(
        watch_queue,
        [this](bus::ControlDelivery delivery) {
            const auto envelope = wire::decode_envelope(delivery.message().body);
            delivery.ack();
            const auto* alert = envelope ? std::get_if<wire::Alert>(&envelope->body) : nullptr;
            if (alert == nullptr) return;
            const std::lock_guard lock{mutex_};
            moves_.push_back(
                {now(), alert->code, alert->context ? *alert->context : json::object{}});
        },
        256);
    if (!declared || !subscription) throw std::runtime_error{"nobody can listen to the alerts"};
    subscription_ = *std::move(subscription);
}

GuardWatch::~GuardWatch() {
    subscription_.reset();
    static_cast<void>(connection_->topology().remove_queue(watch_queue));
}

double GuardWatch::now() const {
    return std::chrono::duration<double>(clock_.now() - start_).count();
}

GuardStory GuardWatch::watch(double seconds, Duration each) {
    GuardStory story;
    TimePoint next = clock_.now();
    for (const double end = now() + seconds; now() < end;) {
        const auto depth = connection_->topology().inspect(raw);
        const auto further = connection_->topology().inspect(behind);
        if (depth && further) {
            story.looks.push_back(
                {now(), static_cast<double>(depth->depth), static_cast<double>(further->depth)});
        }
        next = std::max(next + each, clock_.now());
        std::this_thread::sleep_until(
            std::chrono::steady_clock::time_point{next.time_since_epoch()});
    }
    const std::lock_guard lock{mutex_};
    story.moves = moves_;
    return story;
}

} // namespace hive::tests
