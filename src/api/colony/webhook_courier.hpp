#pragma once

#include "api/colony/webhook_office.hpp"
#include "api/rest/chores.hpp"
#include "colony/webhooks/delivering.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hive::rest {

// Carries deliveries: takes what is due in one transaction, sends it after the commit, and writes
// down what came of it in another, which also takes the next one. Each endpoint has a few attempts
// under way at most, so one that hangs holds up nobody else.
class WebhookCourier : public std::enable_shared_from_this<WebhookCourier> {
public:
    explicit WebhookCourier(const WebhookParts& parts) : parts_{parts} {}

    // Where answers are written down; before the chores run.
    void report_to(Transactions& transactions) { transactions_ = &transactions; }

    // Sends no more; once it returns nothing is being sent. Then the client can be closed.
    void close();

    Chore deliveries(); // sends what is due
    Chore log();        // keeps the log short

private:
    struct Parcel {
        colony::webhooks::Endpoint endpoint;
        colony::webhooks::Delivery delivery;
    };
    using Parcels = std::vector<Parcel>;

    bool is_time();
    Status collect(Unit& unit);
    std::size_t room_for(const std::string& endpoint);
    void dispatch();
    void send(const Parcel& parcel);
    void answered(const Parcel& parcel, Timestamp sent, const Result<web::Answer>& answer);
    Status follow(
        colony::webhooks::Office& office, const std::string& webhook,
        std::optional<Parcel>& next) const;
    void leave(const std::string& webhook);

    WebhookParts parts_;
    Transactions* transactions_ = nullptr;
    Parcels taken_{}; // by the unit under way: only the store's thread
    TimePoint look_at_{};
    std::mutex dispatching_;
    bool closed_ = false; // guarded by it
    std::mutex mutex_;
    std::map<std::string, std::size_t> under_way_{}; // places that are taken, by endpoint
};

} // namespace hive::rest
