#include "colony/webhooks/delivering.hpp"

#include "kernel/timestamp.hpp"
#include "kernel/uuid.hpp"

namespace hive::colony::webhooks {
namespace {

// After this an attempt is over in any case, also when its answer waits for the store.
Duration hold_of(const Policy& policy) {
    return 2 * policy.attempt_within + std::chrono::seconds{5};
}

void say(Office& office, std::string type, const Endpoint& endpoint, json::object told) {
    told["webhook"] = endpoint.id;
    told["origin"] = origin_of(endpoint.url);
    office.moment.say(
        {.type = std::move(type),
         .entity_type = "webhook",
         .entity_id = endpoint.id,
         .told = std::move(told)});
}

std::string payload_of(const Happened& happened, const json::object& data) {
    return to_text(json::object{
        {"type", happened.event}, {"timestamp", format_timestamp(happened.at)}, {"data", data}});
}

// For what no receiver would take: what it was about.
json::object outline_of(const Happened& happened) {
    json::object outline{{"omitted", "too large"}};
    for (const auto* name : {"event", "actor", "entityType", "entityId", "at"}) {
        if (const auto* value = happened.data.if_contains(name)) outline[name] = *value;
    }
    return outline;
}

} // namespace

Delivery delivery_of(const Endpoint& endpoint, const Happened& happened, Random& random) {
    std::string payload = payload_of(happened, happened.data);
    if (payload.size() > payload_bytes_max) payload = payload_of(happened, outline_of(happened));
    return {
        .id = make_ordered_uuid(happened.at, random),
        .endpoint = endpoint.id,
        .event = happened.event,
        .payload = std::move(payload),
        .created = happened.at,
        .due = happened.at};
}

Outcome<std::vector<Delivery>> take(Office& office, const Endpoint& endpoint, std::size_t most) {
    const Timestamp now = office.moment.now();
    auto due = office.deliveries.due(endpoint.id, now, most);
    if (!due) return refuse(due.error());
    for (Delivery& delivery : *due) {
        delivery.due = now + hold_of(office.policy);
        if (auto ok = office.deliveries.update(delivery); !ok) return refuse(ok.error());
    }
    return *std::move(due);
}

Outcome<void> conclude(Office& office, std::string_view delivery, const Reply& reply) {
    auto found = office.deliveries.find(delivery);
    if (!found) return refuse(found.error());
    // What has arrived stays so, whatever a second attempt at the same time came to.
    if (!*found || (*found)->state == State::delivered) return {};
    auto endpoint = office.endpoints.find((*found)->endpoint);
    if (!endpoint) return refuse(endpoint.error());
    if (!*endpoint) return {};
    const Endpoint before = **endpoint;
    const Settled after = settle(
        {**std::move(found), **std::move(endpoint)}, office.policy, reply, office.moment.random());
    if (auto ok = office.deliveries.update(after.delivery); !ok) return refuse(ok.error());
    if (after.endpoint != before) {
        if (auto ok = office.endpoints.update(after.endpoint); !ok) return refuse(ok.error());
    }
    if (after.consequence == Consequence::none) return {};
    say(office, "webhook.disabled", after.endpoint,
        {{"because", after.endpoint.disabled_because},
         {"failingSince", format_timestamp(*after.endpoint.failing_since)},
         {"delivery", after.delivery.id}});
    return {};
}

Outcome<void> give_back(Office& office, std::string_view delivery) {
    auto found = office.deliveries.find(delivery);
    if (!found) return refuse(found.error());
    if (!*found || !(*found)->due) return {};
    (*found)->due = office.moment.now();
    if (auto ok = office.deliveries.update(**found); !ok) return refuse(ok.error());
    return {};
}

Outcome<void> prune(Office& office, const Endpoint& endpoint) {
    const auto pruned = office.deliveries.prune(
        {.endpoint = endpoint.id,
         .ended_before = office.moment.now() - office.policy.keep,
         .newest = office.policy.log_max});
    if (!pruned) return refuse(pruned.error());
    if (pruned->pending > 0) {
        say(office, "webhook.overflowed", endpoint, {{"dropped", pruned->pending}});
    }
    return {};
}

} // namespace hive::colony::webhooks
