#include "tests/simulation/component.hpp"

#include <algorithm>
#include <utility>

namespace hive::simulation {

Host::Host(Parts parts)
    : parts_{parts},
      life_{
          parts.network.name_of(parts.peer), parts.network.dice(), parts.network.trace(),
          Random{parts.random()}},
      connection_{parts.network, parts.peer, life_} {
    parts_.disk.belongs_to(&life_);
}

Host::~Host() {
    end();
}

void Host::end() {
    if (std::exchange(ended_, true)) return;
    life_.end();
    parts_.disk.belongs_to(nullptr);
    for (const Timer& timer : std::exchange(timers_, {})) parts_.agenda.cancel(timer.ticket);
    parts_.network.unplug(parts_.peer);
}

TimerId Host::after(Duration wait, std::function<void()> action) {
    const TimerId id{next_timer_++};
    const auto ticket = parts_.agenda.schedule(parts_.clock.now() + wait, [this, id] { fire(id); });
    timers_.push_back({id, ticket, std::move(action)});
    return id;
}

void Host::cancel(TimerId timer) {
    const auto found = std::ranges::find(timers_, timer, &Timer::id);
    if (found == timers_.end()) return;
    parts_.agenda.cancel(found->ticket);
    timers_.erase(found);
}

void Host::fire(TimerId timer) {
    const auto found = std::ranges::find(timers_, timer, &Timer::id);
    const auto action = std::move(found->action);
    timers_.erase(found);
    action();
}

void Host::note(std::string_view text) const {
    parts_.network.trace().line(parts_.network.name_of(parts_.peer), "{}", text);
}

} // namespace hive::simulation
