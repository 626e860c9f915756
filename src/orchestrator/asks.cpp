// What people ask of swarms, what is refused, and how each of it ends.
#include "orchestrator/decide.hpp"
#include "orchestrator/step.hpp"
#include "wire/names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hive::orchestrator {
namespace {

using Verb = wire::Command;

constexpr std::string_view overtaken_by = "overtaken by ";

bool is_asked(const Swarm& swarm, Verb command) {
    return std::ranges::find(swarm.asks, command, &Ask::command) != swarm.asks.end();
}

// Only what can never come true. A start that comes too early waits for the creation.
bool is_pointless(const Swarm& swarm, Wish wish) {
    if (swarm.wish == Wish::removed) return wish != Wish::removed;
    const bool never_started =
        swarm.phase == Phase::ready && swarm.wish == Wish::stopped && swarm.observed;
    return wish == Wish::stopped && never_started && !swarm.command &&
           !is_asked(swarm, Verb::swarm_stop);
}

TimePoint deadline_of(const Step& step, const Swarm& swarm, Verb command) {
    Duration within = time_for(step.settings, command);
    // Half of it is the controller's; then what it left is removed from here.
    if (command == Verb::swarm_remove) within *= 2;
    if (!swarm.create.decided) within += step.settings.ready_within;
    return step.moment.now + within;
}

void overtake(Step& step, Swarm& swarm, Verb newer) {
    // A newer wish ends what an older one had under way; template and plan go on.
    if (swarm.command && (swarm.command->command == Verb::swarm_start ||
                          swarm.command->command == Verb::swarm_stop)) {
        swarm.command.reset();
    }
    for (const Verb older : {Verb::swarm_start, Verb::swarm_stop}) {
        if (older == newer) continue;
        end_asks(step, swarm, older, {.reason = fmt::format("{}{}", overtaken_by, name_of(newer))});
    }
}

} // namespace

Verb verb_of(Wish wish) noexcept {
    switch (wish) {
    case Wish::running: return Verb::swarm_start;
    case Wish::stopped: return Verb::swarm_stop;
    case Wish::removed: return Verb::swarm_remove;
    }
    std::abort();
}

std::vector<Verb> allowed_actions(const Swarm& swarm) {
    if (swarm.phase == Phase::removed) return {Verb::swarm_create};
    if (swarm.wish == Wish::removed) return {Verb::swarm_remove};
    switch (swarm.phase) {
    case Phase::creating:
        if (swarm.wish == Wish::running) return {Verb::swarm_stop, Verb::swarm_remove};
        return {Verb::swarm_start, Verb::swarm_remove};
    case Phase::ready:
        if (swarm.wish == Wish::running) {
            return {Verb::swarm_stop, Verb::swarm_remove, Verb::config_update};
        }
        return {Verb::swarm_start, Verb::swarm_remove, Verb::config_update};
    case Phase::starting:
    case Phase::running: return {Verb::swarm_stop, Verb::swarm_remove, Verb::config_update};
    case Phase::stopping:
    case Phase::stopped: return {Verb::swarm_start, Verb::swarm_remove, Verb::config_update};
    case Phase::failed: return {Verb::swarm_start, Verb::swarm_stop, Verb::swarm_remove};
    case Phase::removing:
    case Phase::removed: break;
    }
    return {Verb::swarm_remove};
}

std::string state_sentence(const Swarm& swarm) {
    std::vector<std::string_view> names;
    for (const Verb action : allowed_actions(swarm)) {
        auto name = name_of(action);
        if (name.starts_with("swarm-")) name.remove_prefix(6);
        names.push_back(name);
    }
    const auto phase = swarm.wish == Wish::removed && swarm.phase != Phase::removed
                           ? name_of(Phase::removing)
                           : name_of(swarm.phase);
    return fmt::format(
        "swarm '{}' is {}; possible now: {}", swarm.id.text(), phase, fmt::join(names, ", "));
}

void refuse(Step& step, const wire::Attempt& attempt, Errc code, std::string reason) {
    step.out.emplace_back(Refuse{attempt, code, std::move(reason)});
}

void note_request(Step& step, const Request& request) {
    record(
        step, {.at = step.moment.wall,
               .swarm = request.swarm,
               .kind = "request",
               .type = std::string{request.type},
               .origin = request.who,
               .correlation_id = request.attempt.correlation_id});
}

void on_create(Step& step, const CreateAsked& asked) {
    const auto known = step.state.swarms.find(asked.swarm);
    if (known != step.state.swarms.end() && known->second.phase != Phase::removed) {
        return refuse(
            step, asked.attempt, Errc::conflict,
            fmt::format(
                "swarm '{0}' exists; remove it first ({1})", asked.swarm.text(),
                state_sentence(known->second)));
    }
    auto marshal = wire::controller_instance(asked.swarm);
    if (!marshal) return refuse(step, asked.attempt, Errc::invalid, marshal.error().detail);
    step.state.swarms.insert_or_assign(
        asked.swarm, Swarm{
                         .id = asked.swarm,
                         .marshal = *std::move(marshal),
                         .text = asked.text,
                         .plan = asked.plan,
                         .run = asked.run,
                         .created_at = step.moment.wall,
                         .create = {.attempt = asked.attempt},
                         .wished_at = step.moment.now});
    note_request(step, {asked.swarm.text(), "swarm-create", asked.attempt, asked.who});
    step.keep({asked.attempt, Verb::swarm_create, asked.swarm, asked.who, step.moment.wall});
    step.out.emplace_back(Save{asked.swarm});
}

void on_wish(Step& step, const WishAsked& asked) {
    const auto known = step.state.swarms.find(asked.swarm);
    if (known == step.state.swarms.end() || known->second.phase == Phase::removed) {
        return refuse(
            step, asked.attempt, Errc::not_found,
            fmt::format("there is no swarm '{}'", asked.swarm.text()));
    }
    Swarm& swarm = known->second;
    if (is_pointless(swarm, asked.wish)) {
        return refuse(step, asked.attempt, Errc::conflict, state_sentence(swarm));
    }
    const Verb verb = verb_of(asked.wish);
    note_request(step, {asked.swarm.text(), name_of(verb), asked.attempt, asked.who});
    if (swarm.wish != asked.wish) swarm.wished_at = step.moment.now;
    swarm.wish = asked.wish;
    swarm.halted = false;
    swarm.launch_at = step.moment.now; // somebody looks after it: no longer wait
    swarm.asked = asked.attempt;
    overtake(step, swarm, verb);
    swarm.asks.push_back({asked.attempt, verb, deadline_of(step, swarm, verb)});
    step.keep({asked.attempt, verb, asked.swarm, asked.who, step.moment.wall});
    step.save(swarm);
}

// Wishes are with their swarms; only who asked is added. The time begins again.
void track_again(Step& step, const AskRecord& record) {
    if (record.command == Verb::config_update) return track_config_again(step, record);
    const auto known =
        record.swarm.id() ? step.state.swarms.find(*record.swarm.id()) : step.state.swarms.end();
    if (known == step.state.swarms.end()) {
        return end_ask(
            step, {.asked = record.attempt,
                   .swarm = record.swarm,
                   .command = record.command,
                   .reason = "the swarm is no longer there"});
    }
    if (record.command == Verb::swarm_create) return; // told by the swarm's own record of it
    Swarm& swarm = known->second;
    swarm.asks.push_back(
        {record.attempt, record.command, deadline_of(step, swarm, record.command),
         true}); // an earlier life may have sent it
}

void end_ask(Step& step, Ended ended) {
    if (!ended.status) {
        record(
            step, {.at = step.moment.wall,
                   .severity = Severity::warn,
                   .swarm = std::string{ended.swarm.text()},
                   .kind = "request",
                   .type = std::string{name_of(ended.command)},
                   .origin = step.sender().origin.text(),
                   .correlation_id = ended.asked.correlation_id,
                   .data = json::object{{"ended", ended.reason}}});
    }
    step.out.emplace_back(std::move(ended));
}

void answer_ourselves(Step& step, const Ended& ended) {
    const wire::Scope self{ended.swarm, wire::orchestrator_role(), step.state.instance};
    const auto say = [&](wire::Outcome outcome) {
        step.out.emplace_back(
            Publish{wire::Envelope::outcome(step.sender(), self, ended.asked, std::move(outcome))});
    };
    if (ended.reason.starts_with(overtaken_by)) {
        return say(wire::Outcome::not_ready(
            ended.command, {{"overtaken", true}, {"reason", ended.reason}}));
    }
    if (ended.status == wire::success_of(ended.command)) {
        return say(wire::Outcome::succeeded(ended.command));
    }
    const std::string reason = ended.reason.empty() ? "the swarm was removed" : ended.reason;
    say(wire::Outcome::failed(ended.command, json::object{{"reason", reason}}));
    step.out.emplace_back(Publish{wire::Envelope::alert(
        step.sender(), self,
        {.code = "orchestrator.command-failed",
         .message = fmt::format("{} failed: {}", name_of(ended.command), reason),
         .context = json::object{
             {"phase", name_of(ended.command)}, {"correlationId", ended.asked.correlation_id}}})});
}

void end_asks(Step& step, Swarm& swarm, std::optional<Verb> which, const End& end) {
    std::erase_if(swarm.asks, [&](const Ask& ask) {
        if (which && ask.command != *which) return false;
        const Ended ended{
            .asked = ask.attempt,
            .swarm = swarm.id,
            .command = ask.command,
            .status = end.status,
            .reason = end.reason,
            .context = end.context};
        if (!ask.answered && (!ask.sent || end.unheard)) answer_ourselves(step, ended);
        end_ask(step, ended);
        return true;
    });
}

void end_late_asks(Step& step, Swarm& swarm) {
    std::erase_if(swarm.asks, [&](const Ask& ask) {
        if (step.moment.now < ask.deadline) return false;
        const Ended ended{
            .asked = ask.attempt,
            .swarm = swarm.id,
            .command = ask.command,
            .reason = fmt::format("{} timed out", name_of(ask.command))};
        if (!ask.sent) answer_ourselves(step, ended);
        end_ask(step, ended);
        return true;
    });
}

} // namespace hive::orchestrator
