#pragma once

#include "colony/tasks/creating.hpp"
#include "colony/tasks/steering.hpp"
#include "colony/tasks/working.hpp"
#include "store/task_tables.hpp"
#include "tests/contract/store/hive_under_test.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace hive::tests {

// Tasks in a real database on virtual time; each act is one transaction, undone when it is refused.
class TaskScene {
public:
    using Bench = colony::tasks::Bench;
    using Task = colony::tasks::Task;

    template <class F>
    auto act(colony::Actor actor, F work) {
        using Done = decltype(work(std::declval<Bench&>()));
        std::optional<Done> done;
        const auto status =
            store::write_and_wait(hive_.db(), {.work = [&](store::Session& session) -> Status {
                                      store::TaskTable book{session, hive_.hive()};
                                      colony::OpenGate gate;
                                      colony::Moment moment{actor, now, random};
                                      Bench bench{book.book(), gate, moment};
                                      done.emplace(work(bench));
                                      events = std::move(moment.events());
                                      if (!*done) return fail(Errc::conflict, "refused");
                                      return {};
                                  }});
        REQUIRE(done);
        if (*done) REQUIRE_MESSAGE(status, status.error().detail);
        return *std::move(done);
    }
    template <class F>
    auto as_bee(const std::string& bee, F work) {
        return act({bee, accounts::Role::bee}, std::move(work));
    }
    template <class F>
    auto as_person(F work) {
        return act({"alice", accounts::Role::human}, std::move(work));
    }

    Task made(colony::tasks::NewTask wanted) {
        auto tasks = as_person([&](Bench& bench) { return create(bench, {wanted}); });
        REQUIRE(tasks);
        return tasks->front();
    }
    Task found(const std::string& id) {
        auto task = as_person([&](Bench& bench) { return find_task(bench, id); });
        REQUIRE(task);
        return *task;
    }
    void pass(Duration time) {
        now += time;
        act({"hive", accounts::Role::admin}, [](Bench& b) { return lapse_leases(b, 1000); });
        act({"hive", accounts::Role::admin}, [](Bench& b) { return wake_due(b, 1000); });
    }

    Timestamp now{std::chrono::seconds{1'750'000'000}};
    Random random{7};
    std::vector<colony::Event> events{}; // of the last act

private:
    HiveUnderTest hive_;
};

} // namespace hive::tests
