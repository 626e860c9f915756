#include "api/colony/run_booker.hpp"

#include "api/colony/budget_keeper.hpp"

namespace hive::rest {
namespace {

std::string key_of(const std::string& run) {
    return "run:" + run;
}

} // namespace

void RunBooker::ended(const std::string& run, const std::string& swarm, Duration cpu) {
    if (cpu < std::chrono::microseconds{1}) return;
    const std::lock_guard lock{mutex_};
    waiting_.try_emplace(run, Ended{swarm, cpu});
}

Chore RunBooker::chore(
    const std::shared_ptr<RunBooker>& booker, const HiveId& hive, ColonyParts& colony) {
    const auto work = [booker, &colony](Unit& unit) -> Status {
        Workplace place{unit, colony};
        return booker->book_all(place);
    };
    return {.name = "runs", .every = std::chrono::seconds{1}, .work = as_chore(hive, work)};
}

Status RunBooker::book_all(Workplace& place) {
    std::map<std::string, Ended> waiting;
    {
        const std::lock_guard lock{mutex_};
        waiting = waiting_;
    }
    for (const auto& [run, ended] : waiting) {
        const auto known = place.accounts().usage.with_key(key_of(run));
        if (!known) return fail(known.error());
        if (*known) { // booked before, and committed
            const std::lock_guard lock{mutex_};
            waiting_.erase(run);
            continue;
        }
        colony::costs::NewUsage usage{
            .key = key_of(run), .model = "swarm", .run = run, .metadata = {{"swarm", ended.swarm}}};
        usage.amounts.at(static_cast<std::size_t>(colony::costs::Kind::cpu)) =
            std::chrono::duration_cast<std::chrono::microseconds>(ended.cpu).count();
        const auto booked = book(place, std::move(usage));
        if (!booked) return fail(booked.error().kind, booked.error().detail);
    }
    return {};
}

} // namespace hive::rest
