#pragma once

#include "colony/webhooks/managing.hpp"

#include <string>
#include <vector>

namespace hive::colony::webhooks {

// Something that is told outside.
struct Happened {
    std::string event; // `task.claimed`
    json::object data{};
    Timestamp at{};
};
Delivery delivery_of(const Endpoint& endpoint, const Happened& happened, Random& random);

// What is due at an endpoint, at most so many, and now belongs to the caller: nobody else gets it
// before the time limit of an attempt is over.
Outcome<std::vector<Delivery>> take(Office& office, const Endpoint& endpoint, std::size_t most);

// What became of an attempt. Nothing when the endpoint or the delivery has been removed meanwhile.
Outcome<void> conclude(Office& office, std::string_view delivery, const Reply& reply);
// There was no attempt after all: the next one may come at once.
Outcome<void> give_back(Office& office, std::string_view delivery);

// Clears out a part of what is too old or too much. Says of what had not arrived yet.
Outcome<void> prune(Office& office, const Endpoint& endpoint);

} // namespace hive::colony::webhooks
