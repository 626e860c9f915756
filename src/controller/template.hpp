#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "worker/setup.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace hive::controller {

struct Port {
    std::string id; // as the scenario spells it; may hold dots
    QueueName queue;

    bool operator==(const Port&) const = default;
};

// What happens to a bee that ends as a failure. `never` keeps it as it is, for people to look at.
struct Restart {
    enum class Policy : std::uint8_t { never, on_failure };
    Policy policy = Policy::never;
    Duration backoff = std::chrono::seconds{1}; // doubles with each restart
    std::uint32_t max = 5;

    bool operator==(const Restart&) const = default;
};

// One process to launch: a bee of the scenario, or one of its replicas.
struct BeeSpec {
    std::string bee; // id in the scenario
    Role role;
    InstanceId instance;
    std::vector<Port> in{};
    std::vector<Port> out{};
    std::vector<worker::PortSelector> selectors{}; // of its out ports, as its edges say
    json::object config{};
    Restart restart{};
    std::map<std::string, std::string> env{}; // for its process, beside what the hive says there

    bool operator==(const BeeSpec&) const = default;
};

// A line of the scenario's drawing: from a port of one bee to a port of another.
struct Edge {
    struct End {
        std::string bee;
        std::string port;

        bool operator==(const End&) const = default;
    };
    std::string id;
    End from{};
    End to{};
    json::object selector{}; // empty: none

    bool operator==(const Edge&) const = default;
};

struct Template {
    std::vector<BeeSpec> bees; // in declaration order, never empty
    // How long a queue may grow before whoever feeds it waits; none: as long as the broker lets it.
    std::map<QueueName, std::size_t> max_lengths{};
    std::vector<Edge> edges{}; // none: the queues alone say who feeds whom

    bool operator==(const Template&) const = default;
};

// Reads `{"bees": [{"id", "role", "replicas", "work": {"in": {port: queue}, "out": {...}},
// "config", "env": {name: text}, "restart": {"policy", "backoff", "max"}}], "topology": {"edges":
// [...]}, "queues": {queue: {"maxLength": N}}}`. Both public forms: `id` or `beeId`, a flat
// `config` or one with members under `worker`. The error lists every problem with its path.
Result<Template> read_template(const SwarmId& swarm, const json::object& plan);

} // namespace hive::controller
