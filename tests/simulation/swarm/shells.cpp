#include "tests/simulation/swarm/shells.hpp"

#include "kernel/overloaded.hpp"
#include "orchestrator/stored.hpp"
#include "wire/bindings.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::simulation::swarm {
namespace {

using namespace std::chrono_literals;

constexpr Duration tick_every = 1s;
constexpr Duration runtime_takes = 20ms;
constexpr Duration again_after = 200ms;

std::string life_of(Host& host, std::string_view name) {
    return fmt::format("{}.{:x}", name, host.random()());
}

// What the bees of this world can work with.
Status check_rate(const json::object& config) {
    const auto* rate = config.if_contains("rate");
    if (rate == nullptr || rate->to_number<std::int64_t>() >= 0) return {};
    return fail(Errc::invalid, "rate: must not be negative");
}

constexpr std::string_view ask_prefix = "ask/";

std::string ask_key(const wire::Attempt& attempt) {
    return std::string{ask_prefix} + attempt.correlation_id;
}

InstanceId queen_id() {
    return InstanceId::parse("queen").value();
}

} // namespace

Bee::Bee(Host& host, Hive& hive, worker::Identity self)
    : host_{host}, hive_{hive}, state_{.self = self, .started_at = host.clock().wall()},
      mailbox_{
          host,
          {.queue = wire::control_queue(self.swarm, self.role, self.instance),
           .keys = wire::worker_bindings(self.swarm, self.role, self.instance),
           .durable = false},
          [this](wire::Envelope signal) { on(worker::SignalHeard{std::move(signal)}); }} {
    mailbox_.open();
    on(worker::Started{});
    tick();
}

Bee::~Bee() {
    hive_.workload(state_.self.instance.text(), false);
}

void Bee::tick() {
    on(worker::Tick{});
    host_.after(tick_every, [this] { tick(); });
}

void Bee::on(const worker::ControlEvent& event) {
    if (hive_.flaw() == Flaw::obeys_overtaken_signals) state_.newest.clear();
    static const worker::ControlSettings settings{.validate = check_rate};
    auto decision =
        decide(std::move(state_), event, {host_.clock().now(), host_.clock().wall()}, settings);
    state_ = std::move(decision.next);
    for (const auto& command : decision.commands) {
        if (host_.dying()) return;
        std::visit(
            overloaded{
                [&](const worker::Publish& publish) { mailbox_.publish(publish.envelope); },
                [&](const worker::SetWorkload& set) {
                    host_.note(set.enabled ? "workload on" : "workload off");
                    hive_.workload(state_.self.instance.text(), set.enabled);
                },
                [&](const worker::Reconfigure& set) {
                    if (check_rate(set.config)) return;
                    hive_.break_rule(rule::valid, state_.self.instance.text());
                },
            },
            command);
    }
}

Marshal::Marshal(Host& host, Hive& hive, const SwarmId& swarm, const InstanceId& instance)
    : host_{host}, hive_{hive}, state_{.swarm = swarm, .instance = instance},
      mailbox_{
          host,
          {.queue = wire::control_queue(swarm, wire::controller_role(), instance),
           .keys = wire::controller_bindings(swarm, instance),
           .own = ".swarm-controller." + instance.text()},
          [this](wire::Envelope envelope) { on(controller::Heard{std::move(envelope)}); }} {
    if (hive.flaw() != Flaw::answers_for_earlier_lives) state_.started_at = host.clock().wall();
    state_.life = life_of(host, instance.text());
    hive_.marshals[swarm.text()] = this;
    mailbox_.open();
    on(controller::Started{});
    tick();
}

Marshal::~Marshal() {
    hive_.marshals.erase(state_.swarm.text());
}

void Marshal::tick() {
    on(controller::Tick{});
    host_.after(tick_every, [this] { tick(); });
}

void Marshal::on(const controller::Event& event) {
    if (hive_.flaw() == Flaw::answers_again) state_.answered.clear();
    auto decision = decide(std::move(state_), event, {host_.clock().now(), host_.clock().wall()});
    state_ = std::move(decision.next);
    judge_gate(decision.commands);
    for (const auto& command : decision.commands) {
        if (host_.dying()) return;
        perform(command);
    }
    if (host_.dying()) return;
    if (std::exchange(phase_, state_.phase) != state_.phase) {
        hive_.marshal_enters(state_.swarm, state_.phase);
    }
    if (hive_.flaw() != Flaw::starts_all_at_once) return;
    for (auto& bee : state_.bees) bee.rank = 0;
    state_.order.ranks = std::min<std::size_t>(state_.order.ranks, 1);
}

// A refusal comes alone.
void Marshal::judge_gate(const std::vector<controller::Command>& commands) const {
    bool refused = false;
    bool acted = false;
    for (const auto& command : commands) {
        const auto* publish = std::get_if<controller::Publish>(&command);
        const auto* outcome =
            publish != nullptr ? std::get_if<wire::Outcome>(&publish->envelope.body) : nullptr;
        refused =
            refused || (outcome != nullptr && outcome->status == wire::OutcomeStatus::not_ready);
        acted = acted || publish == nullptr ||
                std::holds_alternative<wire::Signal>(publish->envelope.body);
    }
    if (refused && acted) hive_.break_rule(rule::gate, state_.instance.text() + " acted");
}

void Marshal::perform(const controller::Command& command) {
    std::visit(
        overloaded{
            [&](const controller::Publish& publish) { mailbox_.publish(publish.envelope); },
            [&](const controller::Declare& declaration) { declare(declaration.layout); },
            [&](const controller::Launch& launching) { launch(launching.bee); },
            [&](const controller::StopBee& stop) {
                hive_.end_bee(stop.instance);
                host_.after(runtime_takes, [this, instance = stop.instance] {
                    on(controller::Exited{instance, "ended"});
                });
            },
            [&](const controller::StopAllBees&) {
                hive_.end_bees(state_.swarm);
                host_.after(runtime_takes, [this] { on(controller::BeesGone{}); });
            },
            [&](const controller::RemoveObjects& removal) { remove(removal.objects); },
            [&](const controller::SampleQueues& wanted) {
                host_.after(runtime_takes, [this, queues = wanted.queues] {
                    controller::QueuesSampled seen;
                    for (const auto& [queue, depth] : hive_.inspect(queues).queues) {
                        if (depth) seen.queues[queue] = depth->depth;
                    }
                    on(seen);
                });
            },
            [&](const controller::InspectQueues& inspection) {
                host_.after(runtime_takes, [this, queues = inspection.queues] {
                    on(hive_.inspect(queues));
                });
            },
        },
        command);
}

void Marshal::launch(const controller::BeeSpec& bee) {
    const auto found =
        std::ranges::find(state_.layout.bees, bee.instance, &controller::BeeSpec::instance);
    const auto index = static_cast<std::size_t>(found - state_.layout.bees.begin());
    const auto rank = start_order(state_.layout).rank_of[index];
    const bool works = hive_.launch_bee(state_.swarm, bee, rank);
    host_.after(runtime_takes, [this, works, instance = bee.instance] {
        if (works) return on(controller::Launched{instance});
        on(controller::LaunchFailed{instance, "no such program", {"exec failed"}});
    });
}

void Marshal::declare(const bus::Layout& layout) {
    if (host_.connection().topology().declare(layout)) return;
    host_.after(again_after, [this, layout] { declare(layout); });
}

void Marshal::remove(const controller::BrokerObjects& objects) {
    auto& topology = host_.connection().topology();
    for (const auto& queue : objects.queues) {
        if (!topology.remove_queue(queue)) return;
    }
    for (const auto& exchange : objects.exchanges) {
        if (!topology.remove_exchange(exchange)) return;
    }
    host_.after(runtime_takes, [this] { on(controller::ObjectsRemoved{}); });
}

Queen::Queen(Host& host, Hive& hive)
    : host_{host}, hive_{hive}, state_{.instance = queen_id(), .life = life_of(host, "queen")},
      mailbox_{
          host,
          {.queue = wire::orchestrator_queue(queen_id()), .keys = wire::orchestrator_bindings()},
          [this](wire::Envelope envelope) { on(orchestrator::Heard{std::move(envelope)}); }} {
    orchestrator::Restarted restarted;
    for (const auto& [key, text] : host.disk().entries()) {
        const auto body = parse_json(text).value();
        if (key.starts_with(ask_prefix)) {
            if (hive_.flaw() == Flaw::forgets_asks) continue;
            restarted.open.push_back(orchestrator::ask_from_stored(body).value());
            continue;
        }
        auto swarm = orchestrator::from_stored(body).value();
        state_.swarms.emplace(swarm.id, std::move(swarm));
    }
    std::ranges::sort(restarted.open, {}, &orchestrator::AskRecord::asked_at);
    hive_.queen = this;
    mailbox_.open();
    on(restarted);
    tick();
}

Queen::~Queen() {
    hive_.queen = nullptr;
}

void Queen::tick() {
    on(orchestrator::Tick{});
    host_.after(tick_every, [this] { tick(); });
}

void Queen::later(orchestrator::Event event) {
    host_.after(runtime_takes, [this, event = std::move(event)] { on(event); });
}

void Queen::on(const orchestrator::Event& event) {
    auto decision = decide(std::move(state_), event, {host_.clock().now(), host_.clock().wall()});
    state_ = std::move(decision.next);
    if (!keep(decision.commands)) return;
    for (const auto& command : decision.commands) {
        if (host_.dying()) return;
        perform(command);
    }
}

// What outlives her is one transaction, before anything else happens.
bool Queen::keep(const std::vector<orchestrator::Command>& commands) {
    std::map<std::string, std::optional<std::string>> changes;
    for (const auto& command : commands) {
        if (const auto* saving = std::get_if<orchestrator::Save>(&command)) {
            changes["swarm/" + saving->swarm.text()] =
                to_text(json::value(to_stored(state_.swarms.at(saving->swarm))));
        } else if (const auto* ask = std::get_if<orchestrator::KeepAsk>(&command)) {
            changes[ask_key(ask->record.attempt)] = to_text(json::value(to_stored(ask->record)));
        } else if (const auto* end = std::get_if<orchestrator::Ended>(&command)) {
            changes[ask_key(end->asked)] = std::nullopt;
        }
    }
    if (changes.empty()) return true;
    if (!host_.disk().commit(changes)) return false;
    for (const auto& command : commands) {
        if (const auto* saving = std::get_if<orchestrator::Save>(&command)) {
            const auto& swarm = state_.swarms.at(saving->swarm);
            const bool removed = swarm.phase == orchestrator::Phase::removed;
            hive_.saved(swarm.id, swarm.create.attempt.correlation_id, removed);
        } else if (const auto* ask = std::get_if<orchestrator::KeepAsk>(&command)) {
            hive_.accepted(ask->record.attempt.correlation_id);
        } else if (const auto* end = std::get_if<orchestrator::Ended>(&command)) {
            host_.note(fmt::format("{} ended: {}", end->asked.correlation_id, end->reason));
            hive_.ended(end->asked.correlation_id);
        }
    }
    return true;
}

void Queen::perform(const orchestrator::Command& command) {
    std::visit(
        overloaded{
            [&](const orchestrator::Publish& publish) { mailbox_.publish(publish.envelope); },
            [&](const orchestrator::AnnounceCreated& announcement) {
                mailbox_.publish(announcement.envelope);
                if (!host_.connection().control().flush(1s)) return;
                later(orchestrator::OutcomeSafe{announcement.swarm});
            },
            [](const orchestrator::Save&) {}, // kept before
            [](const orchestrator::KeepAsk&) {},
            [](const orchestrator::Ended&) {},
            [&](const orchestrator::LaunchMarshal& launch) {
                if (hive_.launch_marshal(launch.swarm, launch.instance)) return;
                later(orchestrator::MarshalFailed{launch.swarm, "no such program"});
            },
            [&](const orchestrator::RemoveComponents& removal) {
                if (hive_.flaw() != Flaw::sweeps_nothing) hive_.end_swarm(removal.swarm);
                later(orchestrator::ComponentsGone{removal.swarm});
            },
            [&](const orchestrator::RemoveObjects& removal) { remove(removal); },
            [](const orchestrator::Record&) {},
            [](const orchestrator::Forget&) {}, // not within the time of a run
            [&](const orchestrator::Refuse& refusal) { host_.note(refusal.reason); },
        },
        command);
}

void Queen::remove(const orchestrator::RemoveObjects& removal) {
    if (hive_.flaw() == Flaw::forgets_objects && !hive_.removed_by_marshal(removal.swarm)) {
        return later(orchestrator::ObjectsGone{removal.swarm});
    }
    auto& topology = host_.connection().topology();
    const auto layout = controller::read_template(removal.swarm, removal.text);
    auto objects = controller::objects_of(removal.swarm, layout.value_or(controller::Template{}));
    objects.queues.push_back(
        wire::control_queue(removal.swarm, wire::controller_role(), removal.marshal));
    for (const auto& queue : objects.queues) {
        if (!topology.remove_queue(queue)) return;
    }
    for (const auto& exchange : objects.exchanges) {
        if (!topology.remove_exchange(exchange)) return;
    }
    later(orchestrator::ObjectsGone{removal.swarm});
}

} // namespace hive::simulation::swarm
