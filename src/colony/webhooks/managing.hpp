#pragma once

#include "colony/moment.hpp"
#include "colony/refusal.hpp"
#include "colony/webhooks/policy.hpp"
#include "colony/webhooks/repository.hpp"

#include <optional>
#include <string>

namespace hive::colony::webhooks {

// Where webhooks are kept and worked on, in one act.
struct Office {
    EndpointRepository& endpoints;
    DeliveryRepository& deliveries;
    Moment& moment;
    const Policy& policy;
};

struct NewEndpoint {
    std::string url;
    Words events;
    Format format = Format::standard;
    std::string description{};
    bool enabled = true;
    Secret signing; // made by the caller: it has to be unguessable
    Secret token{};
};
Outcome<Endpoint> create(Office& office, NewEndpoint wanted);

struct Changes {
    std::optional<std::string> url{};
    std::optional<Words> events{};
    std::optional<Format> format{};
    std::optional<std::string> description{};
    std::optional<bool> enabled{};
    std::optional<Secret> token{}; // empty: none any more
};
Outcome<Endpoint> change(Office& office, std::string_view id, Changes changes);
Outcome<Endpoint> remove(Office& office, std::string_view id);

// The old secret signs as well for a while, so that the receiver can be told in peace.
struct Rotation {
    Secret fresh;
    std::optional<Duration> overlap{};
};
Outcome<Endpoint> rotate(Office& office, std::string_view id, const Rotation& rotation);

Outcome<Endpoint> find_endpoint(const Office& office, std::string_view id);
Outcome<Delivery>
find_delivery(const Office& office, std::string_view endpoint, std::string_view id);

// Sends what was sent before, under the same id.
Outcome<Delivery> replay(Office& office, std::string_view endpoint, std::string_view id);
struct Replay {
    Timestamp since{};
    bool only_failed = true;
};
inline constexpr std::size_t replay_max = 10'000;
Outcome<std::size_t> replay_all(Office& office, std::string_view endpoint, const Replay& wanted);

// A `ping`, whatever the endpoint subscribes to.
Outcome<Delivery> test(Office& office, std::string_view id);

} // namespace hive::colony::webhooks
