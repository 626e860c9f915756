#pragma once

#include "api/call.hpp"
#include "api/event_hub.hpp"
#include "api/rest/outbox.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "store/chronicle.hpp"
#include "store/session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace hive::rest {

namespace asio = http::asio;

// Who caused a change, by which request: copied from the call, because a change may still run when
// the connection it came over has gone.
struct Cause {
    std::string actor; // `human:alice`
    std::string request_id{};
    std::string correlation_id{};
};
Cause cause_of(const api::Call& call);
std::string actor_of(const api::Principal& who);

struct Happening {
    std::string action; // `key.created`; also the topic of the event
    std::string entity_type;
    std::string entity_id;
    json::object details{};
    // What subscribers get besides who, what and when, and under which topic (empty: the action).
    json::object told{};
    std::string topic{};
};

// One change on its way: its transaction, and what is to be said about it.
class Change {
public:
    Change(store::Session& session, const Cause& cause, Timestamp now, Outbox* outbox = nullptr)
        : session_{&session}, cause_{&cause}, now_{now}, outbox_{outbox} {}

    store::Session& session() const noexcept { return *session_; }
    Timestamp now() const noexcept { return now_; }

    // Into the audit log and the outbox, in this transaction; and to everyone who may hear it, once
    // it is committed.
    Status record(Happening happening);

    // An answer that undoes everything.
    http::Response refuse(const api::Problem& problem) const;

    store::Facts& facts() noexcept { return facts_; }
    struct Announcement {
        std::string topic;
        std::string data;
    };
    std::vector<Announcement>& announcements() noexcept { return announcements_; }

private:
    store::Session* session_;
    const Cause* cause_;
    Timestamp now_;
    Outbox* outbox_; // null: nobody outside is told
    store::Facts facts_{};
    std::vector<Announcement> announcements_{};
};

// Both run on a thread of the store, perhaps more than once, perhaps after the caller has gone:
// they capture values, never the Call. An error, or an answer of 400 and above, undoes everything.
using ReadWork = std::function<Result<http::Response>(store::Session& session)>;
using ChangeWork = std::function<Result<http::Response>(Change& change)>;

// How handlers reach the store.
class Transactions {
public:
    Transactions(
        store::Chronicle& chronicle, api::EventHub& hub, const Clock& clock,
        Outbox* outbox = nullptr)
        : chronicle_{&chronicle}, hub_{&hub}, clock_{&clock}, outbox_{outbox} {}

    asio::awaitable<http::Response> read(api::Call call, ReadWork work);
    asio::awaitable<Result<std::string>>
    snapshot(std::function<Result<std::string>(store::Session&)> work);
    // At most once per Idempotency-Key of the caller: a repeated request gets the first answer.
    asio::awaitable<http::Response> change(api::Call call, ChangeWork work);
    // The same in the name of someone who just proved who they are.
    asio::awaitable<http::Response> change_as(api::Call call, Cause cause, ChangeWork work);

    // For what no request asked for: the server's own acts, and refused logins.
    Status change(Cause cause, std::function<Status(Change&)> work, store::Done done);

    const Clock& clock() const noexcept { return *clock_; }
    store::Chronicle& chronicle() const noexcept { return *chronicle_; }
    api::EventHub& hub() const noexcept { return *hub_; }
    Outbox* outbox() const noexcept { return outbox_; }

private:
    store::Chronicle* chronicle_;
    api::EventHub* hub_;
    const Clock* clock_;
    Outbox* outbox_;
};

} // namespace hive::rest
