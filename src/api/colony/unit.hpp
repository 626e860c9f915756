#pragma once

#include "api/rest/session_routes.hpp"
#include "api/rest/transactions.hpp"
#include "colony/moment.hpp"
#include "colony/refusal.hpp"
#include "kernel/random.hpp"

#include <functional>

namespace hive::rest {

colony::Actor colony_actor(const api::Principal& who);
colony::Actor hive_itself(); // whoever does what no one asked for

// One act of the colony inside the transaction of a change.
class Unit {
public:
    Unit(Change& change, const HiveId& hive, colony::Actor actor)
        : change_{&change}, hive_{&hive}, random_{Random::from_entropy()},
          moment_{std::move(actor), change.now(), random_} {}
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;

    store::Session& session() const noexcept { return change_->session(); }
    const HiveId& hive() const noexcept { return *hive_; }
    colony::Moment& moment() noexcept { return moment_; }
    const colony::Moment& moment() const noexcept { return moment_; }
    Timestamp now() const noexcept { return moment_.now(); }

    // What was said in the moment goes into the audit log and, after the commit, to subscribers.
    // Called by those who make a unit, after its work.
    Status record();

    // The problem document of a refusal; it undoes everything.
    http::Response refuse(const colony::Refusal& refusal) const;
    http::Response refuse(const api::Problem& problem) const { return change_->refuse(problem); }

private:
    Change* change_;
    const HiveId* hive_;
    Random random_;
    colony::Moment moment_;
};

// Both run on a thread of the store, perhaps more than once: they capture values, never the Call.
using UnitWork = std::function<Result<http::Response>(Unit& unit)>;
asio::awaitable<http::Response> act(SessionParts parts, api::Call call, UnitWork work);

api::Problem problem_of(const colony::Refusal& refusal);

// The answer to what a use case made of an act.
template <class T, class Show>
http::Response answer(const Unit& unit, const colony::Outcome<T>& done, Show show) {
    return done ? show(*done) : unit.refuse(done.error());
}

// For chores.
std::function<Status(Change&)> as_chore(HiveId hive, std::function<Status(Unit&)> work);

} // namespace hive::rest
