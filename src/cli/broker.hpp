#pragma once

#include "cli/components.hpp"
#include "kernel/config_type.hpp"
#include "kernel/log.hpp"

#include <map>
#include <string>

namespace hive::cli {

// Connections to a RabbitMQ. What happens to them is logged.
Result<Connect> connect_to(const Url& broker, const Logger& log);

// What every process of a hive with a broker is told; the values are secret.
struct Inheritance {
    std::string broker;
    std::string data;
    std::string log_level;
};
std::map<std::string, std::string>
inherited_environment(const Inheritance& inheritance, const ComponentConfig& config);

std::string whole_path(const std::string& directory); // for who runs elsewhere

std::string own_program(); // the path of this binary

} // namespace hive::cli
