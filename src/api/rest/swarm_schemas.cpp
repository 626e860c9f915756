// The schemas of swarms, their journal and their taps.
#include "api/rest/swarm_schemas.hpp"

#include "api/rest/held_answer.hpp"
#include "api/rest/schemas.hpp"
#include "run/measured.hpp"

namespace hive::rest {
namespace {

json::object any_object() {
    return {{"type", "object"}};
}

json::object boolean() {
    return {{"type", "boolean"}};
}

json::object words(std::size_t most) {
    return {{"type", "array"}, {"items", text_schema()}, {"maxItems", most}};
}

json::object phase_schema() {
    return words_schema(
        {"Creating", "Ready", "Starting", "Running", "Stopping", "Stopped", "Failed", "Removing",
         "Removed"});
}

json::object labels_schema() {
    return {{"type", "object"}, {"additionalProperties", text_schema()}, {"maxProperties", 64}};
}

json::object summary_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"phase", phase_schema()},
         {"wish", words_schema({"stopped", "running", "removed"})},
         {"health", text_schema(32)},
         {"run", text_schema()},
         {"stale", boolean()},
         {"allowed", words(8)},
         {"totals?", any_object()},
         {"rate?",
          {{"type", "number"}, {"minimum", 0}}}, // a second, by the busiest bee; absent when stale
         {"receivedAt?", time_schema()}});
}

json::object details_schema() {
    json::object out = summary_schema();
    auto& properties = out.at("properties").as_object();
    auto& required = out.at("required").as_array();
    properties["controller"] = text_schema();
    for (const char* name : {"template", "plan", "creation", "aggregate"}) {
        properties[name] = any_object();
        required.emplace_back(name);
    }
    required.emplace_back("controller");
    return out;
}

json::object accepted_schema() {
    return closed_object(
        {{"correlationId", text_schema()},
         {"idempotencyKey", text_schema(300)},
         {"swarm", text_schema()},
         {"command", text_schema(32)},
         {"watch", closed_object(
                       {{"routingKey", text_schema(512)},
                        {"topic", text_schema(512)},
                        {"url", text_schema(512)}})},
         {"timeoutMs", integer_schema()},
         {"start?", any_object()}});
}

json::object outcome_schema() {
    return closed_object(
        {{"correlationId", text_schema()},
         {"idempotencyKey?", text_schema(300)},
         {"swarm", text_schema()},
         {"command", text_schema(32)},
         {"status", text_schema(32)},
         {"succeeded", boolean()},
         {"reason?", text_schema(8192)},
         {"context", any_object()}});
}

json::object request_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"template?", {{"type", "object"}, {"required", {"bees"}}}},
         {"plan?", any_object()},
         {"scenario?", text_schema(63)}, // instead of the two; below, what it leaves open
         {"sut?", text_schema(63)},
         {"profile?", text_schema(63)},
         {"endpoints?", labels_schema()},
         {"set?", {{"type", "object"}, {"maxProperties", 256}}},
         {"labels?", labels_schema()},
         {"notes?", text_schema(4096)},
         {"autoStart?", boolean()}});
}

json::object entry_schema() {
    return closed_object(
        {{"sequence", integer_schema(1)},
         {"time", time_schema()},
         {"severity", words_schema({"info", "warn", "error"})},
         {"swarm", text_schema()},
         {"run?", text_schema()},
         {"kind", text_schema()},
         {"type", text_schema()},
         {"origin", text_schema()},
         {"correlationId?", text_schema()},
         {"data", any_object()}});
}

json::object run_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"swarm", text_schema()},
         {"created", time_schema()},
         {"ended?", time_schema()},
         {"who", text_schema()},
         {"labels", labels_schema()},
         {"notes", text_schema(4096)},
         {"pinned", boolean()}});
}

json::object number() {
    return {{"type", "number"}};
}

json::object report_schema() {
    return closed_object(
        {{"began", time_schema()}, // with the first call
         {"upTo", time_schema()},
         {"busySec", number()}, // in which calls were measured
         {"calls", integer_schema()},
         {"failed", integer_schema()},
         {"ratePerSec", number()},
         {"latencyUs", closed_object(
                           {{"p50", number()},
                            {"p90", number()},
                            {"p95", number()},
                            {"p99", number()},
                            {"p999", number()},
                            {"max", number()},
                            {"mean", number()}})},
         {"upperBound", boolean()}, // several bees measured: the slowest of their percentiles
         {"byStatus", {{"type", "object"}, {"additionalProperties", integer_schema()}}},
         {"course",
          {{"type", "array"},
           {"maxItems", run::Measured::points_max},
           {"items", closed_object(
                         {{"atSec", number()},
                          {"ratePerSec", number()},
                          {"failedPerSec", number()},
                          {"p50Us", number()}, // of all calls up to here
                          {"p95Us", number()},
                          {"p99Us", number()}})}}}});
}

json::object tap_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"swarm", text_schema()},
         {"queue", text_schema()},
         {"max", integer_schema(1)},
         {"expiresAt", time_schema()},
         {"dropped", integer_schema()},
         {"items", {{"type", "array"}, {"items", any_object()}, {"maxItems", 1000}}}});
}

json::object tap_request_schema() {
    return closed_object(
        {{"queue?", text_schema(63)},
         {"role?", text_schema(63)},
         {"direction?", words_schema({"in", "out"})},
         {"port?", text_schema(63)},
         {"max?", {{"type", "integer"}, {"minimum", 1}, {"maximum", 1000}}},
         {"ttl?", text_schema(32)}});
}

} // namespace

void add_swarm_schemas(json::object& schemas) {
    schemas["SwarmSummary"] = summary_schema();
    schemas["Swarm"] = details_schema();
    schemas["SwarmRequest"] = request_schema();
    schemas["SwarmAccepted"] = accepted_schema();
    schemas["ApprovalNeeded"] = held_schema();
    schemas["SwarmOutcome"] = outcome_schema();
    schemas["JournalEntry"] = entry_schema();
    schemas["Run"] = run_schema();
    schemas["RunReport"] = report_schema();
    schemas["RunPatch"] = closed_object(
        {{"labels?", labels_schema()}, {"notes?", text_schema(4096)}, {"pinned?", boolean()}});
    schemas["Tap"] = tap_schema();
    schemas["TapRequest"] = tap_request_schema();
}

} // namespace hive::rest
