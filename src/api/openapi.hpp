#pragma once

#include "api/route_table.hpp"
#include "kernel/json.hpp"

#include <string>

namespace hive::api {

struct ApiInfo {
    std::string title;
    std::string version;
    std::string description{};
};

// The OpenAPI 3.1 document of a table. It has no other source, so it cannot disagree with it.
json::object make_openapi(const RouteTable& table, const ApiInfo& info);

} // namespace hive::api
