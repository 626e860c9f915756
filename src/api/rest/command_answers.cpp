#include "api/rest/command_answers.hpp"

#include "api/rest/command_desk.hpp"
#include "api/rest/schemas.hpp"
#include "kernel/overloaded.hpp"
#include "wire/names.hpp"
#include "wire/routing.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace hive::rest {
namespace {

using orchestrator::ConfigAsked;
using orchestrator::CreateAsked;
using orchestrator::Queen;
using orchestrator::Settings;
using orchestrator::Wish;
using orchestrator::WishAsked;

// One thing that was asked for, as far as its answer goes.
struct Asked {
    const wire::Attempt* attempt;
    SwarmId swarm;
    wire::Command command;
    std::string subject; // of the outcome: role and instance
    Duration within{};
};

wire::Command command_of(Wish wish) {
    switch (wish) {
    case Wish::running: return wire::Command::swarm_start;
    case Wish::stopped: return wire::Command::swarm_stop;
    case Wish::removed: return wire::Command::swarm_remove;
    }
    std::abort();
}

Duration time_for(Wish wish, const Settings& settings) {
    switch (wish) {
    case Wish::running: return settings.start_within;
    case Wish::stopped: return settings.stop_within;
    case Wish::removed: return settings.remove_within;
    }
    std::abort();
}

std::string controller_of(const SwarmId& swarm) {
    return fmt::format("{}.{}-marshal", wire::controller_role().text(), swarm.text());
}

Asked asked_of(const Queen::Ask& ask, const Settings& settings) {
    return std::visit(
        overloaded{
            [&](const CreateAsked& create) {
                return Asked{
                    &create.attempt, create.swarm, wire::Command::swarm_create,
                    fmt::format("{}.*", wire::orchestrator_role().text()), settings.ready_within};
            },
            [&](const WishAsked& wish) {
                return Asked{
                    &wish.attempt, wish.swarm, command_of(wish.wish), controller_of(wish.swarm),
                    time_for(wish.wish, settings)};
            },
            [&](const ConfigAsked& config) {
                const SwarmId& swarm = *config.target.swarm.id();
                // To a whole swarm it is the controller that answers for all.
                const bool whole = config.target.role.is_all();
                return Asked{
                    &config.attempt, swarm, wire::Command::config_update,
                    whole ? controller_of(swarm)
                          : fmt::format(
                                "{}.{}", config.target.role.text(), config.target.instance.text()),
                    settings.config_within};
            }},
        ask);
}

json::object one_accepted(const Queen::Ask& ask, const Settings& settings) {
    const Asked asked = asked_of(ask, settings);
    const std::string key = fmt::format(
        "event.outcome.{}.{}.{}", name_of(asked.command), asked.swarm.text(), asked.subject);
    const std::string& id = asked.attempt->correlation_id;
    return {
        {"correlationId", id},
        {"idempotencyKey", asked.attempt->idempotency_key.value_or(id)},
        {"swarm", asked.swarm.text()},
        {"command", name_of(asked.command)},
        {"watch",
         json::object{
             {"routingKey", key}, {"topic", "control." + key}, {"url", "/api/v1/commands/" + id}}},
        {"timeoutMs", std::chrono::duration_cast<std::chrono::milliseconds>(asked.within).count()}};
}

constexpr std::string_view example_id = "5f0c1c52-7b9c-4b7e-9a8e-3f4a5b6c7d8e";

json::object example_accepted() {
    return {
        {"correlationId", example_id},
        {"idempotencyKey", "nightly-42"},
        {"swarm", "alpha"},
        {"command", "swarm-start"},
        {"watch",
         {{"routingKey", "event.outcome.swarm-start.alpha.swarm-controller.alpha-marshal"},
          {"topic", "control.event.outcome.swarm-start.alpha.swarm-controller.alpha-marshal"},
          {"url", fmt::format("/api/v1/commands/{}", example_id)}}},
        {"timeoutMs", 180000}};
}

json::object example_outcome() {
    return {{"correlationId", example_id}, {"swarm", "alpha"},  {"command", "swarm-start"},
            {"status", "Running"},         {"succeeded", true}, {"context", json::object{}}};
}

} // namespace

json::object
accepted_json(const std::vector<Queen::Ask>& asks, bool listed, const Settings& settings) {
    if (listed) {
        json::array items;
        for (const Queen::Ask& ask : asks) items.push_back(one_accepted(ask, settings));
        return {{"items", std::move(items)}};
    }
    json::object out = one_accepted(asks.front(), settings);
    if (asks.size() > 1) out["start"] = one_accepted(asks[1], settings);
    return out;
}

api::QueryParameter wait_parameter() {
    return {
        .name = "wait",
        .description = "how long to wait for the outcome, such as `30s`; at most `10m`",
        .range = {1, 32}};
}

std::vector<api::Answer> command_answers() {
    return {
        {200, "It has ended, as `status` says; sent when `wait` was long enough",
         api::Content{.schema = ref("SwarmOutcome"), .example = example_outcome()}},
        {202, "Accepted and kept, the outcome follows; or held back until it is approved",
         api::Content{
             .schema = {{"anyOf", {ref("SwarmAccepted"), ref("ApprovalNeeded")}}},
             .example = example_accepted()}}};
}

std::vector<api::Answer> listed_command_answers() {
    return {
        {200, "All have ended; sent when `wait` was long enough",
         api::Content{
             .schema = list_of("SwarmOutcome"),
             .example = {{"items", json::array{example_outcome()}}}}},
        {202, "Accepted and kept, the outcomes follow; or held back until it is approved",
         api::Content{
             .schema = {{"anyOf", {list_of("SwarmAccepted"), ref("ApprovalNeeded")}}},
             .example = {{"items", json::array{example_accepted()}}}}}};
}

} // namespace hive::rest
