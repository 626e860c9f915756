#pragma once

#include "api/problem.hpp"
#include "kernel/json.hpp"
#include "scenario/shelf.hpp"

#include <functional>
#include <string>

namespace hive::rest {

// What a swarm is made of.
struct SwarmOrder {
    json::object text{}; // the template
    json::object plan{}; // with the guards
    std::string scenario{};
    std::string revision{};
};

// From the body of a request: its template as it is, or a stored scenario with its choices.
// Nothing that does not validate becomes an order.
using ReadSwarmOrder =
    std::function<tl::expected<SwarmOrder, api::Problem>(const json::object& body)>;

ReadSwarmOrder orders_from(scenario::Shelf& shelf);

// Where there are no scenarios: templates only.
tl::expected<SwarmOrder, api::Problem> template_order(const json::object& body);

} // namespace hive::rest
