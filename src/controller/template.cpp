#include "controller/template.hpp"

#include "kernel/duration.hpp"
#include "kernel/variable_name.hpp"
#include "wire/names.hpp"
#include "worker/selector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace hive::controller {
namespace {

constexpr std::int64_t replicas_max = 1000;
constexpr std::int64_t restarts_max = 1000;
constexpr std::size_t bees_max = 2000; // replicas included
constexpr std::size_t variables_max = 256;

class Reader {
public:
    explicit Reader(const SwarmId& swarm) : swarm_{swarm} {}

    Result<Template> read(const json::object& plan) {
        const auto* bees = plan.if_contains("bees");
        if (bees == nullptr || !bees->is_array() || bees->get_array().empty()) {
            return fail(Errc::invalid, "bees: must be a list of at least one bee");
        }
        Template out;
        for (std::size_t i = 0; i < bees->get_array().size(); ++i) {
            path_ = fmt::format("bees[{}]", i);
            read_bee(bees->get_array()[i], out);
        }
        if (const auto* topology = plan.if_contains("topology")) read_edges(*topology, out);
        path_.clear();
        if (const auto* queues = plan.if_contains("queues")) read_queues(*queues, out);
        if (!problems_.empty()) return fail(Errc::invalid, problems_);
        return out;
    }

private:
    void problem(std::string_view where, std::string_view what) {
        if (!problems_.empty()) problems_ += "; ";
        problems_ += fmt::format("{}{}: {}", path_, where, what);
    }

    void read_bee(const json::value& value, Template& out) {
        if (!value.is_object()) return problem("", "must be an object");
        const json::object& bee = value.get_object();
        const auto role = Role::parse(text_of(bee, "role"));
        if (!role) return problem(".role", role.error().detail);
        BeeSpec spec{
            .bee = name_for(bee, *role),
            .role = *role,
            .instance = InstanceId::parse("unnamed").value(),
            .in = ports(bee, "in"),
            .out = ports(bee, "out")};
        if (const auto* config = bee.if_contains("config")) {
            if (!config->is_object()) return problem(".config", "must be an object");
            spec.config = flat(config->get_object());
        }
        spec.restart = restart(bee);
        spec.env = environment(bee);
        add_replicas(spec, replicas(bee), out);
    }

    // Its id, or its role, numbered when others have none either.
    std::string name_for(const json::object& bee, const Role& role) {
        const char* const key = bee.contains("id") ? "id" : "beeId";
        std::string id{text_of(bee, key)};
        if (!id.empty()) {
            if (!names_.insert(id).second) {
                problem(fmt::format(".{}", key), fmt::format("two bees are called '{}'", id));
            }
            return id;
        }
        id = role.text();
        for (int i = 2; !names_.insert(id).second; ++i) id = fmt::format("{}-{}", role.text(), i);
        return id;
    }

    // The older public form keeps what is the worker's own under `worker`.
    static json::object flat(const json::object& config) {
        const auto* worker = config.if_contains("worker");
        if (worker == nullptr || !worker->is_object()) return config;
        json::value out = config;
        out.get_object().erase("worker");
        merge_patch(out, *worker);
        return out.get_object();
    }

    Restart restart(const json::object& bee) {
        Restart out;
        const auto* value = bee.if_contains("restart");
        if (value == nullptr) return out;
        if (!value->is_object()) {
            problem(".restart", "must be an object");
            return out;
        }
        for (const auto& [key, member] : value->get_object()) {
            if (key == "policy") {
                read_policy(member, out);
            } else if (key == "backoff") {
                read_backoff(member, out);
            } else if (key == "max") {
                read_max(member, out);
            } else {
                problem(
                    fmt::format(".restart.{}", std::string_view{key}),
                    "unknown key; there are policy, backoff and max");
            }
        }
        return out;
    }

    void read_policy(const json::value& value, Restart& out) {
        if (value == "on-failure") {
            out.policy = Restart::Policy::on_failure;
        } else if (value != "never") {
            problem(".restart.policy", "must be 'never' or 'on-failure'");
        }
    }
    void read_backoff(const json::value& value, Restart& out) {
        const auto backoff =
            parse_duration(value.is_string() ? std::string_view{value.get_string()} : "");
        if (!backoff) return problem(".restart.backoff", backoff.error().detail);
        out.backoff = *backoff;
    }
    void read_max(const json::value& value, Restart& out) {
        const std::int64_t max = value.is_int64() ? value.get_int64() : -1;
        if (max < 0 || max > restarts_max) {
            return problem(
                ".restart.max", fmt::format("must be a whole number from 0 to {}", restarts_max));
        }
        out.max = static_cast<std::uint32_t>(max);
    }

    std::map<std::string, std::string> environment(const json::object& bee) {
        std::map<std::string, std::string> out;
        const auto* env = bee.if_contains("env");
        if (env == nullptr) return out;
        if (!env->is_object() || env->get_object().size() > variables_max) {
            problem(".env", fmt::format("must be an object of at most {} texts", variables_max));
            return out;
        }
        for (const auto& [name, value] : env->get_object()) {
            const auto where = fmt::format(".env.{}", std::string_view{name});
            if (auto ok = check_variable_name(name); !ok) {
                problem(where, ok.error().detail);
            } else if (!value.is_string() || value.get_string().find('\0') != json::string::npos) {
                problem(where, "must be a text");
            } else {
                out.emplace(name, value.get_string());
            }
        }
        return out;
    }

    void add_replicas(BeeSpec& spec, std::int64_t count, Template& out) {
        if (out.bees.size() + static_cast<std::size_t>(count) > bees_max) {
            return problem("", fmt::format("a swarm has at most {} bees", bees_max));
        }
        for (std::int64_t i = 0; i < count; ++i) {
            auto instance = wire::bee_instance(swarm_, spec.role, ++used_[spec.role]);
            if (!instance) return problem("", instance.error().detail);
            spec.instance = *std::move(instance);
            out.bees.push_back(spec);
        }
    }

    static std::string_view text_of(const json::object& object, std::string_view key) {
        const auto* value = object.if_contains(key);
        return value != nullptr && value->is_string() ? std::string_view{value->get_string()} : "";
    }

    std::int64_t replicas(const json::object& bee) {
        const auto* value = bee.if_contains("replicas");
        if (value == nullptr) return 1;
        const std::int64_t count = value->is_int64() ? value->get_int64() : 0;
        if (count >= 1 && count <= replicas_max) return count;
        problem(".replicas", fmt::format("must be a whole number from 1 to {}", replicas_max));
        return 0;
    }

    std::vector<Port> ports(const json::object& bee, std::string_view direction) {
        std::vector<Port> out;
        const auto* work = bee.if_contains("work");
        const auto* side = work != nullptr && work->is_object()
                               ? work->get_object().if_contains(direction)
                               : nullptr;
        if (side == nullptr) return out;
        if (!side->is_object()) {
            problem(fmt::format(".work.{}", direction), "must map ports to queues");
            return out;
        }
        for (const auto& [port, queue] : side->get_object()) {
            auto name = QueueName::parse(queue.is_string() ? queue.get_string().c_str() : "");
            if (name) {
                out.push_back({std::string{port}, *std::move(name)});
            } else {
                problem(
                    fmt::format(".work.{}.{}", direction, std::string_view{port}),
                    name.error().detail);
            }
        }
        return out;
    }

    void read_queues(const json::value& queues, Template& out) {
        if (!queues.is_object()) return problem("queues", "must be an object");
        for (const auto& [name, settings] : queues.get_object()) {
            const auto where = fmt::format("queues.{}", std::string_view{name});
            const auto queue = QueueName::parse(name);
            if (!queue) {
                problem(where, queue.error().detail);
            } else if (!is_used(*queue, out)) {
                problem(where, "no bee reads or writes this queue");
            } else {
                read_max_length(*queue, settings, out);
            }
        }
    }

    void read_max_length(const QueueName& queue, const json::value& settings, Template& out) {
        const auto* object = settings.if_object();
        const auto* given = object != nullptr ? object->if_contains("maxLength") : nullptr;
        const auto* length = given != nullptr ? given->if_int64() : nullptr;
        if (object == nullptr || object->size() != 1 || length == nullptr || *length < 1) {
            return problem(
                fmt::format("queues.{}", queue.text()),
                "must be {maxLength: N} with N of at least 1");
        }
        out.max_lengths[queue] = static_cast<std::size_t>(*length);
    }

    static bool is_used(const QueueName& queue, const Template& plan) {
        return std::ranges::any_of(plan.bees, [&](const BeeSpec& bee) {
            return std::ranges::find(bee.in, queue, &Port::queue) != bee.in.end() ||
                   std::ranges::find(bee.out, queue, &Port::queue) != bee.out.end();
        });
    }

    void read_edges(const json::value& topology, Template& out) {
        path_ = "topology";
        const auto* edges =
            topology.is_object() ? topology.get_object().if_contains("edges") : nullptr;
        if (edges == nullptr) return;
        if (!edges->is_array()) return problem(".edges", "must be a list");
        for (std::size_t i = 0; i < edges->get_array().size(); ++i) {
            path_ = fmt::format("topology.edges[{}]", i);
            read_edge(edges->get_array()[i], out);
        }
    }

    void read_edge(const json::value& value, Template& out) {
        if (!value.is_object()) return problem("", "must be an object");
        const json::object& object = value.get_object();
        Edge edge{.id = std::string{text_of(object, "id")}};
        if (edge.id.empty()) problem(".id", "must not be empty");
        const Port* from = read_end(object, "from", out, edge.from);
        const Port* to = read_end(object, "to", out, edge.to);
        if (from == nullptr || to == nullptr) return;
        if (from->queue != to->queue) {
            return problem(
                "", fmt::format(
                        "joins two queues, '{}' and '{}'; both ports must name the same one",
                        from->queue.text(), to->queue.text()));
        }
        if (const auto* selector = object.if_contains("selector")) {
            if (!selector->is_object()) return problem(".selector", "must be an object");
            edge.selector = selector->get_object();
        }
        if (!read_selector(edge, out)) return;
        out.edges.push_back(std::move(edge));
    }

    // Both lead into the same queue, so whoever reads it gets what either lets through.
    bool agrees(const Edge& edge, const Template& out) {
        const auto other = std::ranges::find(out.edges, edge.from, &Edge::from);
        if (other == out.edges.end() || other->selector == edge.selector) return true;
        problem(
            ".selector", fmt::format(
                             "edge '{}' leaves the same port with another one; give this edge a "
                             "port and a queue of its own",
                             other->id));
        return false;
    }

    bool read_selector(const Edge& edge, Template& out) {
        if (!agrees(edge, out)) return false;
        if (edge.selector.empty()) return true;
        auto selector = worker::read_selector(edge.from.port, edge.selector);
        if (!selector) {
            problem(".selector", selector.error().detail);
            return false;
        }
        for (BeeSpec& bee : out.bees) { // each of its replicas
            if (bee.bee != edge.from.bee) continue;
            if (std::ranges::find(bee.selectors, *selector) != bee.selectors.end()) continue;
            if (selector->policy == worker::SelectPolicy::first && has_else(bee)) {
                problem(
                    ".selector", "is never reached: an edge before it has the policy first and no "
                                 "expr, which takes everything; put that one last");
                return false;
            }
            bee.selectors.push_back(*selector);
        }
        return true;
    }

    static bool has_else(const BeeSpec& bee) {
        return std::ranges::any_of(bee.selectors, [](const worker::PortSelector& selector) {
            return selector.policy == worker::SelectPolicy::first && selector.expr.empty();
        });
    }

    // The port at one end of an edge; none after a problem.
    const Port*
    read_end(const json::object& edge, std::string_view side, const Template& out, Edge::End& end) {
        const auto* value = edge.if_contains(side);
        if (value == nullptr || !value->is_object()) {
            problem(fmt::format(".{}", side), "must name a bee and a port");
            return nullptr;
        }
        const json::object& object = value->get_object();
        end = {
            std::string{text_of(object, object.contains("beeId") ? "beeId" : "role")},
            std::string{text_of(object, "port")}};
        const auto bee = std::ranges::find(out.bees, end.bee, &BeeSpec::bee);
        if (bee == out.bees.end()) {
            problem(fmt::format(".{}", side), fmt::format("there is no bee '{}'", end.bee));
            return nullptr;
        }
        const auto& ports = side == "from" ? bee->out : bee->in;
        const auto port = std::ranges::find(ports, end.port, &Port::id);
        if (port != ports.end()) return &*port;
        problem(
            fmt::format(".{}.port", side), fmt::format(
                                               "bee '{}' has no port '{}' under work.{}", end.bee,
                                               end.port, side == "from" ? "out" : "in"));
        return nullptr;
    }

    const SwarmId& swarm_;
    std::string path_;
    std::string problems_;
    std::set<std::string> names_;
    std::map<Role, std::uint32_t> used_; // instances are numbered within their role
};

} // namespace

Result<Template> read_template(const SwarmId& swarm, const json::object& plan) {
    return Reader{swarm}.read(plan);
}

} // namespace hive::controller
