#pragma once

#include "kernel/id.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"
#include "scenario/catalog.hpp"
#include "scenario/model.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::scenario {

// What is left open by a scenario and decided for one run.
struct Choices {
    std::string sut{};     // empty: the only one there is
    std::string profile{}; // empty: `default`, or the only one there is
    // `generator.inputs.scheduler.ratePerSec=50`: a bee, then a path in its configuration. The
    // value is read as JSON and, where it is none, as text.
    std::vector<std::string> overrides{};
    // Base URLs by endpoint, before those of the environment.
    std::map<std::string, std::string, std::less<>> endpoints{};
};

// Bees of one id; instances are numbered from `first` within their role.
struct Crew {
    std::string bee;
    std::string role;
    std::uint32_t first = 1;
    std::uint32_t count = 1;
};

struct Compiled {
    std::string id{};
    std::string name{};
    std::string sut{};     // what was chosen; empty: none
    std::string profile{}; // likewise
    json::object bees{};   // what controller::read_template takes: bees, topology, queues
    std::vector<Crew> crews{};
    Plan plan{};
    std::vector<Guard> guards{}; // those that are off too
    std::vector<telemetry::Threshold> thresholds{};
};

// Of a scenario that was loaded without errors. Errc::invalid says every choice that is missing or
// wrong. Secrets stay references: see resolve_secrets. The catalog says which texts are templates,
// whose variables stay for whoever renders them; without it they become text as well.
Result<Compiled>
compile(const Scenario& scenario, const Choices& choices = {}, const Catalog& catalog = {});

// Whom a step of the plan is for, by name. Empty for the swarm as a whole.
Result<std::vector<InstanceId>>
instances_of(const Target& target, const Compiled& compiled, const SwarmId& swarm);

// Puts what `{env:NAME}` and `{file:PATH}` stand for into every text below `value`: as late as can
// be, and the result is not to be shown. The error names the reference.
Status resolve_secrets(json::value& value, const SecretSources& sources);

} // namespace hive::scenario
