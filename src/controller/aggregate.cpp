// The swarm as one status.
#include "controller/step.hpp"
#include "kernel/timestamp.hpp"

#include <algorithm>
#include <map>

namespace hive::controller {
namespace {

bool healthy(const Bee& bee) {
    return bee.contact == Contact::fresh || bee.contact == Contact::asked;
}

std::int64_t seconds(Duration time) {
    return std::chrono::duration_cast<std::chrono::seconds>(time).count();
}

json::object totals_of(const State& state) {
    const auto count = [&](auto&& property) { return std::ranges::count_if(state.bees, property); };
    const auto enabled = count([](const Bee& bee) { return bee.enabled; });
    return {
        {"total", state.bees.size()},
        {"healthy", count(healthy)},
        {"running", count([](const Bee& bee) { return bee.enabled && healthy(bee); })},
        {"enabled", enabled}};
}

std::string why_unwell(const State& state) {
    if (state.bees.empty()) return "there are no bees yet";
    std::string why;
    for (const Bee& bee : state.bees) {
        if (healthy(bee)) continue;
        if (!why.empty()) why += "; ";
        why += bee.spec.instance.text();
        if (!bee.trouble.empty()) {
            why += ": " + bee.trouble;
        } else {
            why += bee.contact == Contact::never ? " has not reported" : " is silent";
        }
    }
    return why;
}

// What moves all the time and is small enough for every status: items a second by bee, all its
// replicas together, and what waits by queue.
void put_figures(json::object& context, const State& state) {
    if (!state.bees.empty()) {
        std::map<std::string_view, std::int64_t> by_bee;
        for (const Bee& bee : state.bees) by_bee[bee.spec.bee] += bee.tps;
        json::object rates;
        for (const auto& [bee, rate] : by_bee) rates[bee] = rate;
        context["rates"] = std::move(rates);
    }
    json::object depths;
    for (const auto& [name, depth] : state.queues) {
        if (depth) depths[name] = depth->depth;
    }
    if (!depths.empty()) context["depths"] = std::move(depths);
}

// What is behind the watermark is reflected here: the oldest of the newest statuses.
json::object context_of(const Step& step) {
    const State& state = step.state;
    json::object context = gating_flags(state);
    Duration staleness{0};
    Timestamp watermark = step.moment.wall;
    for (const Bee& bee : state.bees) {
        if (bee.contact == Contact::never) continue;
        staleness = std::max(staleness, step.moment.now - bee.heard_at);
        watermark = std::min(watermark, bee.said_at);
    }
    context["health"] = state.health;
    if (state.health != "Healthy") context["healthReason"] = why_unwell(state);
    context["totals"] = totals_of(state);
    context["watermark"] = format_timestamp(watermark);
    context["maxStalenessSec"] = seconds(staleness);
    put_figures(context, state);
    context["life"] = state.life;
    context["accepted"] = state.accepted;
    if (!state.timeline.plan().empty()) {
        context["planProgress"] = plan::to_json(state.timeline.progress(step.moment.now));
    }
    if (!state.guards.empty()) context["bufferGuards"] = guards_status(step);
    context["controller"] = json::object{{"enabled", !state.paused}};
    if (!state.errors.empty()) {
        json::array errors;
        for (const ErrorSummary& error : state.errors) {
            errors.push_back(json::object{
                {"subject", error.subject},
                {"reason", error.reason},
                {"correlationId", error.correlation_id}});
        }
        context["recentErrors"] = std::move(errors);
    }
    return context;
}

std::string_view name_of(Contact contact) {
    switch (contact) {
    case Contact::never: return "unknown";
    case Contact::fresh:
    case Contact::asked: return "healthy";
    case Contact::stale: return "stale";
    }
    return "unknown";
}

json::array workers_of(const State& state) {
    json::array workers;
    for (const Bee& bee : state.bees) {
        json::object worker{
            {"role", bee.spec.role.text()},   {"instance", bee.spec.instance.text()},
            {"beeId", bee.spec.bee},          {"health", name_of(bee.contact)},
            {"enabled", bee.enabled},         {"tps", bee.tps},
            {"configured", bee.acknowledged}, {"restarts", bee.restarts}};
        if (bee.contact != Contact::never) worker["lastSeen"] = format_timestamp(bee.said_at);
        if (bee.started_at != Timestamp{}) worker["startedAt"] = format_timestamp(bee.started_at);
        if (!bee.trouble.empty()) worker["trouble"] = bee.trouble;
        workers.push_back(std::move(worker));
    }
    return workers;
}

} // namespace

void say_full(Step& step) {
    auto context = context_of(step);
    context["workers"] = workers_of(step.state);
    if (!step.state.bees.empty()) {
        context["bindings"] = runtime_bindings(step.state.swarm, step.state.layout);
    }
    if (!step.state.queues.empty()) context["queueStats"] = queue_stats(step.state);
    step.publish(wire::Envelope::status(
        step.sender(), step.self(),
        wire::StatusFull{
            .enabled = step.state.phase == Phase::running,
            .started_at = step.state.started_at,
            .io = {.control = step.state.control_wiring},
            .context = std::move(context)}));
    step.state.next_delta = step.moment.now + step.settings.delta_every;
}

void say_delta(Step& step) {
    step.publish(wire::Envelope::status(
        step.sender(), step.self(),
        wire::StatusDelta{
            .enabled = step.state.phase == Phase::running, .context = context_of(step)}));
    step.state.next_delta = step.moment.now + step.settings.delta_every;
}

void judge_health(Step& step) {
    State& state = step.state;
    const auto well = static_cast<std::size_t>(std::ranges::count_if(state.bees, healthy));
    const char* health = "Degraded";
    if (well == 0) health = "Unknown";
    if (well == state.bees.size() && well > 0) health = "Healthy";
    if (state.health == health) return;
    state.health = health;
    step.changed = true;
}

} // namespace hive::controller
