#include "worker/setup.hpp"

#include "kernel/json.hpp"
#include "worker/selector.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::worker {
namespace {

// Names that components of other makes know too.
constexpr const char* swarm_variable = "POCKETHIVE_CONTROL_PLANE_SWARM_ID";
constexpr const char* role_variable = "POCKETHIVE_CONTROL_PLANE_ROLE";
constexpr const char* instance_variable = "POCKETHIVE_CONTROL_PLANE_INSTANCE_ID";
constexpr const char* input_queue_variable = "POCKETHIVE_INPUT_RABBIT_QUEUE";
constexpr const char* output_exchange_variable = "POCKETHIVE_OUTPUT_RABBIT_EXCHANGE";
constexpr const char* output_key_variable = "POCKETHIVE_OUTPUT_RABBIT_ROUTING_KEY";
// Those above tell of one input and one output; this one tells of every port.
constexpr const char* ports_variable = "POCKETHIVE_WORK_PORTS";

json::object ports_object(const std::vector<WorkPort>& ports) {
    json::object out;
    for (const auto& [id, queue] : ports) out[id] = queue;
    return out;
}

Result<std::vector<WorkPort>> read_ports(const json::object& all, std::string_view direction) {
    std::vector<WorkPort> ports;
    const auto* some = all.if_contains(direction);
    if (some == nullptr) return ports;
    if (!some->is_object()) return fail(Errc::invalid, "is not an object of ports");
    for (const auto& [id, queue] : some->get_object()) {
        if (!queue.is_string()) return fail(Errc::invalid, "has a port without a queue");
        ports.push_back({id, std::string{std::string_view{queue.get_string()}}});
    }
    return ports;
}

json::array selectors_array(const std::vector<PortSelector>& selectors) {
    json::array out;
    for (const auto& [port, policy, expr] : selectors) {
        json::object one{
            {"port", port}, {"policy", policy == SelectPolicy::first ? "first" : "all"}};
        if (!expr.empty()) one["expr"] = expr;
        out.push_back(std::move(one));
    }
    return out;
}

Result<std::vector<PortSelector>> read_selectors(const json::object& all) {
    std::vector<PortSelector> out;
    const auto* some = all.if_contains("selectors");
    if (some == nullptr) return out;
    if (!some->is_array()) return fail(Errc::invalid, "has selectors that are no list");
    for (const auto& each : some->get_array()) {
        const auto* one = each.if_object();
        const auto* port = one != nullptr ? one->if_contains("port") : nullptr;
        if (port == nullptr || !port->is_string()) {
            return fail(Errc::invalid, "has a selector without a port");
        }
        json::object rest = *one;
        rest.erase("port");
        auto read = read_selector(std::string{std::string_view{port->get_string()}}, rest);
        if (!read) return fail(Errc::invalid, "has a wrong selector: " + read.error().detail);
        out.push_back(*std::move(read));
    }
    return out;
}

Result<WorkPorts> parse_ports(std::string_view text) {
    auto value = parse_json(text);
    if (!value) return fail(value.error());
    if (!value->is_object()) return fail(Errc::invalid, "is not an object");
    const json::object& all = value->get_object();
    WorkPorts ports;
    if (const auto* exchange = all.if_contains("exchange"); exchange && exchange->is_string()) {
        ports.exchange = std::string_view{exchange->get_string()};
    }
    auto in = read_ports(all, "in");
    auto out = read_ports(all, "out");
    if (!in) return fail(in.error());
    if (!out) return fail(out.error());
    auto selectors = read_selectors(all);
    if (!selectors) return fail(selectors.error());
    ports.in = *std::move(in);
    ports.out = *std::move(out);
    ports.selectors = *std::move(selectors);
    return ports;
}

Result<std::string> variable(const Environment& environment, const char* name) {
    const auto found = environment.find(name);
    if (found == environment.end() || found->second.empty()) {
        return fail(Errc::invalid, fmt::format("the environment variable {} is not set", name));
    }
    return found->second;
}

template <class Id>
Result<Id> id_variable(const Environment& environment, const char* name) {
    auto text = variable(environment, name);
    if (!text) return fail(text.error());
    auto id = Id::parse(*text);
    if (!id) return fail(Errc::invalid, fmt::format("{}: {}", name, id.error().detail));
    return id;
}

} // namespace

std::span<const char* const> setup_variables() {
    static constexpr std::array all{
        swarm_variable,           role_variable,       instance_variable, input_queue_variable,
        output_exchange_variable, output_key_variable, ports_variable};
    return all;
}

Environment environment_of(const Identity& self) {
    return {
        {swarm_variable, self.swarm.text()},
        {role_variable, self.role.text()},
        {instance_variable, self.instance.text()}};
}

Environment environment_of(const Setup& setup) {
    Environment environment = environment_of(setup.self);
    const WorkPorts& ports = setup.ports;
    if (!ports.in.empty()) environment[input_queue_variable] = ports.in.front().queue;
    if (!ports.out.empty()) {
        environment[output_exchange_variable] = ports.exchange;
        environment[output_key_variable] = ports.out.front().queue;
    }
    json::object all{
        {"exchange", ports.exchange},
        {"in", ports_object(ports.in)},
        {"out", ports_object(ports.out)}};
    if (!ports.selectors.empty()) all["selectors"] = selectors_array(ports.selectors);
    environment[ports_variable] = to_text(all);
    return environment;
}

Result<Identity> read_identity(const Environment& environment) {
    auto swarm = id_variable<SwarmId>(environment, swarm_variable);
    if (!swarm) return fail(swarm.error());
    auto role = id_variable<Role>(environment, role_variable);
    if (!role) return fail(role.error());
    auto instance = id_variable<InstanceId>(environment, instance_variable);
    if (!instance) return fail(instance.error());
    return Identity{*std::move(swarm), *std::move(role), *std::move(instance)};
}

Result<Setup> read_setup(const Environment& environment) {
    auto self = read_identity(environment);
    if (!self) return fail(self.error());
    auto text = variable(environment, ports_variable);
    if (!text) return fail(text.error());
    auto ports = parse_ports(*text);
    if (!ports) {
        return fail(Errc::invalid, fmt::format("{}: {}", ports_variable, ports.error().detail));
    }
    return Setup{*std::move(self), *std::move(ports)};
}

} // namespace hive::worker
