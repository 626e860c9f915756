#pragma once

#include "accounts/permission.hpp"
#include "colony/event.hpp"
#include "kernel/clock.hpp"
#include "kernel/random.hpp"

#include <string>
#include <utility>
#include <vector>

namespace hive::colony {

struct Actor {
    std::string id; // the bee, person or service
    accounts::Role role = accounts::Role::readonly;

    bool is_admin() const noexcept { return role == accounts::Role::admin; }
    bool operator==(const Actor&) const = default;
};

// One act as a use case sees it: who acts, when, where chance comes from, and what is said of it.
class Moment {
public:
    Moment(Actor actor, Timestamp now, Random& random)
        : actor_{std::move(actor)}, now_{now}, random_{&random} {}

    const Actor& actor() const noexcept { return actor_; }
    Timestamp now() const noexcept { return now_; }
    Random& random() const noexcept { return *random_; }

    void say(Event event) { events_.push_back(std::move(event)); }
    std::vector<Event>& events() noexcept { return events_; }

    // A rule held the act back: nothing was done but a request for this approval.
    void hold(std::string approval) { held_ = std::move(approval); }
    const std::string& held() const noexcept { return held_; } // empty: it was done

private:
    Actor actor_;
    Timestamp now_;
    Random* random_;
    std::vector<Event> events_{};
    std::string held_{};
};

} // namespace hive::colony
