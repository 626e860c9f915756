#include "tests/simulation/handshake/performer.hpp"

#include "kernel/overloaded.hpp"

#include <algorithm>
#include <utility>

namespace hive::simulation::handshake {
namespace {

using Effects = std::vector<PerformerEffect>;

Effects on_command(
    PerformerState& state, const Attempt& attempt, TimePoint now,
    const PerformerSettings& settings) {
    const bool known = state.jobs.contains(attempt.correlation);
    // Delivery is at least once: a repeated command changes nothing.
    if (known && settings.flaw != Flaw::performs_every_delivery) {
        return {Acknowledge{}, React{attempt}};
    }
    state.jobs[attempt.correlation] = {attempt.key, Working{now + settings.work_takes}};
    if (settings.flaw == Flaw::acks_before_it_persists) {
        return {Acknowledge{}, React{attempt}, SaveJob{attempt.correlation}};
    }
    return {SaveJob{attempt.correlation}, Acknowledge{}, React{attempt}};
}

// Every attempt is carried out, so carrying out must be idempotent: a key is entered once.
std::uint64_t perform(PerformerState& state, const std::string& key, Flaw flaw) {
    const auto found = std::ranges::find(state.ledger, key);
    if (found != state.ledger.end() && flaw != Flaw::performs_every_delivery) {
        return static_cast<std::uint64_t>(found - state.ledger.begin()) + 1;
    }
    state.ledger.push_back(key);
    return state.ledger.size();
}

Effects on_tick(PerformerState& state, TimePoint now, Flaw flaw) {
    Effects effects;
    for (auto& [correlation, job] : state.jobs) {
        const auto* working = std::get_if<Working>(&job.stage);
        const bool finishes = working != nullptr && working->due <= now;
        if (finishes) job.stage = Performed{perform(state, job.key, flaw)};
        const auto* performed = std::get_if<Performed>(&job.stage);
        if (performed == nullptr) continue;
        const Announce announce{{{correlation, job.key}, performed->entry}};
        if (flaw == Flaw::announces_before_it_persists) effects.emplace_back(announce);
        if (finishes) {
            effects.emplace_back(SaveLedger{});
            effects.emplace_back(SaveJob{correlation});
        }
        if (flaw != Flaw::announces_before_it_persists) effects.emplace_back(announce);
    }
    return effects;
}

Effects on_confirmed(PerformerState& state, const std::string& correlation) {
    const auto job = state.jobs.find(correlation);
    if (job == state.jobs.end()) return {};
    const auto* performed = std::get_if<Performed>(&job->second.stage);
    if (performed == nullptr) return {};
    job->second.stage = Announced{performed->entry};
    return {SaveJob{correlation}};
}

} // namespace

PerformerDecision decide(
    PerformerState state, const PerformerEvent& event, TimePoint now,
    const PerformerSettings& settings) {
    auto effects = std::visit(
        overloaded{
            [&](const CommandArrived& arrived) {
                return on_command(state, arrived.attempt, now, settings);
            },
            [&](const Confirmed& confirmed) { return on_confirmed(state, confirmed.correlation); },
            [&](const PerformerTick&) { return on_tick(state, now, settings.flaw); },
        },
        event);
    return {std::move(state), std::move(effects)};
}

} // namespace hive::simulation::handshake
