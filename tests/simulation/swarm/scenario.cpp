#include "tests/simulation/swarm/scenario.hpp"

#include "tests/simulation/swarm/hive.hpp"
#include "tests/simulation/swarm/shells.hpp"

#include <fmt/format.h>

#include <array>
#include <memory>

namespace hive::simulation::swarm {
namespace {

using namespace std::chrono_literals;

constexpr Duration storm = 20s;

json::object bee(std::string_view role, json::object in, json::object out) {
    return {
        {"role", role},
        {"work", json::object{{"in", std::move(in)}, {"out", std::move(out)}}},
        {"config", json::object{{"rate", 10}}}};
}

json::object restarted(json::object bee) {
    bee["restart"] = json::object{{"policy", "on-failure"}, {"backoff", "500ms"}, {"max", 100}};
    return bee;
}

json::object pipeline() {
    return {
        {"bees",
         json::array{
             bee("postprocessor", {{"in", "done"}}, {}), bee("generator", {}, {{"out", "raw"}}),
             restarted(bee("processor", {{"in", "raw"}}, {{"out", "done"}}))}}};
}

json::object circle() {
    return {
        {"bees", json::array{
                     restarted(bee("moderator", {{"in", "back"}}, {{"out", "forth"}})),
                     restarted(bee("processor", {{"in", "forth"}}, {{"out", "back"}}))}}};
}

// Settings that change on the way, at once and little by little.
json::object a_plan() {
    return parse_json(R"({"swarm": [{"stepId": "note", "time": "4s", "config": {"note": "on"}}],
        "bees": [{"role": "processor", "steps": [{"stepId": "faster", "time": "8s",
            "type": "ramp", "field": "speed", "from": 1, "to": 3, "duration": "3s"}]}]})")
        .value()
        .as_object();
}

// People with a browser: what they ask while the queen is away is lost, except the first creation,
// which they ask for again. And the bad luck they have.
class People {
public:
    People(World& world, Hive& hive) : world_{world}, hive_{hive} {}

    void plan() {
        hive_.mishaps = world_.random().below(2) == 0;
        const std::uint64_t swarms = 1 + world_.random().below(2);
        for (std::uint64_t i = 0; i < swarms; ++i) {
            const auto id = SwarmId::parse(i == 0 ? "alpha" : "beta").value();
            const Duration created = moment(0s, 6s);
            at(created, [this, id] { create_until_it_is(id); });
            const std::uint64_t orders = 1 + world_.random().below(6);
            for (std::uint64_t n = 0; n < orders; ++n) {
                const std::uint64_t what = world_.random().below(40);
                at(moment(created, storm), [this, id, what] { order(id, what); });
            }
            if (hive_.mishaps) plan_mishaps(id, created);
        }
        // Who is paused looks after nothing, so nothing would come to rest.
        at(storm + 500ms, [this] { resume_all(); });
    }

private:
    void at(Duration time, std::function<void()> action) {
        world_.at(TimePoint{time}, std::move(action));
    }
    Duration moment(Duration from, Duration to) {
        const auto span = static_cast<std::uint64_t>((to - from).count());
        return from + Duration{static_cast<Duration::rep>(world_.random().below(span))};
    }
    wire::Attempt attempt() {
        const auto id = fmt::format("people-{}", ++asked_);
        return {id, id + "-key"};
    }

    void plan_mishaps(const SwarmId& id, Duration created) {
        const std::uint64_t count = world_.random().below(3);
        for (std::uint64_t n = 0; n < count; ++n) {
            const std::uint64_t what = world_.random().below(4);
            const std::uint64_t which = world_.random().below(8);
            at(moment(created, storm), [this, id, what, which] { mishap(id, what, which); });
        }
    }
    void mishap(const SwarmId& id, std::uint64_t what, std::uint64_t which) {
        if (what >= 2) {
            const auto marshal = InstanceId::parse(id.text() + "-marshal").value();
            return hive_.exit_marshal(id, marshal, what == 2);
        }
        const auto bees = hive_.living_bees(id);
        if (!bees.empty()) hive_.exit_bee(id, bees[which % bees.size()]);
    }

    void create(const SwarmId& id) {
        if (hive_.queen == nullptr) return;
        hive_.queen->on(orchestrator::CreateAsked{
            id, id.text() == "alpha" ? pipeline() : circle(), a_plan(), attempt()});
    }
    void create_until_it_is(const SwarmId& id) {
        create(id);
        world_.at(world_.clock().now() + 500ms, [this, id] {
            if (!is_known(id)) create_until_it_is(id);
        });
    }
    bool is_known(const SwarmId& id) const {
        return world_.disk("queen").read("swarm/" + id.text()).has_value();
    }

    void order(const SwarmId& id, std::uint64_t what) {
        if (hive_.queen == nullptr) return;
        if (what < 14) return wish(id, orchestrator::Wish::running);
        if (what < 22) return wish(id, orchestrator::Wish::stopped);
        if (what < 27) {
            // A creation must be on its way: a swarm that nobody created is not removed.
            if (!is_known(id)) return;
            hive_.remove_asked(id);
            return wish(id, orchestrator::Wish::removed);
        }
        if (what < 30) return is_known(id) ? create(id) : void();
        configure(id, what);
    }
    void configure(const SwarmId& id, std::uint64_t what) {
        const auto processor = Role::parse("processor").value();
        const auto first = InstanceId::parse(id.text() + "-processor-1").value();
        const wire::Scope controller{.swarm = id, .role = wire::controller_role()};
        switch (what) {
        case 30: return config({id, processor, first}, {{"rate", 1}});
        case 31: return config({id, processor, first}, {{"rate", -1}});
        case 32: return config({.swarm = id, .role = processor}, {{"rate", 2}});
        case 33: return config({.swarm = id}, {{"rate", 3}});
        case 34: return config({.swarm = id}, {{"rate", -3}});
        case 35: return config({id, wire::Target<Role>::all(), first}, {{"rate", 4}});
        case 36: return config({.role = wire::controller_role()}, {{"enabled", false}});
        case 37: return config(controller, {{"enabled", true}});
        default: return config(controller, {{"enabled", false}});
        }
    }
    void config(const wire::Scope& target, json::object patch) {
        hive_.queen->on(orchestrator::ConfigAsked{target, std::move(patch), attempt()});
    }
    void wish(const SwarmId& id, orchestrator::Wish wish) {
        hive_.queen->on(orchestrator::WishAsked{id, wish, attempt()});
    }
    void resume_all() {
        if (hive_.queen != nullptr) {
            return config({.role = wire::controller_role()}, {{"enabled", true}});
        }
        world_.at(world_.clock().now() + 500ms, [this] { resume_all(); });
    }

    World& world_;
    Hive& hive_;
    std::uint64_t asked_ = 0;
};

// Keeps the people as long as the hive.
class Stage final : public Plot {
public:
    Stage(World& world, Flaw flaw) : hive{world, flaw}, people{world, hive} {}
    Hive hive;
    People people;
};

std::unique_ptr<Plot> stage(World& world, Flaw flaw) {
    auto stage = std::make_unique<Stage>(world, flaw);
    Hive* hive = &stage->hive;
    world.add("queen", [hive](Host& host) { return std::make_unique<Queen>(host, *hive); });
    world.watch([hive](const Sighting& sighting) { hive->see(sighting); });
    for (const auto text :
         {rule::one_outcome, rule::truth, rule::kept, rule::order, rule::idle, rule::gate,
          rule::one_end, rule::valid, rule::sound}) {
        world.always(std::string{text}, [hive, text] { return hive->broken(text); });
    }
    world.always(std::string{rule::gone}, [hive] { return hive->remains(); });
    world.eventually("a swarm whose parts live on a whole network is as desired", [hive] {
        return hive->unfinished();
    });
    world.eventually("what was asked for ends", [hive] { return hive->unended(); });
    stage->people.plan();
    return stage;
}

template <Flaw flaw>
Scenario with(std::string_view name, std::string_view sentence) {
    return {
        .name = name,
        .sentence = sentence,
        .stage = [](World& world) { return stage(world, flaw); },
        .phases = {.storm = storm, .patience = 240s, .linger = 5s},
        .planted_bug = flaw != Flaw::none};
}

} // namespace

Scenario sound() {
    return with<Flaw::none>(
        "swarm", "swarms become what people want of them, whatever breaks on the way");
}

Scenario answers_for_earlier_lives() {
    return with<Flaw::answers_for_earlier_lives>(
        "swarm-answers-twice", "planted bug: a marshal answers what an earlier life was asked");
}

Scenario obeys_overtaken_signals() {
    return with<Flaw::obeys_overtaken_signals>(
        "swarm-obeys-old", "planted bug: a bee obeys a signal that a newer one overtook");
}

Scenario starts_all_at_once() {
    return with<Flaw::starts_all_at_once>(
        "swarm-starts-at-once", "planted bug: a marshal starts all bees without order");
}

Scenario sweeps_nothing() {
    return with<Flaw::sweeps_nothing>(
        "swarm-leaves-litter", "planted bug: the queen says that a dead marshal left nothing");
}

Scenario answers_again() {
    return with<Flaw::answers_again>(
        "swarm-answers-again", "planted bug: a marshal answers what is delivered again");
}

Scenario forgets_asks() {
    return with<Flaw::forgets_asks>(
        "swarm-forgets-asks", "planted bug: a queen that restarts forgets what was asked of her");
}

Scenario forgets_objects() {
    return with<Flaw::forgets_objects>(
        "swarm-forgets-objects", "planted bug: the queen sweeps no queues after a dead marshal");
}

} // namespace hive::simulation::swarm
