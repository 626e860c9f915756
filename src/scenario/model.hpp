#pragma once

#include "kernel/finding.hpp"
#include "kernel/json.hpp"
#include "kernel/yaml.hpp"
#include "scenario/guard.hpp"
#include "scenario/plan.hpp"
#include "scenario/variables.hpp"
#include "telemetry/threshold.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

struct Port {
    std::string id; // as written; may hold dots
    std::string queue;
    Position at{};
};

struct Bee {
    std::string id;     // unique: as written, else its role, numbered where several have that
    std::string role{}; // as written, else the kind
    std::string kind{}; // what it is: by its image, else by its role
    std::uint32_t replicas = 1;
    std::vector<Port> in{};
    std::vector<Port> out{};
    std::map<std::string, std::string> env{};
    json::object config{};  // in one level, without what means nothing here; references unresolved
    json::object restart{}; // as the controller reads it
    YamlNode written{};     // for positions
};

struct EdgeEnd {
    std::string bee; // its id
    std::string port;
};

struct Edge {
    std::string id;
    EdgeEnd from{};
    EdgeEnd to{};
    json::object selector{}; // empty: none
    Position at{};
};

struct QueueSettings {
    std::uint32_t max_length = 0; // 0: no bound
    Position at{};
};

struct Endpoint {
    std::string kind{}; // http, https, tcp or tcps
    std::string base_url{};
    std::string upstream_base_url{};
    Position at{};
};

// A system under test.
struct Sut {
    std::string id;
    std::string name{};
    std::string type{};
    std::map<std::string, Endpoint, std::less<>> endpoints{};
    std::string file{};
};

// A scenario as its bundle says it. What validated without an error has every rule of this model.
struct Scenario {
    std::string id{};
    std::string name{};
    std::string description{};
    std::string protocol_version{}; // empty: the older public generation, or our own
    std::vector<Bee> bees{};
    std::vector<Edge> edges{};
    std::map<std::string, QueueSettings, std::less<>> queues{};
    Plan plan{};
    std::vector<Guard> guards{};
    std::vector<telemetry::Threshold> thresholds{};
    Variables variables{};
    std::map<std::string, Sut, std::less<>> suts{};

    std::string root{}; // absolute folder of the bundle; empty for a single file
    std::string file{}; // the scenario's own file, as findings name it

    const Bee* find_bee(std::string_view bee) const noexcept;
};

} // namespace hive::scenario
