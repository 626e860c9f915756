// Configuration of swarms and their bees, pausing of controllers, and asking for statuses.
#include "api/rest/audited.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/swarm_route_groups.hpp"
#include "controller/template.hpp"
#include "kernel/text.hpp"
#include "wire/scope.hpp"

#include <fmt/format.h>

#include <set>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using orchestrator::ConfigAsked;
using orchestrator::SwarmReport;

// Which of these a route's path names.
enum class Reach : std::uint8_t { swarm, role, instance };

struct Targets {
    SwarmId swarm;
    std::vector<wire::Scope> scopes{};
};

Error no_such(std::string_view what, std::string_view asked, const std::set<std::string>& known) {
    return {
        Errc::not_found,
        fmt::format("the swarm has no {} '{}'; it has {}", what, asked, fmt::join(known, ", "))};
}

// The components of a swarm that a path means, by its template and its controller.
Result<std::vector<wire::Scope>>
scopes_in(const SwarmReport& report, const Role& role, std::string_view instance) {
    const auto& swarm = report.swarm;
    std::vector<wire::Scope> found;
    std::set<std::string> roles{wire::controller_role().text()};
    std::set<std::string> instances;
    const auto consider = [&](const Role& its_role, const InstanceId& its_instance) {
        roles.insert(its_role.text());
        if (its_role != role) return;
        instances.insert(its_instance.text());
        if (instance.empty() || its_instance.text() == instance) {
            found.push_back({swarm.id, its_role, its_instance});
        }
    };
    consider(wire::controller_role(), swarm.marshal);
    const auto plan = controller::read_template(swarm.id, swarm.text);
    if (!plan) return fail(plan.error());
    for (const auto& bee : plan->bees) consider(bee.role, bee.instance);
    if (instances.empty()) return fail(no_such("role", role.text(), roles));
    if (found.empty()) return fail(no_such("instance", instance, instances));
    return found;
}

Result<Targets> targets_of(const SwarmCourt& court, const Call& call, Reach reach) {
    const auto report = present(court, call.path("swarmId"));
    if (!report) return fail(report.error());
    Targets targets{(*report)->swarm.id};
    if (reach == Reach::swarm) {
        targets.scopes.push_back({.swarm = targets.swarm});
        return targets;
    }
    const auto role = Role::parse(call.path("role"));
    if (!role) return fail(role.error());
    auto scopes = scopes_in(
        **report, *role, reach == Reach::instance ? call.path("instance") : std::string_view{});
    if (!scopes) return fail(scopes.error());
    targets.scopes = std::move(*scopes);
    return targets;
}

json::array names_in(const json::object& patch) {
    constexpr std::size_t most = 32;
    json::array names;
    for (const auto& [name, value] : patch) {
        if (names.size() == most) break;
        names.emplace_back(printable(name));
    }
    return names;
}

// What a patch changes, as the template has it: what bees were told since then is in the journal
// and in earlier entries. Secrets are taken out of all details.
json::object
begun_with(const SwarmReport& report, const wire::Scope& target, const json::object& patch) {
    json::object out;
    const auto plan = controller::read_template(report.swarm.id, report.swarm.text);
    if (!plan) return out;
    for (const auto& bee : plan->bees) {
        if (!target.role.is_all() && target.role.text() != bee.role.text()) continue;
        if (!target.instance.is_all() && target.instance.text() != bee.instance.text()) continue;
        json::object begun;
        for (const auto& [name, value] : patch) {
            if (const auto* found = bee.config.if_contains(name)) begun[name] = *found;
        }
        out[bee.instance.text()] = std::move(begun);
    }
    return out;
}

// Which bees were enabled, as their controller last said.
json::object were_enabled(const SwarmReport& report) {
    json::object out;
    const auto* workers = report.aggregate.if_contains("workers");
    if (workers == nullptr || !workers->is_array()) return out;
    for (const auto& worker : workers->get_array()) {
        const auto* one = worker.if_object();
        const auto* instance = one == nullptr ? nullptr : one->if_contains("instance");
        const auto* enabled = one == nullptr ? nullptr : one->if_contains("enabled");
        if (enabled == nullptr || instance == nullptr || !instance->is_string()) continue;
        out[instance->get_string()] = *enabled;
    }
    return out;
}

asio::awaitable<http::Response> configure(Commands commands, Call call, Reach reach) {
    auto targets = targets_of(commands->court(), call, reach);
    if (!targets) co_return call.fail(targets.error());
    const json::object patch = call.body().as_object();
    Order order{
        .swarm = targets->swarm,
        .happening =
            {.action = "swarm.configured",
             .entity_type = "swarm",
             .entity_id = targets->swarm.text(),
             .details =
                 {{"target", to_text(targets->scopes.front())},
                  {"changed", names_in(patch)},
                  {"after", audited(patch)}}},
        .listed = reach == Reach::role};
    if (const auto report = commands->court().find(targets->swarm)) {
        wire::Scope target = targets->scopes.front();
        if (reach == Reach::role) target.instance = wire::Target<InstanceId>::all();
        json::object before{{"template", begun_with(*report, target, patch)}};
        if (patch.contains("enabled")) before["enabled"] = were_enabled(*report);
        order.happening.details["before"] = audited(before);
    }
    if (reach == Reach::role) order.happening.details["instances"] = targets->scopes.size();
    for (const wire::Scope& scope : targets->scopes) {
        order.asks.emplace_back(ConfigAsked{.target = scope, .patch = patch, .attempt = {}});
    }
    co_return co_await commands->carry_out(call, std::move(order));
}

http::Response requested(const wire::Scope& scope) {
    return api::json_response(json::object{{"target", to_text(scope)}}, 202);
}

http::Response ask_status(const Commands& commands, const Call& call, Reach reach) {
    const auto targets = targets_of(commands->court(), call, reach);
    if (!targets) return call.fail(targets.error());
    wire::Scope scope = targets->scopes.front();
    if (reach == Reach::role) scope.instance = wire::Target<InstanceId>::all();
    commands->court().request_status(scope);
    if (reach == Reach::swarm) {
        // Such a request is for bees only; what they add up to is told by their controller.
        wire::Scope controller{.swarm = targets->swarm, .role = wire::controller_role()};
        commands->court().request_status(controller);
    }
    return requested(scope);
}

api::Content patch_content() {
    return {
        .schema = {{"type", "object"}, {"minProperties", 1}},
        .example = {{"enabled", true}, {"worker", {{"ratePerSec", 50}}}}};
}

std::vector<api::Answer> requested_answer() {
    return {
        {202, "Asked for; statuses follow on the control plane",
         api::Content{
             .schema = closed_object({{"target", text_schema()}}),
             .example = {{"target", "alpha.generator.alpha-generator-1"}}}}};
}

struct ReachRoute {
    Reach reach;
    std::string_view path;
    std::string_view id_end;
    std::string_view whom;
};

void add_reach(Routes& routes, const Commands& commands, const ReachRoute& one) {
    const Reach reach = one.reach;
    routes.push_back(
        {.method = http::Method::post,
         .path = fmt::format("/api/v1/swarms/{{swarmId:SwarmId}}{}/config", one.path),
         .id = fmt::format("configure{}", one.id_end),
         .summary = fmt::format("Merges a patch into the configuration of {}", one.whom),
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::write),
         .handler = api::AsyncHandler{[commands, reach](Call call) {
             return configure(commands, call, reach);
         }},
         .query = {wait_parameter()},
         .request = patch_content(),
         .answers = reach == Reach::role ? listed_command_answers() : command_answers(),
         .idempotency = api::Idempotency::accepted});
    routes.push_back(
        {.method = http::Method::post,
         .path = fmt::format("/api/v1/swarms/{{swarmId:SwarmId}}{}/status-request", one.path),
         .id = fmt::format("requestStatusOf{}", one.id_end),
         .summary = fmt::format("Asks for a full status of {}", one.whom),
         .tag = "swarms",
         .access = Access::needs(Area::swarms, Level::write),
         .handler = api::SyncHandler{[commands, reach](const Call& call) {
             return ask_status(commands, call, reach);
         }},
         .answers = requested_answer(),
         .idempotency = api::Idempotency::ignored});
}

ConfigAsked pause_of(const orchestrator::Swarm& swarm, bool enabled) {
    return {
        .target = {swarm.id, wire::controller_role(), swarm.marshal},
        .patch = {{"enabled", enabled}},
        .attempt = {}};
}

std::string paused_action(bool enabled) {
    return enabled ? "swarm.controller.enabled" : "swarm.controller.disabled";
}

asio::awaitable<http::Response> switch_one(Commands commands, Call call, bool enabled) {
    const auto report = present(commands->court(), call.path("swarmId"));
    if (!report) co_return call.fail(report.error());
    const auto& swarm = (*report)->swarm;
    Order order{
        .swarm = swarm.id,
        .happening = {
            .action = paused_action(enabled),
            .entity_type = "swarm",
            .entity_id = swarm.id.text()}};
    order.asks.emplace_back(pause_of(swarm, enabled));
    co_return co_await commands->carry_out(call, std::move(order));
}

asio::awaitable<http::Response> switch_all(Commands commands, Call call, bool enabled) {
    Order order{
        .swarm = SwarmId::parse("all").value(),
        .happening = {.action = paused_action(enabled), .entity_type = "swarm", .entity_id = "all"},
        .listed = true};
    for (const auto& report : commands->court().swarms()) {
        if (report->swarm.wish == orchestrator::Wish::removed) continue;
        order.asks.emplace_back(pause_of(report->swarm, enabled));
    }
    co_return co_await commands->carry_out(call, std::move(order));
}

void add_switch(Routes& routes, const Commands& commands, bool enabled) {
    const std::string_view verb = enabled ? "enable" : "disable";
    const std::string_view does = enabled ? "Resumes" : "Pauses";
    const auto add = [&](std::string path, std::string id, std::string summary, auto handle) {
        routes.push_back(
            {.method = http::Method::post,
             .path = std::move(path),
             .id = std::move(id),
             .summary = std::move(summary),
             .tag = "swarms",
             .access = Access::needs(Area::swarms, Level::write),
             .handler = api::AsyncHandler{[commands, enabled, handle](Call call) {
                 return handle(commands, call, enabled);
             }},
             .query = {wait_parameter()},
             .idempotency = api::Idempotency::accepted});
    };
    add(fmt::format("/api/v1/swarm-managers/{{swarmId:SwarmId}}/{}", verb),
        fmt::format("{}SwarmManager", verb),
        fmt::format("{} the controller of a swarm; its bees are left alone", does), &switch_one);
    routes.back().answers = command_answers();
    add(fmt::format("/api/v1/swarm-managers/{}", verb), fmt::format("{}SwarmManagers", verb),
        fmt::format("{} the controllers of all swarms", does), &switch_all);
    routes.back().answers = listed_command_answers();
}

} // namespace

void add_component_routes(Routes& routes, const Commands& commands) {
    add_reach(routes, commands, {Reach::swarm, "", "Swarm", "a whole swarm"});
    add_reach(
        routes, commands,
        {Reach::role, "/components/{role:Role}", "Role", "every component of a role"});
    add_reach(
        routes, commands,
        {Reach::instance, "/components/{role:Role}/{instance:InstanceId}", "Component",
         "one component"});
}

void add_swarm_manager_routes(Routes& routes, const Commands& commands) {
    add_switch(routes, commands, true);
    add_switch(routes, commands, false);
}

} // namespace hive::rest
