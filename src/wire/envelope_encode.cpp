#include "kernel/overloaded.hpp"
#include "kernel/timestamp.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/json_writer.hpp"

namespace hive::wire {
namespace {

void put_context(JsonWriter& out, const std::optional<json::object>& context) {
    if (context) out.member("context", *context);
}

void put_flow(JsonWriter& out, std::string_view name, const std::optional<Flow>& flow) {
    if (!flow) return;
    out.open(name);
    out.member("input", name_of(flow->input));
    out.member("output", name_of(flow->output));
    put_context(out, flow->context);
    out.close();
}

void put_io_state(JsonWriter& out, const IoState& state) {
    out.open("ioState");
    put_flow(out, "work", state.work);
    put_flow(out, "filesystem", state.filesystem);
    out.close();
}

void put_wiring(JsonWriter& out, const Wiring& wiring) {
    out.open("queues");
    out.member("in", wiring.in);
    out.member("out", wiring.out);
    out.member("routes", wiring.routes);
    out.close();
}

void put_io(JsonWriter& out, const Io& io) {
    out.open("io");
    if (io.work) {
        out.open("work");
        put_wiring(out, io.work->queues);
        if (!io.work->queue_stats.empty()) {
            out.open("queueStats");
            for (const auto& [queue, stats] : io.work->queue_stats) {
                out.open(queue);
                out.member("depth", stats.depth);
                out.member("consumers", stats.consumers);
                if (stats.oldest_age_sec) out.member("oldestAgeSec", *stats.oldest_age_sec);
                out.close();
            }
            out.close();
        }
        out.close();
    }
    if (io.control) {
        out.open("control");
        put_wiring(out, *io.control);
        out.close();
    }
    out.close();
}

void put_data(JsonWriter& out, const Signal& signal) {
    out.member("data", signal.data);
}

void put_data(JsonWriter& out, const Outcome& outcome) {
    out.open("data");
    out.member("status", name_of(outcome.status));
    if (outcome.retryable) out.member("retryable", *outcome.retryable);
    if (outcome.enabled) out.member("enabled", *outcome.enabled);
    put_context(out, outcome.context);
    out.close();
}

void put_data(JsonWriter& out, const StatusFull& status) {
    out.open("data");
    out.member("enabled", status.enabled);
    out.member("startedAt", format_timestamp(status.started_at));
    if (status.tps) out.member("tps", *status.tps);
    out.member("config", status.config);
    put_io(out, status.io);
    put_io_state(out, status.io_state);
    put_context(out, status.context);
    out.close();
}

void put_data(JsonWriter& out, const StatusDelta& status) {
    out.open("data");
    out.member("enabled", status.enabled);
    if (status.tps) out.member("tps", *status.tps);
    put_io_state(out, status.io_state);
    put_context(out, status.context);
    out.close();
}

void put_data(JsonWriter& out, const Alert& alert) {
    out.open("data");
    out.member("level", name_of(alert.level));
    out.member("code", alert.code);
    out.member("message", alert.message);
    if (alert.error_type) out.member("errorType", *alert.error_type);
    if (alert.error_detail) out.member("errorDetail", *alert.error_detail);
    if (alert.log_ref) out.member("logRef", *alert.log_ref);
    put_context(out, alert.context);
    out.close();
}

// Families and kinds have the same names but for alerts, which are events.
std::string_view kind_of(Family family) {
    return family == Family::alert ? "event" : name_of(family);
}

} // namespace

std::string encode(const Envelope& envelope) {
    const RoutingKey key = routing_key_of(envelope);
    JsonWriter out;
    out.member("timestamp", format_timestamp(envelope.sender.at));
    out.member("version", "1");
    out.member("kind", kind_of(key.family));
    out.member("type", key.type);
    out.member("origin", envelope.sender.origin.text());
    out.open("scope");
    out.member("swarmId", envelope.scope.swarm.text());
    out.member("role", envelope.scope.role.text());
    out.member("instance", envelope.scope.instance.text());
    out.close();
    out.member("correlationId", envelope.correlation_id);
    out.member("idempotencyKey", envelope.idempotency_key);
    std::visit([&](const auto& body) { put_data(out, body); }, envelope.body);
    return std::move(out).finish();
}

} // namespace hive::wire
