#pragma once

#include "api/rest/outbox.hpp"
#include "colony/webhooks/endpoint.hpp"
#include "kernel/id.hpp"
#include "kernel/random.hpp"

#include <atomic>
#include <mutex>
#include <optional>
#include <vector>

namespace hive::rest {

// Makes deliveries of what happens, for every webhook that wants to hear of it, in the transaction
// of the change. Who they are is remembered: a hive without webhooks pays nothing for them. What
// another server of the same hive changed is noticed when the courier looks, within a second.
class WebhookOutbox final : public Outbox {
public:
    explicit WebhookOutbox(HiveId hive) : hive_{std::move(hive)}, random_{Random::from_entropy()} {}

    Status take(store::Session& session, const Outgoing& outgoing) override;

    // In the unit that changed a webhook, and now and then: read them anew next time.
    void forget();
    // Has something been put in since the last question?
    bool take_news() { return news_.exchange(false); }

    const HiveId& hive() const noexcept { return hive_; }

private:
    Status learn(store::Session& session);

    HiveId hive_;
    std::mutex mutex_;
    Random random_;
    std::optional<std::vector<colony::webhooks::Endpoint>> known_{}; // without their secrets
    std::atomic<bool> news_ = true;                                  // of an earlier life, perhaps
};

} // namespace hive::rest
