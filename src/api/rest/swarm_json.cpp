#include "api/rest/swarm_json.hpp"

#include "api/rest/schemas.hpp"
#include "kernel/timestamp.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace hive::rest {
namespace {

using orchestrator::Phase;
using orchestrator::Severity;
using orchestrator::Swarm;
using orchestrator::SwarmReport;
using orchestrator::Wish;

json::value member(const json::object& object, std::string_view name) {
    const auto* found = object.if_contains(name);
    return found == nullptr ? json::value{} : *found;
}

bool is_stale(const SwarmReport& report, const Freshness& fresh) {
    return !report.aggregate_at || fresh.now - *report.aggregate_at > fresh.stale_after;
}

std::string_view health_of(const SwarmReport& report, bool stale) {
    const auto* health = report.aggregate.if_contains("health");
    // What a silent controller said last is no news.
    if (stale || health == nullptr || !health->is_string()) return "Unknown";
    return health->get_string();
}

// What the busiest bee handles a second, all its replicas together: each item passes every bee, so
// a sum over bees would count it several times.
double rate_of(const SwarmReport& report) {
    const auto rates = member(report.aggregate, "rates");
    if (!rates.is_object()) return 0;
    double most = 0;
    for (const auto& [bee, rate] : rates.get_object()) {
        if (rate.is_number()) most = std::max(most, rate.to_number<double>());
    }
    return most;
}

json::object creation_of(const Swarm& swarm) {
    json::object out{{"correlationId", swarm.create.attempt.correlation_id}};
    if (swarm.create.decided) out["status"] = name_of(*swarm.create.decided);
    if (!swarm.create.reason.empty()) out["reason"] = swarm.create.reason;
    return out;
}

} // namespace

std::string_view name_of(Severity severity) noexcept {
    switch (severity) {
    case Severity::info: return "info";
    case Severity::warn: return "warn";
    case Severity::error: return "error";
    }
    std::abort();
}

json::array allowed_actions(const Swarm& swarm) {
    if (swarm.phase == Phase::removed) return {"create"};
    if (swarm.wish == Wish::removed) return {"remove"};
    json::array out;
    const bool again = swarm.phase == Phase::failed || swarm.halted;
    if (swarm.wish != Wish::running || again) out.emplace_back("start");
    if (swarm.wish == Wish::running || again) out.emplace_back("stop");
    out.emplace_back("config");
    out.emplace_back("remove");
    return out;
}

json::object swarm_summary(const SwarmReport& report, const Freshness& fresh) {
    const Swarm& swarm = report.swarm;
    const bool stale = is_stale(report, fresh);
    json::object out{
        {"id", swarm.id.text()},
        {"phase", name_of(swarm.phase)},
        {"wish", name_of(swarm.wish)},
        {"health", health_of(report, stale)},
        {"run", swarm.run},
        {"stale", stale},
        {"allowed", allowed_actions(swarm)}};
    if (const auto totals = member(report.aggregate, "totals"); totals.is_object()) {
        out["totals"] = totals;
    }
    if (!stale) out["rate"] = rate_of(report);
    put_time(out, "receivedAt", report.aggregate_at);
    return out;
}

json::object swarm_details(const SwarmReport& report, const Freshness& fresh) {
    json::object out = swarm_summary(report, fresh);
    out["controller"] = report.swarm.marshal.text();
    out["template"] = report.swarm.text;
    out["plan"] = report.swarm.plan;
    out["creation"] = creation_of(report.swarm);
    out["aggregate"] = report.aggregate;
    return out;
}

json::object to_json(const orchestrator::Ended& ended) {
    const bool succeeded =
        ended.status.has_value() && *ended.status == wire::success_of(ended.command);
    json::object out{
        {"correlationId", ended.asked.correlation_id},
        {"swarm", ended.swarm.text()},
        {"command", name_of(ended.command)},
        // Nobody answered in time, or a newer wish overtook it: the reason says which.
        {"status", ended.status ? name_of(*ended.status) : std::string_view{"Unanswered"}},
        {"succeeded", succeeded},
        {"context", ended.context}};
    if (ended.asked.idempotency_key) out["idempotencyKey"] = *ended.asked.idempotency_key;
    if (!ended.reason.empty()) out["reason"] = ended.reason;
    return out;
}

json::object to_json(const store::JournalRow& row) {
    const auto severity =
        static_cast<Severity>(std::min(row.severity, static_cast<std::int64_t>(Severity::error)));
    json::object out{
        {"sequence", row.sequence},
        {"time", format_timestamp(row.time)},
        {"severity", name_of(severity)},
        {"swarm", row.swarm},
        {"kind", row.kind},
        {"type", row.type},
        {"origin", row.origin}};
    if (!row.run.empty()) out["run"] = row.run;
    if (row.correlation_id) out["correlationId"] = *row.correlation_id;
    auto data = parse_json(row.data);
    out["data"] = data ? std::move(*data) : json::value{json::object{}};
    return out;
}

json::object to_json(const orchestrator::JournalEntry& entry) {
    json::object out{
        {"time", format_timestamp(entry.at)},
        {"severity", name_of(entry.severity)},
        {"swarm", entry.swarm},
        {"kind", entry.kind},
        {"type", entry.type},
        {"origin", entry.origin},
        {"data", entry.data}};
    if (!entry.run.empty()) out["run"] = entry.run;
    if (entry.correlation_id) out["correlationId"] = *entry.correlation_id;
    return out;
}

json::object to_json(const store::RunRow& run) {
    json::object out{
        {"id", run.id},        {"swarm", run.swarm},   {"created", format_timestamp(run.created)},
        {"who", run.who},      {"labels", run.labels}, {"notes", run.notes},
        {"pinned", run.pinned}};
    put_time(out, "ended", run.ended);
    return out;
}

} // namespace hive::rest
