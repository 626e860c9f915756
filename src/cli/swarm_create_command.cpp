#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_file.hpp"
#include "cli/scenario_commands.hpp"
#include "cli/swarm_commands.hpp"
#include "scenario/wire_plan.hpp"

#include <fmt/format.h>

#include <optional>
#include <vector>

namespace hive::cli {
namespace {

constexpr std::size_t secret_bytes_max = std::size_t{1} << 16U;

struct SwarmCreateOptions {
    OneSwarmOptions one{};
    std::optional<FilePath> text{};
    std::optional<FilePath> plan{};
    std::string scenario{};
    std::string sut{};
    std::string profile{};
    std::vector<std::string> endpoints{};
    std::vector<std::string> set{};
    std::string notes{};
    bool start = false;
};

void declare_swarm_create_choices(OptionTable& table, SwarmCreateOptions& options) {
    table.add_flag("sut", options.sut)
        .value_name("ID")
        .help("the environment of the scenario, of those in sut/");
    // --profile is the server that one is logged in to.
    table.add_flag("scenario-profile", options.profile)
        .value_name("ID")
        .help("the profile of the scenario, of those in variables.yaml");
    table.add_flag("endpoint", options.endpoints)
        .value_name("NAME=URL")
        .help("where an endpoint of the system under test is, instead of what the scenario says");
    table.add_flag("set", options.set)
        .value_name("BEE.SETTING=VALUE")
        .help("another value for a setting of a bee, may be given several times");
}

void declare_swarm_create(OptionTable& table, SwarmCreateOptions& options) {
    table.add_flag("template", options.text)
        .value_name("FILE")
        .help("the bees and their queues, as YAML or JSON");
    table.add_flag("plan", options.plan).value_name("FILE").help("what happens when, if anything");
    table.add_flag("scenario", options.scenario)
        .value_name("ID|PATH")
        .help("instead of the two: a scenario of the server, or one here, as ./PATH or FILE.yaml, "
              "which is compiled here");
    declare_swarm_create_choices(table, options);
    table.add_flag("notes", options.notes).value_name("TEXT").help("kept with the run");
    table.add_flag("start", options.start).help("start it once it is ready");
    declare_one_swarm(table, options.one);
}

bool is_path(const std::string& scenario) {
    return scenario.find('/') != std::string::npos || scenario == "." ||
           scenario.ends_with(".yaml") || scenario.ends_with(".yml");
}

Status check_one_way(const SwarmCreateOptions& options) {
    if (options.scenario.empty() != options.text.has_value()) {
        return fail(
            Errc::invalid, options.text ? "--template and --scenario: give one of them"
                                        : "give --scenario, or a --template");
    }
    if (!options.scenario.empty() && options.plan) {
        return fail(Errc::invalid, "--plan: the scenario has one");
    }
    const bool chosen = !options.sut.empty() || !options.profile.empty() ||
                        !options.endpoints.empty() || !options.set.empty();
    if (options.scenario.empty() && chosen) {
        return fail(
            Errc::invalid,
            "--sut, --scenario-profile, --endpoint and --set are choices of a --scenario");
    }
    return {};
}

Result<json::object> template_body(const SwarmCreateOptions& options) {
    auto text = read_document(options.text->text);
    if (!text) return fail(text.error());
    json::object body{{"template", std::move(*text)}};
    if (options.plan) {
        auto plan = read_document(options.plan->text);
        if (!plan) return fail(plan.error());
        body["plan"] = std::move(*plan);
    }
    return body;
}

ScenarioOptions scenario_options(const SwarmCreateOptions& options) {
    return {
        .path = {options.scenario},
        .sut = options.sut,
        .profile = options.profile,
        .endpoints = options.endpoints,
        .set = options.set};
}

// The server knows the scenario; what is left open is said as the API wants it.
Result<json::object> stored_body(const SwarmCreateOptions& options) {
    auto choices = choices_of(scenario_options(options));
    if (!choices) return fail(choices.error());
    json::object body{{"scenario", options.scenario}};
    if (!choices->sut.empty()) body["sut"] = choices->sut;
    if (!choices->profile.empty()) body["profile"] = choices->profile;
    json::object endpoints;
    for (const auto& [name, url] : choices->endpoints) endpoints[name] = url;
    if (!endpoints.empty()) body["endpoints"] = std::move(endpoints);
    json::object set;
    for (const std::string& each : choices->overrides) {
        const auto equals = each.find('=');
        if (equals == each.npos) {
            return fail(
                Errc::invalid, fmt::format("--set '{}': write it as BEE.SETTING=VALUE", each));
        }
        auto value = parse_json(each.substr(equals + 1));
        set[each.substr(0, equals)] =
            value ? *std::move(value) : json::value(each.substr(equals + 1));
    }
    if (!set.empty()) body["set"] = std::move(set);
    return body;
}

// None after what is wrong was told.
std::optional<json::object> body_of(const SwarmCreateOptions& options, Host& host) {
    const auto told = [&](const Error& error) {
        report(host, error);
        return std::nullopt;
    };
    if (auto ok = check_one_way(options); !ok) return told(ok.error());
    json::object body;
    if (is_path(options.scenario)) {
        const auto compiled = compile_scenario(host, scenario_options(options));
        if (!compiled) return std::nullopt;
        json::value bees = compiled->bees;
        const SecretSources sources{.env = host.env, .file = [](const std::string& path) {
                                        return read_file(path, secret_bytes_max);
                                    }};
        if (auto ok = scenario::resolve_secrets(bees, sources); !ok) return told(ok.error());
        body["template"] = std::move(bees);
        body["plan"] = scenario::wire_plan(*compiled);
        body["labels"] = {{"scenario", compiled->id}};
    } else {
        auto read = options.text ? template_body(options) : stored_body(options);
        if (!read) return told(read.error());
        body = *std::move(read);
    }
    body["id"] = options.one.id;
    body["autoStart"] = options.start;
    if (!options.notes.empty()) body["notes"] = options.notes;
    return body;
}

int run_swarm_create(SwarmCreateOptions& options, Call& call) {
    const auto body = body_of(options, call.host);
    if (!body) return exit_bad_input;
    auto server = reach_server(options.one.client, call.host);
    if (!server) return report(call.host, server.error());
    return finish(call.host, *server, server->post("/api/v1/swarms", *body), options.one.wait);
}

} // namespace

Command swarm_create_command() {
    return make_command<SwarmCreateOptions>(
        {.name = "create",
         .summary = "make a swarm from a scenario or a template",
         .examples =
             {{"hive swarm create alpha --scenario hello --start", "of the server's scenarios"},
              {"hive swarm create alpha --scenario ./hello --sut local", "of a folder here"},
              {"hive swarm create alpha --template swarm.yaml --wait", "until it is ready"},
              {"hive swarm create alpha --template swarm.yaml --start --wait", "until it runs"}}},
        declare_swarm_create, run_swarm_create);
}

} // namespace hive::cli
