#include "api/rest/transactions.hpp"

#include "api/http/await_callback.hpp"
#include "api/rest/kept_answers.hpp"
#include "kernel/timestamp.hpp"
#include "store/idempotency.hpp"

#include <fmt/format.h>

#include <memory>
#include <optional>

namespace hive::rest {
namespace {

// A little longer than a unit of work may take: the store ends every unit, with a better reason.
constexpr Duration patience = std::chrono::seconds{15};

// What a unit leaves behind. Shared: either side may go first.
struct Outcome {
    std::optional<http::Response> response{};
    std::vector<Change::Announcement> announcements{};
};

// One request's change with everything it needs, so that it can outlive the request.
struct RequestedChange {
    ChangeWork work;
    Cause cause;
    std::optional<store::KeyedRequest> key{};
    Timestamp now{};
    std::string path{};
    Outbox* outbox = nullptr;

    http::Response refuse(const api::Problem& problem) const {
        return api::to_response(problem, path, cause.request_id);
    }

    // An answer that is not to be kept ends the unit with an error nobody reads.
    static Status undo(Outcome& outcome, http::Response answer) {
        outcome.response = std::move(answer);
        return fail(Errc::conflict, "refused");
    }

    Status run(store::Session& session, store::Facts& facts, Outcome& outcome) const {
        outcome = {};
        Timestamp claimed{};
        if (key) {
            auto claim = store::claim_key(session, *key, now);
            if (!claim && claim.error().code == Errc::conflict) {
                return undo(outcome, refuse(key_of_another()));
            }
            if (!claim) return fail(claim.error());
            if (std::holds_alternative<store::InFlight>(*claim)) {
                return undo(outcome, refuse(key_in_flight()));
            }
            if (const auto* replay = std::get_if<store::Replay>(&*claim)) {
                outcome.response = replayed(replay->answer);
                return {};
            }
            claimed = std::get<store::Fresh>(*claim).claimed;
        }
        Change change{session, cause, now, outbox};
        auto answer = work(change);
        if (!answer) return fail(answer.error());
        if (answer->status >= 400) return undo(outcome, std::move(*answer));
        if (key) {
            const store::KeptAnswer kept{to_kept(*answer), claimed};
            if (auto ok = store::keep_answer(session, *key, kept, now); !ok) return ok;
        }
        facts = std::move(change.facts());
        outcome.announcements = std::move(change.announcements());
        outcome.response = std::move(*answer);
        return {};
    }
};

void publish(api::EventHub& hub, std::vector<Change::Announcement>& announcements) {
    for (auto& [topic, data] : announcements) hub.publish(std::move(topic), std::move(data));
}

http::Response answer_of(const api::Call& call, std::optional<Status> status, Outcome& outcome) {
    if (!status) {
        return call.fail(Error{Errc::timeout, "the store did not answer in time; ask again"});
    }
    if (outcome.response) return std::move(*outcome.response);
    return call.fail(
        *status ? Error{Errc::unavailable, "the store gave no answer"} : status->error());
}

} // namespace

std::string actor_of(const api::Principal& who) {
    return fmt::format("{}:{}", name_of(who.role), who.id);
}

Cause cause_of(const api::Call& call) {
    return {
        .actor = call.principal() ? actor_of(*call.principal()) : "nobody",
        .request_id = call.trace().request_id,
        .correlation_id = call.trace().trace_id};
}

Status Change::record(Happening happening) {
    auto details = audit::Details::of(happening.details);
    if (!details) return fail(details.error());
    json::object told = std::move(happening.told);
    told["event"] = happening.action;
    told["actor"] = cause_->actor;
    told["entityType"] = happening.entity_type;
    told["entityId"] = happening.entity_id;
    told["at"] = format_timestamp(now_);
    if (outbox_ != nullptr) {
        if (auto ok = outbox_->take(*session_, {happening.action, told, now_}); !ok) return ok;
    }
    announcements_.push_back(
        {happening.topic.empty() ? happening.action : std::move(happening.topic), to_text(told)});
    facts_.push_back(
        {.time = now_,
         .actor = cause_->actor,
         .action = std::move(happening.action),
         .entity_type = std::move(happening.entity_type),
         .entity_id = std::move(happening.entity_id),
         .correlation_id = cause_->correlation_id,
         .request_id = cause_->request_id,
         .details = std::move(*details)});
    return {};
}

http::Response Change::refuse(const api::Problem& problem) const {
    return api::to_response(problem, {}, cause_->request_id);
}

asio::awaitable<http::Response> Transactions::read(api::Call call, ReadWork work) {
    auto outcome = std::make_shared<Outcome>();
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = chronicle_->database().read(
                {.work = [outcome, work = std::move(work)](store::Session& session) -> Status {
                    auto answer = work(session);
                    if (!answer) return fail(answer.error());
                    outcome->response = std::move(*answer);
                    return {};
                }},
                done);
            if (!taken) done(taken);
        },
        patience);
    co_return answer_of(call, status, *outcome);
}

asio::awaitable<Result<std::string>>
Transactions::snapshot(std::function<Result<std::string>(store::Session&)> work) {
    auto found = std::make_shared<std::string>();
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            auto taken = chronicle_->database().read(
                {.work = [found, work = std::move(work)](store::Session& session) -> Status {
                    auto text = work(session);
                    if (!text) return fail(text.error());
                    *found = std::move(*text);
                    return {};
                }},
                done);
            if (!taken) done(taken);
        },
        patience);
    if (!status) co_return fail(Errc::timeout, "the store did not answer in time; ask again");
    if (!*status) co_return fail(status->error());
    co_return std::move(*found);
}

asio::awaitable<http::Response> Transactions::change(api::Call call, ChangeWork work) {
    return change_as(call, cause_of(call), std::move(work));
}

asio::awaitable<http::Response>
Transactions::change_as(api::Call call, Cause cause, ChangeWork work) {
    auto outcome = std::make_shared<Outcome>();
    auto requested = std::make_shared<const RequestedChange>(RequestedChange{
        .work = std::move(work),
        .cause = std::move(cause),
        .key = keyed_request(call, chronicle_->hive(), call.request().target),
        .now = clock_->wall(),
        .path = std::string{call.request().path},
        .outbox = outbox_});
    const auto status = co_await http::await_callback<Status>(
        [&](const std::function<void(Status)>& done) {
            // Events go out from the store's thread, so that their order is that of the commits.
            auto taken = chronicle_->change(
                {.work =
                     [outcome, requested](store::Session& session, store::Facts& facts) {
                         return requested->run(session, facts, *outcome);
                     }},
                [outcome, hub = hub_, done](Status ended) {
                    if (ended) publish(*hub, outcome->announcements);
                    done(std::move(ended));
                });
            if (!taken) done(taken);
        },
        patience);
    co_return answer_of(call, status, *outcome);
}

Status Transactions::change(Cause cause, std::function<Status(Change&)> work, store::Done done) {
    auto outcome = std::make_shared<Outcome>();
    const Timestamp now = clock_->wall();
    return chronicle_->change(
        {.work = [outcome, now, outbox = outbox_, cause = std::move(cause),
                  work = std::move(work)](store::Session& session, store::Facts& facts) -> Status {
            Change change{session, cause, now, outbox};
            if (auto ok = work(change); !ok) return ok;
            facts = std::move(change.facts());
            outcome->announcements = std::move(change.announcements());
            return {};
        }},
        [outcome, hub = hub_, done = std::move(done)](Status ended) {
            if (ended) publish(*hub, outcome->announcements);
            if (done) done(std::move(ended));
        });
}

} // namespace hive::rest
