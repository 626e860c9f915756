#pragma once

#include "tests/simulation/agenda.hpp"
#include "tests/simulation/component.hpp"
#include "tests/simulation/faults.hpp"
#include "tests/simulation/network.hpp"
#include "tests/simulation/trace.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::simulation {

struct WorldOptions {
    std::uint64_t seed = 1;
    FaultSet faults = FaultSet::none();
    FaultRates rates{};
    Trace::Sink trace{}; // none: no trace is written
};

// How a run goes: faults until `storm` has passed, then the network is whole and every component
// lives, and within `patience` all goals must hold, and still hold when `linger` has passed.
struct Phases {
    Duration storm = std::chrono::seconds{20};
    Duration patience = std::chrono::seconds{60};
    Duration linger = std::chrono::seconds{5};
    std::uint64_t steps_max = 200'000; // more is taken for a livelock
};

struct Violation {
    std::string rule; // the sentence of the invariant or goal
    std::string detail;
    std::uint64_t step = 0;
    TimePoint at{};

    bool operator==(const Violation&) const = default;
};

struct RunReport {
    std::uint64_t steps = 0;
    TimePoint ended_at{};
    std::uint64_t fingerprint = 0; // of when everything happened
    std::optional<Violation> violation{};

    bool operator==(const RunReport&) const = default;
};

enum class Stop : std::uint8_t { condition, time, steps, idle, violation };

struct Until {
    TimePoint time = TimePoint::max(); // nothing due later is done; the clock stands here then
    std::function<bool()> condition{};
    std::uint64_t steps = 1'000'000; // from now
};

// Components, a broker and the network between them in one thread on virtual time. Everything that
// happens follows from the seed.
class World {
public:
    using Check = std::function<std::optional<std::string>()>; // empty: it holds; else why not

    explicit World(WorldOptions options);
    ~World();
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    // Starts with the first step. A component is known by its name from then on.
    void add(std::string name, Factory factory);
    void at(TimePoint time, Agenda::Action action);

    // Checked after each step. A component that is dying has stopped acting on the world while its
    // memory goes on, so judge by disks and sightings, never by what a component believes.
    void always(std::string rule, Check check);
    void eventually(std::string rule, Check check); // a goal: see Phases
    void watch(Network::Observer observer) { network_.watch(std::move(observer)); }

    RunReport run(const Phases& phases);
    Stop run_until(const Until& until);
    void calm(); // ends every fault and starts what is dead

    void kill(std::string_view name);
    void restart(std::string_view name); // harmless when it lives
    void retire(std::string_view name);  // killed, and not to be started by calm() or a storm
    bool knows(std::string_view name) const;
    bool lives(std::string_view name) const { return resident(name).component != nullptr; }
    void cut(std::string_view name, Duration how_long);
    void restart_broker(Duration downtime) { network_.restart_broker(downtime); }
    void slow_down(std::string_view name, Duration per_delivery, Duration how_long);

    const Clock& clock() const noexcept { return clock_; }
    const Disk& disk(std::string_view name) const { return *resident(name).disk; }
    Broker& broker() noexcept { return network_.broker(); }
    Random& random() noexcept { return random_; } // for the scenario's own choices
    std::uint64_t count(Fault fault) const { return dice_.count(fault); }
    RunReport report() const;

private:
    struct Resident {
        std::string name;
        PeerId peer;
        Factory factory;
        std::unique_ptr<Disk> disk;
        std::uint64_t lives = 0;
        bool retired = false;
        std::unique_ptr<Host> host{};
        std::unique_ptr<Component> component{}; // before its host dies
    };
    struct Rule {
        std::string text;
        Check check;
    };

    Resident& resident(std::string_view name) const;
    void start(Resident& resident);
    void bury(Resident& resident);
    void bury_the_dying();
    void restart_later(Resident& resident);
    void step();
    void check_rules();
    std::optional<std::string> unmet_goal(std::string* rule) const;
    void violate(std::string rule, std::string detail);
    void brew_storm();
    void brew(Fault fault, Duration mean, void (World::*strike)());
    void strike_crash();
    void strike_partition();
    void strike_broker();
    void strike_slowness();
    Resident& anyone(Fault fault);
    Duration absence(Fault fault);

    std::uint64_t seed_;
    VirtualClock clock_;
    Trace trace_;
    Dice dice_;
    Random random_;
    Agenda agenda_;
    Network network_;
    std::vector<Rule> rules_;
    std::vector<Rule> goals_;
    std::uint64_t steps_ = 0;
    std::uint64_t fingerprint_ = 0;
    std::optional<Violation> violation_;
    std::vector<std::unique_ptr<Resident>> residents_; // destroyed first: they use all of the above
};

} // namespace hive::simulation
