// What breaks a rule: refused by the decoder with path and reason, and by the schema where a schema
// can express the rule.
#include "tests/contract/spec/broken.hpp"
#include "tests/contract/spec/samples.hpp"
#include "tests/support/places.hpp"
#include "tests/support/schema_validator.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/work_codec.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::wire;
using namespace hive::tests;

namespace {

const std::string spec = hive::tests::in_source("docs/spec/");

template <class Decode>
void check_refused(
    SchemaValidator& schema, const json::value& document, const Broken& how, Decode decode) {
    const json::value bad = broken(document, how);
    const std::string text = to_text(bad);
    CAPTURE(text);
    const auto decoded = decode(text);
    REQUIRE(!decoded.has_value());
    CHECK_MESSAGE(
        decoded.error().detail.find(how.error) != std::string::npos, decoded.error().detail);
    CHECK(schema.violations(bad).empty() == (how.rule == Rule::semantic));
}

template <std::size_t N>
void check_control(std::string_view document, const Broken (&table)[N]) {
    SchemaValidator schema{spec + "control-events.schema.json"};
    const json::value good = *parse_json(document);
    CHECK(schema.violations(good) == "");
    CHECK(decode_envelope(document).has_value());
    for (const Broken& how : table) {
        check_refused(schema, good, how, [](const auto& text) { return decode_envelope(text); });
    }
}

} // namespace

TEST_CASE("each broken rule of the envelope is named with its path") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"signal","type":"config-update",
            "origin":"hive-ui","scope":{"swarmId":"alpha","role":"ALL","instance":"ALL"},
            "correlationId":"c","idempotencyKey":null,"data":{"enabled":true}})",
        {
            {"/timestamp", "", "timestamp: is missing"},
            {"/timestamp", "12", "timestamp: must be a string"},
            {"/timestamp", R"("yesterday")", "timestamp: 'yesterday' is not an RFC 3339 time"},
            {"/timestamp", R"("2025-02-30T00:00:00Z")", "timestamp:", Rule::semantic},
            {"/version", "", "version: is missing"},
            {"/version", R"("2")", "version: '2' is not one of 1"},
            {"/kind", R"("command")",
             "kind: 'command' is not one of signal, outcome, metric, event"},
            {"/kind", R"("outcome")", "data.status: is missing"},
            {"/type", R"("swarm-create")", "type: 'swarm-create' is not one of swarm-template"},
            {"/type", "null", "type: must be a string"},
            {"/origin", R"("")", "origin: origin must not be empty"},
            {"/origin", R"("a:b:c")", "origin: origin instance 'b:c' must"},
            {"/origin", "null", "origin: must be a string"},
            {"/scope", "", "scope: is missing"},
            {"/scope/role", "", "scope.role: is missing"},
            {"/scope/role", "null", "scope.role: must be a string"},
            {"/scope/swarmId", R"("a.b")", "scope.swarmId: swarmId 'a.b' must start with"},
            {"/scope/instance", R"("")", "scope.instance: instance must not be empty"},
            {"/scope/extra", "1", "scope.'extra': is not a known field"},
            {"/correlationId", "", "correlationId: is missing"},
            {"/correlationId", "null", "correlationId: must not be null on signals and outcomes"},
            {"/correlationId", R"("")", "correlationId: must not be empty"},
            {"/idempotencyKey", "", "idempotencyKey: is missing"},
            {"/idempotencyKey", "7", "idempotencyKey: must be a string or null"},
            {"/idempotencyKey", R"("")", "idempotencyKey: must not be empty"},
            {"/data", "", "data: is missing"},
            {"/data", "[]", "data: must be an object"},
            {"/data/enabled", R"("yes")", "data.enabled: must be true or false"},
            {"/runtime", "{}", "'runtime': is not a known field"},
        });
}

TEST_CASE("each broken rule of lifecycle signals is named with its path") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"signal","type":"swarm-start",
            "origin":"orchestrator:queen",
            "scope":{"swarmId":"alpha","role":"swarm-controller","instance":"alpha-marshal"},
            "correlationId":"c","idempotencyKey":"k","data":{}})",
        {
            {"/scope/swarmId", R"("ALL")",
             "scope.swarmId: must not be ALL: swarm-start targets one"},
            {"/scope/instance", R"("ALL")", "scope.instance: must not be ALL"},
            {"/scope/role", R"("processor")", "scope.role: must be swarm-controller"},
            {"/scope/role", R"("ALL")", "scope.role: must be swarm-controller"},
            {"/data/args", "1", "data: must be empty for swarm-start"},
        });
}

TEST_CASE("each broken rule of outcomes is named with its path") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"outcome","type":"swarm-start",
            "origin":"swarm-controller:alpha-marshal",
            "scope":{"swarmId":"alpha","role":"swarm-controller","instance":"alpha-marshal"},
            "correlationId":"c","idempotencyKey":"k","data":{"status":"Running"}})",
        {
            {"/type", R"("status-request")", "type: 'status-request' is not one of swarm-create"},
            {"/type", R"("swarm-stop")", "data.status: swarm-stop ends with Stopped, Failed or"},
            {"/scope/role", R"("ALL")", "scope.role: must not be ALL"},
            {"/scope/instance", R"("ALL")", "scope.instance: must not be ALL"},
            {"/correlationId", "null", "correlationId: must not be null"},
            {"/data/status", "", "data.status: is missing"},
            {"/data/status", R"("running")", "data.status: 'running' is not one of Ready, Running"},
            {"/data/status", R"("Stopped")", "data.status: swarm-start ends with Running"},
            {"/data/status", R"("Failed")", "data.retryable: is missing"},
            {"/data/status", R"("NotReady")", "data.context: is missing"},
            {"/data/retryable", "false", "data.retryable: belongs only on failures"},
            {"/data/retryable", "0", "data.retryable: must be true or false"},
            {"/data/enabled", "true", "data.enabled: belongs only on config-update outcomes"},
            {"/data/context", "[]", "data.context: must be an object"},
            {"/data/message", R"("why")", "data.'message': is not a known field"},
        });
}

TEST_CASE("an applied config-update says whether the workload is enabled") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"outcome",
            "type":"config-update","origin":"processor:p",
            "scope":{"swarmId":"alpha","role":"processor","instance":"p"},
            "correlationId":"c","idempotencyKey":null,"data":{"status":"Applied","enabled":true}})",
        {
            {"/data/enabled", "", "data.enabled: is missing: Applied says"},
            {"/data/status", R"("Ready")", "data.status: config-update ends with Applied"},
        });
}

TEST_CASE("each broken rule of a bee's full status is named with its path") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"metric","type":"status-full",
            "origin":"processor:p","scope":{"swarmId":"alpha","role":"processor","instance":"p"},
            "correlationId":null,"idempotencyKey":null,"data":{"enabled":true,"tps":3,
            "startedAt":"2025-09-12T12:00:00Z","config":{},"context":{},
            "io":{"work":{"queues":{"in":["q"]},"queueStats":{"q":{"depth":1,"consumers":2}}},
                  "control":{"queues":{}}},
            "ioState":{"work":{"input":"ok","output":"ok"}}}})",
        {
            {"/scope/instance", R"("ALL")", "scope.instance: must not be ALL"},
            {"/scope/role", R"("orchestrator")", "data.io.work: a manager has no workload"},
            {"/data/enabled", "", "data.enabled: is missing"},
            {"/data/startedAt", "", "data.startedAt: is missing"},
            {"/data/startedAt", R"("2025-09-12")",
             "data.startedAt: '2025-09-12' is not an RFC 3339"},
            {"/data/config", "", "data.config: is missing"},
            {"/data/config", "null", "data.config: must be an object"},
            {"/data/io", "", "data.io: is missing"},
            {"/data/ioState", "", "data.ioState: is missing"},
            {"/data/tps", "-1", "data.tps: must be a whole number from 0"},
            {"/data/tps", "1.5", "data.tps: must be a whole number from 0"},
            {"/data/workers", "[]", "data.'workers': is not a known field"},
            {"/data/context/workers", "[]", "data.context.workers: only a swarm-controller lists"},
            {"/data/io/work/queues", "", "data.io.work.queues: is missing"},
            {"/data/io/work/queues/in", "[1]",
             "data.io.work.queues.in: must be an array of strings"},
            {"/data/io/work/queueStats/q/depth", "", "data.io.work.queueStats.q.depth: is missing"},
            {"/data/io/work/queueStats/q", "1", "data.io.work.queueStats.q: must be an object"},
            {"/data/io/control/queueStats", "{}", "data.io.control.'queueStats': is not a known"},
            {"/data/ioState/work/input", R"("fine")",
             "data.ioState.work.input: 'fine' is not one of ok, out-of-data, backpressure"},
            {"/data/ioState/work/output", "", "data.ioState.work.output: is missing"},
            {"/data/ioState/control", "{}", "data.ioState.'control': is not a known field"},
        });
}

TEST_CASE("each broken rule of a delta is named with its path") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"metric","type":"status-delta",
            "origin":"swarm-controller:m",
            "scope":{"swarmId":"alpha","role":"swarm-controller","instance":"m"},
            "correlationId":null,"idempotencyKey":null,
            "data":{"enabled":true,"ioState":{},"context":{"swarmStatus":"RUNNING"}}})",
        {
            {"/data/config", "{}", "data.'config': is not a known field"},
            {"/data/io", "{}", "data.'io': is not a known field"},
            {"/data/startedAt", R"("2025-09-12T12:00:00Z")",
             "data.'startedAt': is not a known field"},
            {"/data/ioState/work", R"({"input":"ok","output":"ok"})",
             "data.ioState.work: a manager"},
            {"/data/context/workers", "[]", "data.context.workers: belongs only into status-full"},
            {"/data/context/bindings", "{}",
             "data.context.bindings: belongs only into status-full"},
            {"/data/context/computeAdapter", "1", "data.context.computeAdapter: belongs only"},
        });
    SchemaValidator schema{spec + "control-events.schema.json"};
    for (const std::string_view key : heavy_context_keys()) {
        CAPTURE(key);
        const auto controller = *Origin::parse("swarm-controller:m");
        const auto envelope = Envelope::status(
            Sender{controller},
            {SwarmId::parse("alpha").value(), controller_role(), InstanceId::parse("m").value()},
            StatusDelta{.context = json::object{{key, nullptr}}});
        CHECK(!check(envelope).has_value());
        CHECK(schema.violations(encode(envelope)) != "");
    }
}

TEST_CASE("each broken rule of alerts is named with its path") {
    check_control(
        R"({"timestamp":"2025-09-12T12:34:56Z","version":"1","kind":"event","type":"alert",
            "origin":"processor:p","scope":{"swarmId":"alpha","role":"processor","instance":"p"},
            "correlationId":null,"idempotencyKey":null,
            "data":{"level":"warn","code":"io.backpressure","message":"slow"}})",
        {
            {"/type", R"("warning")", "type: 'warning' is not one of alert"},
            {"/data/level", R"("fatal")", "data.level: 'fatal' is not one of info, warn, error"},
            {"/data/level", "", "data.level: is missing"},
            {"/data/code", R"("")", "data.code: must not be empty"},
            {"/data/code", "", "data.code: is missing"},
            {"/data/message", "1", "data.message: must be a string"},
            {"/data/logRef", "null", "data.logRef: must be a string"},
            {"/data/status", R"("Failed")", "data.'status': is not a known field"},
        });
}

TEST_CASE("decoder and schema agree about messages changed at random") {
    SchemaValidator schema{spec + "control-events.schema.json"};
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        Random random{seed};
        json::value document = *parse_json(encode(random_envelope(random)));
        mutate(document, random);
        const std::string text = to_text(document);
        CAPTURE(seed);
        CAPTURE(text);
        const auto decoded = decode_envelope(text);
        const std::string violations = schema.violations(document);
        CHECK_MESSAGE(
            decoded.has_value() == violations.empty(),
            (decoded ? "decoder accepts; schema: " + violations : decoded.error().detail));
        refused += decoded ? 0 : 1;
    }
    CHECK(refused > 2000);
}
