#include "colony/webhooks/managing.hpp"

#include "colony/webhooks/delivering.hpp"
#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"
#include "kernel/uuid.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

namespace hive::colony::webhooks {
namespace {

// No path and no query: they may hold what only the receiver should know.
void say(Office& office, std::string type, const Endpoint& endpoint, json::object more = {}) {
    json::object told = std::move(more);
    told["webhook"] = endpoint.id;
    told["origin"] = origin_of(endpoint.url);
    told["events"] = json::value_from(endpoint.events);
    told["format"] = name_of(endpoint.format);
    told["enabled"] = endpoint.enabled;
    office.moment.say(
        {.type = std::move(type),
         .entity_type = "webhook",
         .entity_id = endpoint.id,
         .told = std::move(told)});
}

Outcome<void> check(const Endpoint& endpoint) {
    if (auto ok = check_url(endpoint.url); !ok) {
        return refuse(Errc::invalid, "bad-url", ok.error().detail);
    }
    if (endpoint.events.empty()) {
        return refuse(Errc::invalid, "bad-events", "events: say at least one, such as task.*");
    }
    for (const auto& pattern : endpoint.events) {
        if (auto ok = check_pattern(pattern); !ok) {
            return refuse(Errc::invalid, "bad-events", ok.error().detail);
        }
    }
    return {};
}

Outcome<void> check_room(const Office& office) {
    const auto all = office.endpoints.list();
    if (!all) return refuse(all.error());
    if (all->size() < endpoints_max) return {};
    return refuse(
        Errc::conflict, "too-many-webhooks",
        fmt::format("a hive has {} webhooks at most; remove one first", endpoints_max));
}

// From now on as if it were new.
Status send_again(Office& office, Delivery& delivery) {
    delivery.state = State::pending;
    delivery.due = office.moment.now();
    delivery.tries = 0;
    return office.deliveries.update(delivery);
}

Outcome<void> check_enabled(const Endpoint& endpoint) {
    if (endpoint.enabled) return {};
    return refuse(Errc::conflict, "webhook-disabled", "this webhook is disabled; enable it first");
}

} // namespace

Outcome<Endpoint> find_endpoint(const Office& office, std::string_view id) {
    auto found = office.endpoints.find(id);
    if (!found) return refuse(found.error());
    if (!*found) {
        return refuse(
            Errc::not_found, "no-such-webhook", fmt::format("there is no webhook '{}'", id));
    }
    return **std::move(found);
}

Outcome<Delivery>
find_delivery(const Office& office, std::string_view endpoint, std::string_view id) {
    auto found = office.deliveries.find(id);
    if (!found) return refuse(found.error());
    if (!*found || (*found)->endpoint != endpoint) {
        return refuse(
            Errc::not_found, "no-such-delivery",
            fmt::format("this webhook has no delivery '{}'; it may have been cleared out", id));
    }
    return **std::move(found);
}

Outcome<Endpoint> create(Office& office, NewEndpoint wanted) {
    Endpoint endpoint{
        .id = make_ordered_uuid(office.moment.now(), office.moment.random()),
        .url = std::move(wanted.url),
        .events = std::move(wanted.events),
        .format = wanted.format,
        .description = std::move(wanted.description),
        .enabled = wanted.enabled,
        .created = office.moment.now(),
        .secrets = {.signing = std::move(wanted.signing), .token = std::move(wanted.token)}};
    if (auto ok = check(endpoint); !ok) return refuse(ok.error());
    if (auto ok = check_room(office); !ok) return refuse(ok.error());
    if (auto ok = office.endpoints.insert(endpoint); !ok) return refuse(ok.error());
    say(office, "webhook.created", endpoint);
    return endpoint;
}

Outcome<Endpoint> change(Office& office, std::string_view id, Changes changes) {
    auto endpoint = find_endpoint(office, id);
    if (!endpoint) return endpoint;
    if (changes.url) endpoint->url = *std::move(changes.url);
    if (changes.events) endpoint->events = *std::move(changes.events);
    if (changes.format) endpoint->format = *changes.format;
    if (changes.description) endpoint->description = *std::move(changes.description);
    if (changes.token) endpoint->secrets.token = *std::move(changes.token);
    if (changes.enabled) {
        endpoint->enabled = *changes.enabled;
        endpoint->disabled_because.clear();
        endpoint->failing_since.reset(); // it gets its days again
    }
    if (auto ok = check(*endpoint); !ok) return refuse(ok.error());
    if (auto ok = office.endpoints.update(*endpoint); !ok) return refuse(ok.error());
    say(office, "webhook.changed", *endpoint);
    return endpoint;
}

Outcome<Endpoint> remove(Office& office, std::string_view id) {
    auto endpoint = find_endpoint(office, id);
    if (!endpoint) return endpoint;
    if (auto ok = office.endpoints.remove(id); !ok) return refuse(ok.error());
    say(office, "webhook.removed", *endpoint);
    return endpoint;
}

Outcome<Endpoint> rotate(Office& office, std::string_view id, const Rotation& rotation) {
    auto endpoint = find_endpoint(office, id);
    if (!endpoint) return endpoint;
    Secrets& secrets = endpoint->secrets;
    secrets.former = std::exchange(secrets.signing, rotation.fresh);
    secrets.former_until = office.moment.now() + rotation.overlap.value_or(office.policy.overlap);
    if (auto ok = office.endpoints.update(*endpoint); !ok) return refuse(ok.error());
    say(office, "webhook.rotated", *endpoint,
        {{"formerUntil", format_timestamp(*secrets.former_until)}});
    return endpoint;
}

Outcome<Delivery> replay(Office& office, std::string_view endpoint, std::string_view id) {
    const auto target = find_endpoint(office, endpoint);
    if (!target) return refuse(target.error());
    if (auto ok = check_enabled(*target); !ok) return refuse(ok.error());
    auto delivery = find_delivery(office, endpoint, id);
    if (!delivery) return delivery;
    if (auto ok = send_again(office, *delivery); !ok) return refuse(ok.error());
    say(office, "webhook.replayed", *target, {{"delivery", delivery->id}, {"deliveries", 1}});
    return delivery;
}

Outcome<std::size_t> replay_all(Office& office, std::string_view endpoint, const Replay& wanted) {
    const auto target = find_endpoint(office, endpoint);
    if (!target) return refuse(target.error());
    if (auto ok = check_enabled(*target); !ok) return refuse(ok.error());
    std::size_t count = 0;
    std::string after;
    for (bool more = true; more && count < replay_max;) {
        auto page = office.deliveries.since(endpoint, wanted.since, after);
        if (!page) return refuse(page.error());
        more = !page->empty();
        for (Delivery& delivery : *page) {
            after = delivery.id;
            const bool again = wanted.only_failed ? delivery.state == State::failed
                                                  : delivery.state != State::pending;
            if (!again || count == replay_max) continue;
            if (auto ok = send_again(office, delivery); !ok) return refuse(ok.error());
            ++count;
        }
    }
    say(office, "webhook.replayed", *target,
        {{"since", format_timestamp(wanted.since)}, {"deliveries", count}});
    return count;
}

Outcome<Delivery> test(Office& office, std::string_view id) {
    const auto endpoint = find_endpoint(office, id);
    if (!endpoint) return refuse(endpoint.error());
    if (auto ok = check_enabled(*endpoint); !ok) return refuse(ok.error());
    const Happened ping{
        .event = "ping",
        .data =
            {{"event", "ping"},
             {"entityType", "webhook"},
             {"entityId", endpoint->id},
             {"actor", office.moment.actor().id}},
        .at = office.moment.now()};
    Delivery delivery = delivery_of(*endpoint, ping, office.moment.random());
    if (auto ok = office.deliveries.insert(delivery); !ok) return refuse(ok.error());
    say(office, "webhook.tested", *endpoint, {{"delivery", delivery.id}});
    return delivery;
}

} // namespace hive::colony::webhooks
