#pragma once

#include "scenario/bundle.hpp"
#include "scenario/members.hpp"
#include "scenario/model.hpp"

#include <vector>

namespace hive::scenario {

// What the parts of a scenario are read into. Bees come first: all others name them.
struct Reading {
    const Bundle& bundle;
    Scenario& scenario;
    std::vector<Finding>& findings;
    Report& report; // of the scenario's own file
};

void read_bees(const YamlNode& list, const std::string& path, Reading& reading);
void read_topology(const YamlNode& topology, Reading& reading);
void read_queues(const YamlNode& queues, const std::string& path, Reading& reading);
void read_plan(const YamlNode& plan, Reading& reading);
void read_guards(const YamlNode& policy, Reading& reading);
void read_thresholds(const YamlNode& list, Reading& reading);
void read_variables(
    const YamlNode& root, const std::string& path, Reading& reading, Report& report);
void read_sut(const YamlNode& root, const std::string& path, Sut& sut, Report& report);

// What can be wrong between bees: queues that nobody reads or feeds, circles.
void check_flow(Reading& reading);

} // namespace hive::scenario
