#include "controller/topology.hpp"

#include "wire/names.hpp"

#include <set>
#include <utility>

namespace hive::controller {
namespace {

std::set<QueueName> queues_of(const Template& plan) {
    std::set<QueueName> names;
    for (const BeeSpec& bee : plan.bees) {
        for (const Port& port : bee.in) names.insert(port.queue);
        for (const Port& port : bee.out) names.insert(port.queue);
    }
    return names;
}

json::object end_of(const BeeSpec& bee, const Port& port) {
    return {{"role", bee.role.text()}, {"instance", bee.instance.text()}, {"port", port.id}};
}

struct PortOf {
    const BeeSpec* bee;
    const Port* port;
};

std::vector<PortOf> ports_of(const Template& plan, std::vector<Port> BeeSpec::* side) {
    std::vector<PortOf> out;
    for (const BeeSpec& bee : plan.bees) {
        for (const Port& port : bee.*side) out.push_back({&bee, &port});
    }
    return out;
}

bool is_end(const Edge::End& end, const PortOf& one) {
    return end.bee == one.bee->bee && end.port == one.port->id;
}

} // namespace

bus::Layout work_layout(const SwarmId& swarm, const Template& plan) {
    const auto exchange = wire::work_exchange(swarm);
    bus::Layout layout{.exchanges = {{exchange}}};
    for (const QueueName& name : queues_of(plan)) {
        const auto queue = wire::work_queue(swarm, name);
        const auto dead = wire::dead_letter_queue(swarm, name);
        layout.queues.push_back({.name = dead});
        const auto bound = plan.max_lengths.find(name);
        layout.queues.push_back(
            {.name = queue,
             .max_length =
                 bound != plan.max_lengths.end() ? std::optional{bound->second} : std::nullopt,
             .dead_letter = dead});
        layout.bindings.push_back({exchange, queue, queue});
    }
    return layout;
}

BrokerObjects objects_of(const SwarmId& swarm, const Template& plan) {
    BrokerObjects objects{.exchanges = {wire::work_exchange(swarm)}};
    for (const QueueName& name : queues_of(plan)) {
        objects.queues.push_back(wire::work_queue(swarm, name));
        objects.queues.push_back(wire::dead_letter_queue(swarm, name));
    }
    for (const BeeSpec& bee : plan.bees) {
        objects.queues.push_back(wire::control_queue(swarm, bee.role, bee.instance));
    }
    return objects;
}

json::object runtime_bindings(const SwarmId& swarm, const Template& plan) {
    json::array edges;
    const auto add = [&](std::string_view id, const PortOf& out, const PortOf& in) {
        auto from = end_of(*out.bee, *out.port);
        auto to = end_of(*in.bee, *in.port);
        from["routingKey"] = wire::work_queue(swarm, out.port->queue);
        to["queue"] = wire::work_queue(swarm, in.port->queue);
        edges.push_back(
            json::object{{"edgeId", id}, {"from", std::move(from)}, {"to", std::move(to)}});
    };
    const auto outs = ports_of(plan, &BeeSpec::out);
    const auto ins = ports_of(plan, &BeeSpec::in);
    for (const Edge& edge : plan.edges) {
        for (const PortOf& out : outs) {
            if (!is_end(edge.from, out)) continue;
            for (const PortOf& in : ins) {
                if (!is_end(edge.to, in)) continue;
                add(edge.id, out, in);
                if (!edge.selector.empty()) edges.back().as_object()["selector"] = edge.selector;
            }
        }
    }
    for (const PortOf& out : outs) {
        for (const PortOf& in : ins) {
            if (!plan.edges.empty() || out.port->queue != in.port->queue) continue;
            add(out.port->queue.text(), out, in);
        }
    }
    return {
        {"work",
         json::object{{"exchange", wire::work_exchange(swarm)}, {"edges", std::move(edges)}}}};
}

std::vector<std::string> work_queues(const SwarmId& swarm, const Template& plan) {
    std::vector<std::string> names;
    for (const QueueName& name : queues_of(plan)) names.push_back(wire::work_queue(swarm, name));
    return names;
}

} // namespace hive::controller
