#include "bees/trigger/trigger_config.hpp"

#include "worker/templating.hpp"

#include <array>

namespace hive::bees {
namespace {

constexpr std::uint32_t day_ms = 86'400'000;
constexpr std::uint32_t hour_ms = 3'600'000;
constexpr double at_once = 1000; // per second: the only one comes within a millisecond
constexpr double second_ms = 1000;

json::object& member(json::object& of, std::string_view name) {
    auto& value = of[name];
    if (!value.is_object()) value = json::object{};
    return value.get_object();
}

} // namespace

std::span<const Named<ActionType>> names_of(ActionType) {
    static constexpr std::array names{
        Named<ActionType>{"none", ActionType::none}, Named<ActionType>{"rest", ActionType::rest},
        Named<ActionType>{"shell", ActionType::shell}};
    return names;
}

void describe(FieldTable& fields, TriggerConfig& config) {
    fields.add("intervalMs", config.interval_ms)
        .range(1, day_ms)
        .unit("ms")
        .help("Between one action and the next, where nobody feeds the bee");
    fields.add("singleRequest", config.single)
        .help("Only once; turned off and on again, once more");
    fields.add("actionType", config.action).help("What is done");
    fields.add("url", config.url).rendered().help("Of a REST call; a template");
    fields.add("method", config.method).rendered().help("A template");
    fields.add("body", config.body).rendered().help("A template");
    fields.add("headers", config.headers).rendered().help("Templates by name").at_most(200);
    fields.add("sslVerify", config.verify_tls).help("Whether the peer's certificate is checked");
    fields.add("command", config.command)
        .help("For /bin/sh -c; the server's configuration has to allow it (swarm.allow-shell)");
    fields.add("timeoutMs", config.timeout_ms)
        .range(1, hour_ms)
        .unit("ms")
        .help("A call or command that takes longer has failed");
    fields.add("maxOutputBytes", config.output_bytes_max)
        .range(0, 1U << 24U)
        .unit("bytes")
        .help("What is kept of an answer or of a command's output; the rest is counted");
}

Status check(const TriggerConfig& config, bool allow_shell) {
    switch (config.action) {
    case ActionType::none: return {};
    case ActionType::rest: {
        if (config.url.empty()) {
            return fail(Errc::invalid, "config.url: is missing; a REST call needs one");
        }
        for (const auto& [name, value] : std::map<std::string, std::string>{
                 {"url", config.url}, {"method", config.method}, {"body", config.body}}) {
            if (auto text = worker::compile_setting(value, name); !text) return fail(text.error());
        }
        for (const auto& [name, value] : config.headers) {
            auto text = worker::compile_setting(value, "headers." + name);
            if (!text) return fail(text.error());
        }
        return {};
    }
    case ActionType::shell:
        if (!allow_shell) {
            return fail(
                Errc::denied, "config.actionType: shell commands are not allowed here; whoever "
                              "runs the server can allow them with swarm.allow-shell");
        }
        if (config.command.empty()) {
            return fail(Errc::invalid, "config.command: is missing; what shall be run?");
        }
        return {};
    }
    return {};
}

json::object with_schedule(json::object config) {
    TriggerConfig own;
    if (const auto* given = config.if_contains("intervalMs")) {
        own.interval_ms = FieldType<std::uint32_t>::read(*given).value_or(own.interval_ms);
    }
    if (const auto* given = config.if_contains("singleRequest")) {
        own.single = FieldType<bool>::read(*given).value_or(own.single);
    }
    json::object& scheduler = member(member(config, "inputs"), "scheduler");
    const double rate = own.single ? at_once : second_ms / own.interval_ms;
    if (!scheduler.contains("ratePerSec")) scheduler["ratePerSec"] = rate;
    if (!scheduler.contains("maxMessages")) scheduler["maxMessages"] = own.single ? 1 : 0;
    return config;
}

} // namespace hive::bees
