// The part of the world that schedules faults while the storm lasts.
#include "tests/simulation/world.hpp"

namespace hive::simulation {
namespace {

using namespace std::chrono_literals;

} // namespace

void World::brew_storm() {
    const FaultRates& rates = dice_.rates();
    brew(Fault::crash, rates.every_crash, &World::strike_crash);
    brew(Fault::partition, rates.every_partition, &World::strike_partition);
    brew(Fault::broker_restart, rates.every_broker_restart, &World::strike_broker);
    brew(Fault::slow_consumer, rates.every_slowness, &World::strike_slowness);
}

void World::brew(Fault fault, Duration mean, void (World::*strike)()) {
    if (!dice_.stormy(fault)) return;
    at(clock_.now() + dice_.interval(fault, mean), [this, fault, mean, strike] {
        if (!dice_.stormy(fault)) return;
        (this->*strike)();
        brew(fault, mean, strike);
    });
}

World::Resident& World::anyone(Fault fault) {
    return *residents_[dice_.pick(fault, residents_.size())];
}

Duration World::absence(Fault fault) {
    return dice_.between(fault, 1ms, dice_.rates().longest_absence);
}

void World::restart_later(Resident& resident) {
    at(clock_.now() + absence(Fault::crash), [this, &resident] { start(resident); });
}

void World::strike_crash() {
    Resident& victim = anyone(Fault::crash);
    if (!victim.component) return;
    dice_.happened(Fault::crash);
    trace_.fault(victim.name, "is killed");
    bury(victim);
    restart_later(victim);
}

void World::strike_partition() {
    dice_.happened(Fault::partition);
    network_.cut(anyone(Fault::partition).peer, absence(Fault::partition));
}

void World::strike_broker() {
    if (!network_.broker_is_up()) return;
    dice_.happened(Fault::broker_restart);
    network_.restart_broker(absence(Fault::broker_restart));
}

void World::strike_slowness() {
    const Duration per_delivery = dice_.between(Fault::slow_consumer, 10ms, 500ms);
    network_.slow_down(
        anyone(Fault::slow_consumer).peer, per_delivery, absence(Fault::slow_consumer));
}

void World::calm() {
    trace_.at(clock_.now(), steps_);
    trace_.fault("world", "is calm from here on");
    dice_.calm();
    network_.calm();
    // By index: what starts may add more.
    for (std::size_t i = 0; i < residents_.size(); ++i) start(*residents_[i]);
}

} // namespace hive::simulation
