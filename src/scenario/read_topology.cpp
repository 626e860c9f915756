#include "kernel/id.hpp"
#include "kernel/text.hpp"
#include "kernel/yaml_json.hpp"
#include "scenario/readers.hpp"
#include "template/template.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <set>

namespace hive::scenario {
namespace {

std::string names_of(const std::vector<Bee>& bees) {
    std::string out;
    for (const Bee& bee : bees) out += (out.empty() ? "" : ", ") + bee.id;
    return out;
}

class EdgeReader {
public:
    explicit EdgeReader(Reading& reading) : reading_{reading}, report_{reading.report} {}

    void read(const YamlNode& node, const std::string& path) {
        Members edge{node, path, report_};
        if (node.kind != YamlNode::Kind::mapping) return;
        Edge out{.id = edge.text("id"), .at = node.at};
        if (out.id.empty()) out.id = fmt::format("e{}", reading_.scenario.edges.size() + 1);
        if (!ids_.insert(out.id).second) {
            report_.error(
                {.code = "duplicate-id",
                 .at = node.at,
                 .key = edge.key("id"),
                 .message = fmt::format("two edges are called '{}'", printable(out.id))});
        }
        const Port* from = read_end(edge, "from", out.from);
        const Port* to = read_end(edge, "to", out.to);
        if (const YamlNode* selector = edge.take_mapping("selector")) {
            read_selector(*selector, edge.key("selector"), out);
        }
        edge.refuse_others();
        if (from == nullptr || to == nullptr) return;
        if (from->queue != to->queue) {
            return report_.error(
                {.code = "edge-queues",
                 .at = node.at,
                 .key = path,
                 .message = fmt::format("joins two queues, '{}' and '{}'", from->queue, to->queue),
                 .hint = "name the same queue under work of both bees"});
        }
        reading_.scenario.edges.push_back(std::move(out));
    }

private:
    // The port at one end; none after a finding.
    const Port* read_end(Members& edge, std::string_view side, EdgeEnd& end) {
        const YamlNode* node = edge.take_mapping(side);
        if (node == nullptr) {
            report_.error(
                {.code = "missing-key",
                 .at = edge.node().at,
                 .key = edge.key(side),
                 .message = "must name a bee and a port",
                 .hint = fmt::format("add `{}: {{ role: ..., port: ... }}`", side)});
            return nullptr;
        }
        Members members{*node, edge.key(side), report_};
        const std::string id = members.text("beeId");
        const std::string role = members.text("role");
        end.port = members.required_text("port");
        members.refuse_others();
        const Bee* bee = find_bee(members, id.empty() ? role : id);
        if (bee == nullptr) return nullptr;
        end.bee = bee->id;
        const auto& ports = side == "from" ? bee->out : bee->in;
        const auto port = std::ranges::find(ports, end.port, &Port::id);
        if (port != ports.end()) return &*port;
        if (!end.port.empty()) {
            report_.error(
                {.code = "unknown-port",
                 .at = members.take("port")->at,
                 .key = members.key("port"),
                 .message = fmt::format(
                     "bee '{}' has no port '{}' under work.{}", bee->id, printable(end.port),
                     side == "from" ? "out" : "in"),
                 .hint = hint_of(ports)});
        }
        return nullptr;
    }

    static std::string hint_of(const std::vector<Port>& ports) {
        std::vector<std::string> names;
        for (const Port& port : ports) names.push_back(printable(port.id));
        return names.empty() ? "it has none there; add one"
                             : fmt::format("it has {}", fmt::join(names, ", "));
    }

    const Bee* find_bee(Members& end, const std::string& name) {
        const auto& bees = reading_.scenario.bees;
        if (const Bee* bee = reading_.scenario.find_bee(name)) {
            if (std::ranges::count(bees, name, &Bee::role) > 1 && end.take("beeId") == nullptr) {
                report_.error(
                    {.code = "ambiguous-bee",
                     .at = end.node().at,
                     .key = end.path(),
                     .message = fmt::format("several bees have the role '{}'", name),
                     .hint = "give them ids and name one by beeId"});
            }
            return bee;
        }
        report_.error(
            {.code = "unknown-bee",
             .at = end.node().at,
             .key = end.path(),
             .message = fmt::format("there is no bee '{}'", printable(name)),
             .hint = fmt::format("there are {}", names_of(bees))});
        return nullptr;
    }

    void read_selector(const YamlNode& node, const std::string& path, Edge& out) {
        Members selector{node, path, report_};
        selector.text("policy");
        const std::string expr = selector.text("expr");
        selector.refuse_others();
        // The expression of a condition, as templates have them.
        const auto compiled = templates::compile(fmt::format("{{{{ {} }}}}", expr));
        if (!expr.empty() && !compiled) {
            report_.error(
                {.code = "bad-selector",
                 .at = selector.take("expr")->at,
                 .key = selector.key("expr"),
                 .message = compiled.error().front().message,
                 .hint = "write a condition such as headers['x-kind'] == 'fast'"});
        }
        json::value value = to_json(node);
        out.selector = std::move(value.get_object());
    }

    Reading& reading_;
    Report& report_;
    std::set<std::string> ids_{};
};

} // namespace

void read_topology(const YamlNode& topology, Reading& reading) {
    Members members{topology, "topology", reading.report};
    if (const auto version = members.number("version", {0, 1000}); version && *version != 1) {
        reading.report.error(
            {.code = "bad-version",
             .at = members.take("version")->at,
             .key = "topology.version",
             .message = "only version 1 is known"});
    }
    const YamlNode* edges = members.take_list("edges");
    members.ignore({"ui", "layout"}, "it is for an editor");
    members.refuse_others();
    if (edges == nullptr) return;
    EdgeReader reader{reading};
    for (std::size_t i = 0; i < edges->items.size(); ++i) {
        reader.read(edges->items[i], fmt::format("topology.edges[{}]", i));
    }
}

void read_queues(const YamlNode& queues, const std::string& path, Reading& reading) {
    for (const YamlNode& queue : queues.items) {
        const std::string key = below(path, printable(queue.key));
        Members members{queue, key, reading.report};
        QueueSettings settings{.at = queue.key_at};
        members.whole("maxLength", {1, 1e9}, settings.max_length);
        members.refuse_others();
        const auto uses = [&](const Bee& bee) {
            return std::ranges::find(bee.in, queue.key, &Port::queue) != bee.in.end() ||
                   std::ranges::find(bee.out, queue.key, &Port::queue) != bee.out.end();
        };
        if (std::ranges::none_of(reading.scenario.bees, uses)) {
            reading.report.error(
                {.code = "unknown-queue",
                 .at = queue.key_at,
                 .key = key,
                 .message = "no bee reads or writes this queue",
                 .hint = "name a queue from work of a bee"});
            continue;
        }
        reading.scenario.queues.emplace(queue.key, settings);
    }
}

} // namespace hive::scenario
