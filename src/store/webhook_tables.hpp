#pragma once

#include "colony/webhooks/repository.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class WebhookTable final : public colony::webhooks::EndpointRepository {
public:
    WebhookTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Endpoint = colony::webhooks::Endpoint;

    Status insert(const Endpoint& endpoint) override;
    Status update(const Endpoint& endpoint) override;
    Status remove(std::string_view id) override;
    Result<std::optional<Endpoint>> find(std::string_view id) const override;
    Result<std::vector<Endpoint>> list() const override;

private:
    Result<std::vector<Endpoint>> select(std::string_view rest, Params params) const;

    Session* session_;
    HiveId hive_;
};

class DeliveryTable final : public colony::webhooks::DeliveryRepository {
public:
    DeliveryTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Delivery = colony::webhooks::Delivery;

    Status insert(const Delivery& delivery) override;
    Status update(const Delivery& delivery) override;
    Result<std::optional<Delivery>> find(std::string_view id) const override;
    Result<std::vector<Delivery>> list(const colony::webhooks::DeliveryQuery& query) const override;
    Result<std::vector<Delivery>>
    due(std::string_view endpoint, Timestamp now, std::size_t limit) const override;
    Result<std::vector<Delivery>>
    since(std::string_view endpoint, Timestamp from, std::string_view after) const override;
    Result<colony::webhooks::Pruned> prune(const colony::webhooks::Pruning& pruning) override;

private:
    Result<std::vector<Delivery>> select(std::string_view rest, Params params) const;
    // The newest of those that are too many; empty: there are none.
    Result<std::string> first_too_many(const colony::webhooks::Pruning& pruning) const;
    Result<std::int64_t> drop(std::string_view which, Params params);

    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
