#pragma once

#include "controller/state.hpp"
#include "kernel/clock.hpp"
#include "tests/simulation/scenario.hpp"
#include "wire/envelope.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hive::simulation::swarm {

// Mistakes to plant; each must be found.
enum class Flaw : std::uint8_t {
    none,
    answers_for_earlier_lives,
    obeys_overtaken_signals,
    starts_all_at_once,
    sweeps_nothing,
    answers_again,
    forgets_objects,
    forgets_asks,
};

class Queen;
class Marshal;

// The runtime that launches and ends components, and what somebody knows who sees every message and
// every workload.
class Hive final : public Plot {
public:
    using Verdict = std::optional<std::string>;

    Hive(World& world, Flaw flaw) : world_{world}, flaw_{flaw} {}

    Flaw flaw() const noexcept { return flaw_; }
    World& world() noexcept { return world_; }
    Queen* queen = nullptr;                                  // while it lives
    std::map<std::string, Marshal*, std::less<>> marshals{}; // by swarm, while they live
    bool mishaps = false; // launches fail and components end, until the storm is over

    // The runtime. Launches say whether they worked.
    bool launch_marshal(const SwarmId& swarm, const InstanceId& instance);
    bool launch_bee(const SwarmId& swarm, const controller::BeeSpec& bee, std::size_t rank);
    void exit_bee(const SwarmId& swarm, const InstanceId& bee);
    void exit_marshal(const SwarmId& swarm, const InstanceId& marshal, bool reported);
    std::vector<InstanceId> living_bees(const SwarmId& swarm) const;
    controller::QueuesInspected inspect(const std::vector<std::string>& queues);
    void end_bee(const InstanceId& instance);
    void end_bees(const SwarmId& swarm);
    void end_swarm(const SwarmId& swarm);

    // What happens.
    void saved(const SwarmId& swarm, std::string_view creation, bool removed);
    void accepted(const std::string& id) { open_asks_.emplace(id); } // and must end
    void ended(const std::string& id);
    bool removed_by_marshal(const SwarmId& swarm) { return swarms_[swarm.text()].marshal_removed; }
    void remove_asked(const SwarmId& swarm) { swarms_[swarm.text()].remove_asked = true; }
    void workload(const std::string& bee, bool on);
    void marshal_enters(const SwarmId& swarm, controller::Phase phase);
    void see(const Sighting& sighting);
    void break_rule(std::string_view rule, std::string detail);

    // Rules and goals.
    Verdict broken(std::string_view rule) const;
    Verdict remains() const; // of what was removed
    Verdict unfinished() const;
    Verdict unended() const;

private:
    struct BeeLife {
        std::string swarm;
        std::size_t rank = 0;
        bool on = false;
        bool abandoned = false; // it ended, and its policy is to leave it alone
        bool restarts = false;  // its policy is to launch it again
        TimePoint last_on{};    // when it was last seen running
        TimePoint last_off{};   // when it was last seen not running
    };
    struct Past {
        std::vector<std::string> components{}; // everything ever launched
        bool remove_asked = false;
        bool templated = false;
        bool idle_since_start = true; // told to stop or given a template since
        TimePoint start_epoch{};
        TimePoint last_start{};
        bool stopped = false;   // said to be, and not told to start since
        std::string creation{}; // correlation id
        bool excused = false;   // something failed that nobody makes good: it may end as Failed
        bool marshal_removed = false;
        bool removed = false; // and stays so until the next creation
    };

    void launch(const SwarmId& swarm, const std::string& name, const Factory& factory);
    void see_signal(const wire::Envelope& signal);
    void see_outcome(const wire::Envelope& outcome, const std::string& body);
    void judge_running(const std::string& swarm, TimePoint since);
    void judge_idle(const std::string& swarm, TimePoint since, std::string_view status);
    void judge_removed(const std::string& swarm);
    Verdict unfinished(std::string_view swarm, std::string_view stored) const;
    Verdict leftovers(std::string_view swarm) const;
    Verdict wrong_bees(std::string_view swarm, bool runs) const;
    bool lives(const std::string& name) const;
    bool fails(unsigned one_in);
    void settle_after(Duration time) { settled_by_ = std::max(settled_by_, now() + time); }
    TimePoint now() const { return world_.clock().now(); }

    World& world_;
    Flaw flaw_;
    std::map<std::string, Past, std::less<>> swarms_;
    std::map<std::string, BeeLife> bees_;
    std::map<std::string, TimePoint> asked_;      // by correlation id
    std::map<std::string, std::string> outcomes_; // by correlation id
    std::map<std::string, std::string, std::less<>> broken_;
    std::set<std::string> open_asks_;
    std::set<std::string> ended_;
    std::set<std::string> broadcasts_;
    TimePoint settled_by_{std::chrono::seconds{45}};
    std::size_t removed_ = 0; // how many swarms are
};

namespace rule {
inline constexpr std::string_view one_outcome = "a correlation id has one outcome";
inline constexpr std::string_view truth = "no outcome contradicts the state";
inline constexpr std::string_view kept = "nothing is deleted without remove";
inline constexpr std::string_view gone = "after remove nothing remains";
inline constexpr std::string_view order = "bees start in the order of their queues";
inline constexpr std::string_view idle = "a bee never runs while its swarm is stopped";
inline constexpr std::string_view gate = "NotReady has no side effect";
inline constexpr std::string_view one_end = "what was asked for ends once";
inline constexpr std::string_view valid = "a refused configuration is not applied";
inline constexpr std::string_view sound = "every message is sound";
} // namespace rule

} // namespace hive::simulation::swarm
