#pragma once

#include "colony/webhooks/delivery.hpp"
#include "colony/webhooks/endpoint.hpp"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace hive::colony::webhooks {

class EndpointRepository {
public:
    virtual ~EndpointRepository() = default;
    virtual Status insert(const Endpoint& endpoint) = 0;
    virtual Status update(const Endpoint& endpoint) = 0;
    virtual Status remove(std::string_view id) = 0; // and its deliveries
    virtual Result<std::optional<Endpoint>> find(std::string_view id) const = 0;
    virtual Result<std::vector<Endpoint>> list() const = 0; // by id; at most endpoints_max
};

struct DeliveryQuery {
    std::string endpoint;
    std::optional<State> state{};
    std::string event{};  // empty: all
    std::string before{}; // older than this id
    std::size_t limit = 100;
};

struct Pruning {
    std::string endpoint;
    Timestamp ended_before{}; // what is over and older
    std::size_t newest = 0;   // so many are kept at most
    std::size_t batch = 1000; // are deleted at once
};
struct Pruned {
    std::uint64_t ended = 0;
    std::uint64_t pending = 0; // there were too many
};

class DeliveryRepository {
public:
    virtual ~DeliveryRepository() = default;
    virtual Status insert(const Delivery& delivery) = 0; // nothing when its endpoint is gone
    virtual Status update(const Delivery& delivery) = 0; // all but the payload
    virtual Result<std::optional<Delivery>> find(std::string_view id) const = 0;
    virtual Result<std::vector<Delivery>>
    list(const DeliveryQuery& query) const = 0; // newest first
    // The earliest first.
    virtual Result<std::vector<Delivery>>
    due(std::string_view endpoint, Timestamp now, std::size_t limit) const = 0;
    virtual Result<std::vector<Delivery>>
    since(std::string_view endpoint, Timestamp from, std::string_view after) const = 0;
    virtual Result<Pruned> prune(const Pruning& pruning) = 0;
};

} // namespace hive::colony::webhooks
