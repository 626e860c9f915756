#pragma once

#include "worker/workload.hpp"

#include <string>

namespace hive::bees {

// Makes a request of each item, from the template of the call that its headers name. Known under
// two roles: `http-builder` and `request-builder`.
worker::BeeKind http_builder(std::string role = "http-builder");

} // namespace hive::bees
