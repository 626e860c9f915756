#include "run/sight.hpp"

namespace hive::run {

namespace {

double number_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : 0;
}

std::string text_in(const json::object& from, std::string_view name) {
    const auto* value = from.if_contains(name);
    return value != nullptr && value->is_string() ? std::string{value->get_string()} : "";
}

GuardSight guard_of(const json::object& guard) {
    GuardSight out{
        .queue = text_in(guard, "queueAlias"),
        .state = text_in(guard, "state"),
        .depth = number_in(guard, "depth"),
        .target = number_in(guard, "target"),
        .rate = number_in(guard, "rate")};
    const auto* bracket = guard.if_contains("bracket");
    if (bracket == nullptr || !bracket->is_object()) return out;
    out.min = number_in(bracket->get_object(), "min");
    out.max = number_in(bracket->get_object(), "max");
    return out;
}

} // namespace

std::optional<BeeSight> bee_of(const wire::Envelope& envelope) {
    const auto* status = std::get_if<wire::StatusFull>(&envelope.body);
    if (status == nullptr || wire::is_manager(envelope.scope.role)) return std::nullopt;
    BeeSight bee{
        .role = std::string{envelope.scope.role.text()},
        .instance = std::string{envelope.scope.instance.text()},
        .enabled = status->enabled,
        .per_sec = status->tps.value_or(0),
        .flow = status->io_state.work.value_or(wire::Flow{})};
    if (!status->context) return bee;
    const auto* work = status->context->if_contains("work");
    if (work != nullptr && work->is_object()) bee.work = work->get_object();
    return bee;
}

std::vector<GuardSight> guards_of(const wire::Envelope& envelope) {
    std::vector<GuardSight> out;
    if (!wire::is_controller(envelope.scope.role)) return out;
    const auto* full = std::get_if<wire::StatusFull>(&envelope.body);
    const auto* delta = std::get_if<wire::StatusDelta>(&envelope.body);
    if (full == nullptr && delta == nullptr) return out;
    const auto& context = full != nullptr ? full->context : delta->context;
    const auto* guards = context ? context->if_contains("bufferGuards") : nullptr;
    if (guards == nullptr || !guards->is_array()) return out;
    for (const json::value& each : guards->get_array()) {
        if (const auto* guard = each.if_object()) out.push_back(guard_of(*guard));
    }
    return out;
}

std::string state_of(const BeeSight& bee) {
    if (!bee.enabled) return "stopped";
    if (bee.flow.output != wire::OutputState::ok && bee.flow.output != wire::OutputState::unknown) {
        return std::string{name_of(bee.flow.output)};
    }
    return bee.flow.input == wire::InputState::unknown ? "ok"
                                                       : std::string{name_of(bee.flow.input)};
}

bool produces(const BeeSight& bee) {
    return bee.work.contains("scheduler");
}

std::uint64_t processed(const BeeSight& bee) {
    const auto* count = bee.work.if_contains("processed");
    if (count == nullptr) return 0;
    if (count->is_uint64()) return count->get_uint64();
    return count->is_int64() ? static_cast<std::uint64_t>(count->get_int64()) : 0;
}

bool idle(const BeeSight& bee) {
    return !bee.work.contains("pending");
}

} // namespace hive::run
