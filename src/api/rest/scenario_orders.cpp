#include "api/rest/scenario_orders.hpp"

#include "api/rest/scenario_json.hpp"
#include "scenario/validate.hpp"
#include "scenario/wire_plan.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using Ordered = tl::expected<SwarmOrder, api::Problem>;

tl::unexpected<api::Problem> wrong(std::string pointer, std::string detail) {
    return tl::unexpected{api::Problem{
        .status = 400,
        .code = "invalid",
        .detail = detail,
        .errors = {{std::move(pointer), std::move(detail)}}}};
}

json::object object_at(const json::object& body, std::string_view name) {
    const auto* found = body.if_contains(name);
    return found == nullptr ? json::object{} : found->as_object();
}

// What is put in now would be kept with the swarm, where everybody who may read it sees it; and
// who may write a scenario could read the environment and the files of the server.
Status check_no_secrets(const scenario::Compiled& compiled) {
    const SecretSources none{
        .env = [](const std::string&) { return std::nullopt; },
        .file = [](const std::string&) -> Result<std::string> {
            return fail(Errc::denied, "not read here");
        }};
    json::value copy = compiled.bees;
    return scenario::resolve_secrets(copy, none);
}

Ordered order_of(scenario::Shelf& shelf, const std::string& id, const json::object& body) {
    const auto stored = shelf.find(id);
    if (!stored) {
        auto problem = api::problem_of(stored.error());
        problem.status = 422; // the path is right, what the body names is not there
        problem.code = "unknown-scenario";
        problem.errors = {{"/scenario", problem.detail}};
        return tl::unexpected{std::move(problem)};
    }
    const auto choices = choices_in(body);
    std::vector<Finding> findings = (*stored)->loaded.findings;
    const auto more = scenario::validate((*stored)->loaded, shelf.catalog(), choices);
    findings.insert(findings.end(), more.begin(), more.end());
    if (has_errors(findings)) return tl::unexpected{not_sound(findings)};
    const auto compiled = scenario::compile((*stored)->loaded.scenario, choices, shelf.catalog());
    if (!compiled) return tl::unexpected{api::problem_of(compiled.error())};
    if (auto ok = check_no_secrets(*compiled); !ok) {
        return tl::unexpected{api::Problem{
            .status = 422,
            .code = "secret-on-server",
            .detail = fmt::format(
                "{}: a server puts no secrets into scenarios; give the value with `set`, or run "
                "it with hive run --server, which puts them in where it runs",
                ok.error().detail)}};
    }
    return SwarmOrder{compiled->bees, scenario::wire_plan(*compiled), id, (*stored)->revision};
}

} // namespace

Ordered template_order(const json::object& body) {
    if (!body.contains("template")) return wrong("/template", "is required");
    return SwarmOrder{.text = object_at(body, "template"), .plan = object_at(body, "plan")};
}

ReadSwarmOrder orders_from(scenario::Shelf& shelf) {
    return [&shelf](const json::object& body) -> Ordered {
        const auto* scenario = body.if_contains("scenario");
        if (scenario == nullptr) {
            for (const char* name : {"sut", "profile", "endpoints", "set"}) {
                if (!body.contains(name)) continue;
                return wrong(
                    fmt::format("/{}", name), "is a choice of a scenario; give `scenario` too");
            }
            if (!body.contains("template")) {
                return wrong("/template", "give a `template`, or the id of a `scenario`");
            }
            return template_order(body);
        }
        for (const char* name : {"template", "plan"}) {
            if (!body.contains(name)) continue;
            return wrong(fmt::format("/{}", name), "the scenario has one; leave one of them out");
        }
        return order_of(shelf, std::string{scenario->as_string()}, body);
    };
}

} // namespace hive::rest
