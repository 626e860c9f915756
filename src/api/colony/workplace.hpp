#pragma once

#include "api/colony/claim_room.hpp"
#include "api/colony/colony_policy.hpp"
#include "api/colony/unit.hpp"
#include "colony/bees/bee.hpp"
#include "colony/channels/posting.hpp"
#include "colony/tasks/bench.hpp"
#include "store/bee_tables.hpp"
#include "store/message_tables.hpp"
#include "store/task_tables.hpp"

namespace hive::rest {

class FileSync;

// What the colony's routes and chores share; outlives the server.
struct ColonyParts {
    ColonyPolicy policy{};
    ClaimRoom room{};
    FileSync* files = nullptr; // none: no files are kept in step
};

// The places of the colony in one unit: where its use cases act.
class Workplace {
public:
    Workplace(Unit& unit, ColonyParts& parts)
        : unit_{&unit}, parts_{&parts}, tasks_{unit.session(), unit.hive()},
          messages_{unit.session(), unit.hive()}, bees_{unit.session(), unit.hive()},
          bench_{tasks_, gate_, unit.moment()}, desk_{messages_, unit.moment(), parts.policy.quota},
          hall_{bees_, unit.moment()} {}
    Workplace(const Workplace&) = delete;
    Workplace& operator=(const Workplace&) = delete;

    colony::tasks::Bench& bench() noexcept { return bench_; }
    colony::channels::Desk& desk() noexcept { return desk_; }
    colony::bees::Hall& hall() noexcept { return hall_; }
    const colony::Actor& actor() const noexcept { return unit_->moment().actor(); }

    // A paused bee gets no new task. `bee`: empty is whoever acts.
    colony::Outcome<void> check_may_claim(const std::string& bee);

    // A bee that did something was there, and bees that wait hear of tasks they can take. Called
    // last, when the act was not refused.
    Result<http::Response> leave(http::Response answer);

private:
    Unit* unit_;
    ColonyParts* parts_;
    colony::OpenGate gate_{};
    store::TaskTable tasks_;
    store::MessageTable messages_;
    store::BeeTable bees_;
    colony::tasks::Bench bench_;
    colony::channels::Desk desk_;
    colony::bees::Hall hall_;
};

// One act of a caller in the colony.
using PlaceWork = std::function<Result<http::Response>(Workplace& place, const Unit& unit)>;
asio::awaitable<http::Response>
act_in_colony(SessionParts sessions, ColonyParts& colony, api::Call call, PlaceWork work);

} // namespace hive::rest
