#include "api/colony/webhook_outbox.hpp"

#include "colony/webhooks/delivering.hpp"
#include "store/webhook_tables.hpp"

namespace hive::rest {

void WebhookOutbox::forget() {
    const std::lock_guard lock{mutex_};
    known_.reset();
}

Status WebhookOutbox::learn(store::Session& session) {
    auto all = store::WebhookTable{session, hive_}.list();
    if (!all) return fail(all.error());
    for (auto& endpoint : *all) endpoint.secrets = {};
    known_ = *std::move(all);
    return {};
}

Status WebhookOutbox::take(store::Session& session, const Outgoing& outgoing) {
    const std::lock_guard lock{mutex_};
    if (!known_) {
        if (auto ok = learn(session); !ok) return ok;
    }
    store::DeliveryTable log{session, hive_};
    for (const auto& endpoint : *known_) {
        if (!wants(endpoint, outgoing.event)) continue;
        const auto delivery = colony::webhooks::delivery_of(
            endpoint,
            {.event = std::string{outgoing.event}, .data = outgoing.data, .at = outgoing.at},
            random_);
        if (auto ok = log.insert(delivery); !ok) return ok;
        news_ = true;
    }
    return {};
}

} // namespace hive::rest
