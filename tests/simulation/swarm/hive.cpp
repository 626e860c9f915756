#include "tests/simulation/swarm/hive.hpp"

#include "tests/simulation/swarm/shells.hpp"
#include "wire/envelope_codec.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::simulation::swarm {
namespace {

using namespace std::chrono_literals;

// How long a bee may be dead before its marshal must know.
constexpr Duration unnoticed_max = 25s;
// Until then launches may fail.
constexpr TimePoint calm_from{20s};
constexpr Duration runtime_takes = 20ms;
// A controller that ends unseen is found by its silence, and needs time to do its work again.
constexpr Duration found_within = 60s;

} // namespace

void Hive::launch(const SwarmId& swarm, const std::string& name, const Factory& factory) {
    auto& components = swarms_[swarm.text()].components;
    if (std::ranges::find(components, name) == components.end()) components.push_back(name);
    if (world_.knows(name)) return world_.restart(name);
    world_.add(name, factory);
}

// A launch that failed leaves a name that the world does not know.
bool Hive::lives(const std::string& name) const {
    return world_.knows(name) && world_.lives(name);
}

bool Hive::fails(unsigned one_in) {
    return mishaps && now() < calm_from && world_.random().below(one_in) == 0;
}

bool Hive::launch_marshal(const SwarmId& swarm, const InstanceId& instance) {
    if (!lives(instance.text()) && fails(12)) {
        // A creation fails with it; later it is tried again.
        swarms_[swarm.text()].excused = true;
        return false;
    }
    launch(swarm, instance.text(), [this, swarm, instance](Host& host) {
        return std::make_unique<Marshal>(host, *this, swarm, instance);
    });
    return true;
}

bool Hive::launch_bee(const SwarmId& swarm, const controller::BeeSpec& bee, std::size_t rank) {
    const std::string& name = bee.instance.text();
    auto& life = bees_[name];
    life.swarm = swarm.text();
    life.rank = rank;
    life.restarts = bee.restart.policy == controller::Restart::Policy::on_failure;
    if (!lives(name) && fails(20)) {
        life.abandoned = !life.restarts;
        swarms_[swarm.text()].excused = true;
        return false;
    }
    life.abandoned = false;
    const worker::Identity self{swarm, bee.role, bee.instance};
    launch(
        swarm, name, [this, self](Host& host) { return std::make_unique<Bee>(host, *this, self); });
    return true;
}

void Hive::exit_bee(const SwarmId& swarm, const InstanceId& bee) {
    world_.retire(bee.text());
    auto& life = bees_.at(bee.text());
    life.abandoned = !life.restarts;
    swarms_[swarm.text()].excused = true; // a start may meet it
    world_.at(now() + runtime_takes, [this, swarm, bee] {
        const auto marshal = marshals.find(swarm.text());
        if (marshal == marshals.end()) return; // the next one launches every bee
        marshal->second->on(controller::Exited{bee, "exit code 3", true, {"a last line"}});
    });
}

void Hive::exit_marshal(const SwarmId& swarm, const InstanceId& marshal, bool reported) {
    if (!lives(marshal.text())) return;
    world_.retire(marshal.text());
    settle_after(reported ? 25s : found_within);
    if (!reported) return;
    world_.at(now() + runtime_takes, [this, swarm] {
        if (queen != nullptr) queen->on(orchestrator::MarshalExited{swarm, "exit code 3"});
    });
}

std::vector<InstanceId> Hive::living_bees(const SwarmId& swarm) const {
    std::vector<InstanceId> out;
    for (const auto& [name, bee] : bees_) {
        if (bee.swarm == swarm.text() && lives(name)) {
            out.push_back(InstanceId::parse(name).value());
        }
    }
    return out;
}

controller::QueuesInspected Hive::inspect(const std::vector<std::string>& queues) {
    const auto there = world_.broker().queue_names();
    controller::QueuesInspected seen;
    for (const auto& name : queues) {
        const bool known = std::ranges::find(there, name) != there.end();
        seen.queues[name] = known ? std::optional{wire::QueueDepth{}} : std::nullopt;
    }
    return seen;
}

void Hive::saved(const SwarmId& swarm, std::string_view creation, bool removed) {
    Past& past = swarms_[swarm.text()];
    if (past.creation != creation) {
        if (std::exchange(past.removed, false)) --removed_;
        past = {.creation = std::string{creation}};
        std::erase_if(bees_, [&](const auto& bee) { return bee.second.swarm == swarm.text(); });
    }
    if (removed && !std::exchange(past.removed, true)) ++removed_;
}

void Hive::ended(const std::string& id) {
    open_asks_.erase(id);
    if (!ended_.insert(id).second) break_rule(rule::one_end, fmt::format("{} ended twice", id));
}

Hive::Verdict Hive::unended() const {
    if (open_asks_.empty()) return std::nullopt;
    return fmt::format("{} has no end", *open_asks_.begin());
}

Hive::Verdict Hive::remains() const {
    if (removed_ == 0) return std::nullopt;
    for (const auto& [name, past] : swarms_) {
        if (!past.removed) continue;
        if (auto left = leftovers(name)) return left;
    }
    return std::nullopt;
}

void Hive::end_bee(const InstanceId& instance) {
    if (world_.knows(instance.text())) world_.retire(instance.text());
}

void Hive::end_bees(const SwarmId& swarm) {
    const Past& past = swarms_[swarm.text()];
    if (!past.remove_asked) break_rule(rule::kept, fmt::format("{} loses its bees", swarm.text()));
    for (const auto& name : past.components) {
        if (bees_.contains(name)) world_.retire(name);
    }
}

void Hive::end_swarm(const SwarmId& swarm) {
    const Past& past = swarms_[swarm.text()];
    if (!past.remove_asked) break_rule(rule::kept, fmt::format("{} is ended", swarm.text()));
    for (const auto& name : past.components) world_.retire(name);
}

void Hive::break_rule(std::string_view rule, std::string detail) {
    broken_.try_emplace(std::string{rule}, std::move(detail));
}

Hive::Verdict Hive::broken(std::string_view rule) const {
    if (broken_.empty()) return std::nullopt;
    const auto found = broken_.find(rule);
    if (found == broken_.end()) return std::nullopt;
    return found->second;
}

void Hive::workload(const std::string& bee, bool on) {
    BeeLife& life = bees_.at(bee);
    if (life.on == on) return;
    (life.on ? life.last_on : life.last_off) = now();
    life.on = on;
    if (!on) return;
    const Past& past = swarms_.at(life.swarm);
    if (past.stopped) break_rule(rule::idle, fmt::format("{} runs", bee));
    for (const auto& [name, other] : bees_) {
        if (other.swarm != life.swarm || other.rank >= life.rank) continue;
        if (other.on || other.last_on >= past.start_epoch) continue;
        break_rule(rule::order, fmt::format("{} runs before {}", bee, name));
    }
}

void Hive::see(const Sighting& sighting) {
    const std::string& key = sighting.message.routing_key;
    const bool outcome = key.starts_with("event.outcome.");
    if (!outcome && !key.starts_with("signal.swarm-") && !key.starts_with("signal.config")) return;
    const auto envelope = wire::decode_envelope(sighting.message.body);
    if (!envelope) return break_rule(rule::sound, envelope.error().detail);
    if (outcome) return see_outcome(*envelope, sighting.message.body);
    see_signal(*envelope);
}

void Hive::see_signal(const wire::Envelope& signal) {
    asked_.emplace(signal.correlation_id.value(), now());
    const auto& id = signal.scope.swarm.id();
    if (!id) broadcasts_.insert(*signal.correlation_id);
    if (!id) return;
    Past& past = swarms_[id->text()];
    const auto command = std::get<wire::Signal>(signal.body).command;
    if (command != wire::Command::swarm_start) return;
    past.last_start = now();
    past.stopped = false;
}

// A start counts from when its controller takes it on: until then an older one goes on, in order.
void Hive::marshal_enters(const SwarmId& swarm, controller::Phase phase) {
    Past& past = swarms_[swarm.text()];
    if (phase == controller::Phase::stopping || phase == controller::Phase::provisioning) {
        past.idle_since_start = true;
    }
    if (phase != controller::Phase::starting) return;
    if (std::exchange(past.idle_since_start, false)) past.start_epoch = now();
}

void Hive::see_outcome(const wire::Envelope& envelope, const std::string& body) {
    auto id = envelope.correlation_id.value();
    // What went to every controller is answered by each of them.
    if (broadcasts_.contains(id)) id += fmt::format("@{}", envelope.scope.instance.text());
    const auto [known, fresh] = outcomes_.emplace(id, body);
    if (!fresh) {
        if (known->second != body) break_rule(rule::one_outcome, fmt::format("{} has two", id));
        return;
    }
    const auto& outcome = std::get<wire::Outcome>(envelope.body);
    const std::string swarm{envelope.scope.swarm.text()};
    const auto asked = asked_.find(id);
    const TimePoint since = asked == asked_.end() ? TimePoint{} : asked->second;
    switch (outcome.status) {
    case wire::OutcomeStatus::running: return judge_running(swarm, since);
    case wire::OutcomeStatus::stopped: return judge_idle(swarm, since, "Stopped");
    case wire::OutcomeStatus::removed: return judge_removed(swarm);
    case wire::OutcomeStatus::ready:
        if (outcome.command == wire::Command::swarm_template) judge_idle(swarm, since, "Ready");
        return;
    default: return;
    }
}

void Hive::judge_running(const std::string& swarm, TimePoint since) {
    for (const auto& [name, bee] : bees_) {
        if (bee.swarm != swarm || bee.on || bee.last_on + unnoticed_max >= since) continue;
        break_rule(rule::truth, fmt::format("{} is Running without {}", swarm, name));
    }
}

void Hive::judge_idle(const std::string& swarm, TimePoint since, std::string_view status) {
    Past& past = swarms_[swarm];
    past.templated = true;
    if (past.last_start >= since) return; // told to start in the meantime
    for (const auto& [name, bee] : bees_) {
        if (bee.swarm != swarm || !bee.on) continue;
        break_rule(rule::truth, fmt::format("{} is {} while {} runs", swarm, status, name));
    }
    past.stopped = true;
}

void Hive::judge_removed(const std::string& swarm) {
    swarms_[swarm].marshal_removed = true;
    for (const auto& [name, bee] : bees_) {
        if (bee.swarm != swarm || !lives(name)) continue;
        break_rule(rule::truth, fmt::format("{} is Removed while {} lives", swarm, name));
    }
}

Hive::Verdict Hive::leftovers(std::string_view swarm) const {
    const auto past = swarms_.find(swarm);
    if (past == swarms_.end()) return std::nullopt;
    for (const auto& name : past->second.components) {
        if (world_.lives(name)) return fmt::format("{} still lives", name);
    }
    const auto part = fmt::format(".{}.", swarm);
    for (const auto& queue : world_.broker().queue_names()) {
        if (queue.find(part) != queue.npos) return fmt::format("queue {} is still there", queue);
    }
    return std::nullopt;
}

Hive::Verdict Hive::unfinished(std::string_view swarm, std::string_view stored) const {
    if (stored.find(R"("announced":true)") == stored.npos) {
        return fmt::format("the creation of {} has no outcome", swarm);
    }
    if (stored.find(R"("wish":"removed")") != stored.npos) {
        if (stored.find(R"("phase":"Removed")") == stored.npos) {
            return fmt::format("{} is not removed", swarm);
        }
        return leftovers(swarm);
    }
    if (stored.find(R"("halted":true)") != stored.npos) {
        const auto past = swarms_.find(swarm);
        if (past != swarms_.end() && past->second.excused) return std::nullopt;
        return fmt::format("{} failed without a reason", swarm);
    }
    const bool runs = stored.find(R"("wish":"running")") != stored.npos;
    if (auto wrong = wrong_bees(swarm, runs)) return wrong;
    const std::string_view phase = runs ? R"("phase":"Running")" : R"("phase":"St)";
    const bool idle = !runs && stored.find(R"("phase":"Ready")") != stored.npos;
    if (!idle && stored.find(phase) == stored.npos) {
        return fmt::format("{} is not in the phase that is wished for", swarm);
    }
    return std::nullopt;
}

Hive::Verdict Hive::wrong_bees(std::string_view swarm, bool runs) const {
    std::size_t count = 0;
    for (const auto& [name, bee] : bees_) {
        if (bee.swarm != swarm) continue;
        ++count;
        if (bee.abandoned) continue; // kept as it ended, for people to look at
        if (bee.on != runs) return fmt::format("{} {}", name, runs ? "does not run" : "runs");
    }
    if (count == 0) return fmt::format("{} has no bees", swarm);
    return std::nullopt;
}

Hive::Verdict Hive::unfinished() const {
    if (now() < settled_by_) return "the swarms settle"; // what is about to change looks finished
    for (const auto& [key, stored] : world_.disk("queen").entries()) {
        if (!key.starts_with("swarm/")) continue;
        if (auto missing = unfinished(std::string_view{key}.substr(6), stored)) return missing;
    }
    return std::nullopt;
}

} // namespace hive::simulation::swarm
