#include "api/rest/refusals.hpp"

#include "api/route.hpp"

namespace hive::rest {

void Refusals::note(Refused refused) {
    std::optional<Refused> now;
    {
        const std::lock_guard lock{mutex_};
        now = book_.note(std::move(refused), transactions_->clock().now());
    }
    if (now) write(*now);
}

void Refusals::denied(const api::Call& call, const api::Problem& why) {
    Cause cause = cause_of(call);
    const http::Peer* peer = call.request().peer;
    note(
        {.action = "auth.denied",
         .actor = std::move(cause.actor),
         .reason = why.code,
         .entity_type = "operation",
         .entity_id = call.route().id,
         .peer = peer == nullptr ? std::string{} : peer->address,
         .request_id = std::move(cause.request_id)});
}

void Refusals::write_due() {
    std::vector<Refused> due;
    {
        const std::lock_guard lock{mutex_};
        due = book_.take_due(transactions_->clock().now());
    }
    for (const Refused& refused : due) write(refused);
}

void Refusals::write_all() {
    std::vector<Refused> all;
    {
        const std::lock_guard lock{mutex_};
        all = book_.take_all();
    }
    for (const Refused& refused : all) write(refused);
}

void Refusals::write(const Refused& refused) {
    log_.warn(
        "refused", {{"who", refused.actor},
                    {"peer", refused.peer},
                    {"reason", refused.reason},
                    {"count", refused.count}});
    auto taken = transactions_->change(
        {.actor = refused.actor, .request_id = refused.request_id},
        [refused](Change& change) {
            json::object details{{"reason", refused.reason}, {"count", refused.count}};
            if (!refused.peer.empty()) details["peer"] = refused.peer;
            return change.record(
                {.action = refused.action,
                 .entity_type = refused.entity_type,
                 .entity_id = refused.entity_id,
                 .details = std::move(details)});
        },
        [log = log_](const Status& ended) {
            if (!ended) log.error("cannot record a refusal", {{"reason", ended.error().detail}});
        });
    if (!taken) log_.error("cannot record a refusal", {{"reason", taken.error().detail}});
}

} // namespace hive::rest
