#include "tests/simulation/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <utility>

namespace hive::simulation {

namespace {

constexpr auto name_in = [](const auto& resident) -> std::string_view { return resident->name; };

} // namespace

World::World(WorldOptions options)
    : seed_{options.seed}, trace_{std::move(options.trace)},
      dice_{options.seed, options.faults, options.rates},
      random_{seed_for(options.seed, "scenario")}, network_{{agenda_, clock_, dice_, trace_}} {}

World::~World() {
    for (auto& resident : residents_) {
        if (resident->host) bury(*resident);
    }
}

World::Resident& World::resident(std::string_view name) const {
    const auto found = std::ranges::find(residents_, name, name_in);
    assert(found != residents_.end()); // a scenario names only what it added
    return **found;
}

bool World::knows(std::string_view name) const {
    return std::ranges::find(residents_, name, name_in) != residents_.end();
}

void World::add(std::string name, Factory factory) {
    assert(!knows(name));
    const PeerId peer = network_.join(name);
    auto disk = std::make_unique<Disk>(name, trace_);
    residents_.push_back(std::make_unique<Resident>(
        Resident{std::move(name), peer, std::move(factory), std::move(disk)}));
    at(clock_.now(), [this, one = residents_.back().get()] { start(*one); });
}

void World::at(TimePoint time, Agenda::Action action) {
    agenda_.schedule(std::max(time, clock_.now()), std::move(action));
}

void World::start(Resident& resident) {
    if (resident.component || resident.retired) return;
    ++resident.lives;
    trace_.line(resident.name, "starts, life {}", resident.lives);
    const auto purpose = fmt::format("{}/{}", resident.name, resident.lives);
    resident.host = std::make_unique<Host>(Host::Parts{
        resident.peer, network_, agenda_, clock_, *resident.disk,
        Random{seed_for(seed_, purpose)}});
    resident.component = resident.factory(*resident.host);
}

void World::bury(Resident& resident) {
    // The host first: what the destructor of a component does to the outside must find it dead.
    resident.host->end();
    resident.component.reset();
    resident.host.reset();
}

void World::bury_the_dying() {
    for (auto& resident : residents_) {
        if (!resident->host || !resident->host->dying()) continue;
        bury(*resident);
        restart_later(*resident);
    }
}

void World::kill(std::string_view name) {
    Resident& victim = resident(name);
    if (!victim.component) return;
    trace_.fault(victim.name, "is killed");
    bury(victim);
}

void World::restart(std::string_view name) {
    Resident& one = resident(name);
    one.retired = false;
    start(one);
}

void World::retire(std::string_view name) {
    resident(name).retired = true;
    kill(name);
}

void World::cut(std::string_view name, Duration how_long) {
    network_.cut(resident(name).peer, how_long);
}

void World::slow_down(std::string_view name, Duration per_delivery, Duration how_long) {
    network_.slow_down(resident(name).peer, per_delivery, how_long);
}

void World::always(std::string rule, Check check) {
    rules_.push_back({std::move(rule), std::move(check)});
}

void World::eventually(std::string rule, Check check) {
    goals_.push_back({std::move(rule), std::move(check)});
}

void World::violate(std::string rule, std::string detail) {
    if (violation_) return;
    trace_.at(clock_.now(), steps_);
    trace_.fault("world", "VIOLATED: {}: {}", rule, detail);
    violation_ = Violation{std::move(rule), std::move(detail), steps_, clock_.now()};
}

void World::step() {
    const auto due = agenda_.next();
    clock_.advance(*due - clock_.now());
    trace_.at(clock_.now(), ++steps_);
    const auto action = agenda_.take();
    fingerprint_ = (fingerprint_ ^ static_cast<std::uint64_t>(due->time_since_epoch().count())) *
                   0x100000001b3U;
    try {
        action();
    } catch (const std::exception& error) {
        violate("no component throws out of a handler", error.what());
    }
    bury_the_dying();
    check_rules();
}

void World::check_rules() {
    for (const Rule& rule : rules_) {
        if (auto broken = rule.check()) return violate(rule.text, std::move(*broken));
    }
}

Stop World::run_until(const Until& until) {
    for (std::uint64_t taken = 0;; ++taken) {
        if (violation_) return Stop::violation;
        if (until.condition && until.condition()) return Stop::condition;
        const auto due = agenda_.next();
        if (!due || *due > until.time) {
            if (until.time != TimePoint::max()) clock_.advance(until.time - clock_.now());
            return due ? Stop::time : Stop::idle;
        }
        if (taken == until.steps) return Stop::steps;
        step();
    }
}

RunReport World::report() const {
    return {steps_, clock_.now(), fingerprint_, violation_};
}

std::optional<std::string> World::unmet_goal(std::string* rule) const {
    for (const Rule& goal : goals_) {
        auto missing = goal.check();
        if (!missing) continue;
        if (rule != nullptr) *rule = goal.text;
        return missing;
    }
    return std::nullopt;
}

RunReport World::run(const Phases& phases) {
    const auto steps_left = [&] { return phases.steps_max - std::min(steps_, phases.steps_max); };
    const auto reached = [this] { return !unmet_goal(nullptr); };
    brew_storm();
    run_until({.time = clock_.now() + phases.storm, .steps = steps_left()});
    if (violation_) return report();
    calm();
    run_until(
        {.time = clock_.now() + phases.patience, .condition = reached, .steps = steps_left()});
    if (reached()) run_until({.time = clock_.now() + phases.linger, .steps = steps_left()});
    if (steps_left() == 0) {
        violate(
            "the world comes to rest",
            fmt::format("{} steps were not enough; is there a livelock?", phases.steps_max));
    }
    std::string rule;
    if (auto missing = unmet_goal(&rule)) violate(std::move(rule), std::move(*missing));
    return report();
}

} // namespace hive::simulation
