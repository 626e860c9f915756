#pragma once

#include "api/colony/webhook_office.hpp"
#include "api/rest/session_routes.hpp"

namespace hive::rest {

// Answers requests about webhooks.
class WebhookDesk {
public:
    WebhookDesk(const SessionParts& sessions, const WebhookParts& webhooks)
        : sessions_{sessions}, webhooks_{webhooks} {}

    using Later = asio::awaitable<http::Response>;
    Later list(api::Call call) const;
    Later show(api::Call call) const;
    Later create(api::Call call) const;
    Later change(api::Call call) const;
    Later remove(api::Call call) const;
    Later rotate(api::Call call) const;
    Later test(api::Call call) const;
    Later deliveries(api::Call call) const;
    Later delivery(api::Call call) const;
    Later replay(api::Call call) const;
    Later replay_all(api::Call call) const;

private:
    using OfficeWork =
        std::function<Result<http::Response>(colony::webhooks::Office& office, const Unit& unit)>;
    Later act(api::Call call, OfficeWork work) const;
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }

    SessionParts sessions_;
    WebhookParts webhooks_;
};

} // namespace hive::rest
