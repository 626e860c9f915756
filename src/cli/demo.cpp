#include "cli/demo.hpp"

#include "cli/demo_bundle.hpp"
#include "cli/key_access.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

constexpr std::string_view scenario = "hello";
constexpr std::string_view patience = "20s";

// Slow now and then, and wrong once in a while: a chart of a flat line teaches nobody anything.
mock::Settings system_under_test() {
    mock::Settings settings;
    settings.http = 0;
    settings.usual.delay = {
        .kind = mock::Delay::Kind::lognormal, .first = std::chrono::milliseconds{12}, .share = 0.5};
    settings.usual.error_ratio = {0.005};
    settings.arrivals_max = 0;
    return settings;
}

// In the order in which they can be done.
json::value tasks() {
    return json::object{
        {"tasks",
         json::array{
             {{"ref", "DEMO-1"},
              {"title", "Find the rate at which the shop becomes slow"},
              {"priority", 1},
              {"tags", {"demo", "perf"}},
              {"description", "Raise the rate of the generator until p99 is above 50 ms."}},
             {{"ref", "DEMO-2"},
              {"title", "Write down what was found"},
              {"tags", {"demo", "docs"}},
              {"dependsOn", {"DEMO-1"}}},
             {{"ref", "DEMO-3"}, {"title", "Take this task, and complete it"}, {"tags", {"demo"}}},
         }}};
}

bool is_missing(const Error& error) {
    return error.code == Errc::not_found;
}

} // namespace

Result<std::unique_ptr<Demo>>
Demo::start(const ServerConfig& config, const std::string& server, const Call& call) {
    auto keys = reach_keys({.data = config.data, .store = config.store, .hive = config.hive}, call);
    if (!keys) return fail(keys.error());
    auto key = (*keys)->create(
        {.owner = "demo", .role = "human", .kind = "service", .valid_for = std::chrono::hours{24}});
    if (!key) return fail(key.error());
    auto client = ServerClient::open(
        {.server = server, .key = Secret{std::string{key->at("key").as_string()}}});
    if (!client) return fail(client.error());
    const std::string key_id{key->at("record").as_object().at("id").as_string()};
    std::unique_ptr<Demo> demo{new Demo{*std::move(client), key_id}};
    auto mock = mock::Server::start(system_under_test(), call.host.clock);
    if (!mock) return fail(mock.error());
    demo->mock_ = *std::move(mock);
    for (const auto step : {&Demo::keep_scenario, &Demo::run_swarm, &Demo::hand_out_tasks}) {
        if (auto ok = (demo.get()->*step)(); !ok) return fail(ok.error());
    }
    return demo;
}

Demo::~Demo() {
    // What cannot be removed now is found and removed by the next demo.
    (void)remove_swarm();
    (void)client_.remove("/api/v1/keys/" + key_id_);
}

// One of this name that is there already is somebody's own, and is used as it is.
Status Demo::keep_scenario() {
    const auto there = client_.get(fmt::format("/api/v1/scenarios/{}", scenario));
    if (there) return {};
    if (!is_missing(there.error())) return fail(there.error());
    json::object files;
    for (const BundleFile& file : demo_bundle()) files[file.path] = file.text;
    auto kept = client_.post("/api/v1/scenarios", {{"id", scenario}, {"files", std::move(files)}});
    return kept ? Status{} : fail(kept.error());
}

Status Demo::remove_swarm() {
    auto gone = client_.remove(fmt::format("/api/v1/swarms/{}?wait={}", swarm_, patience));
    return gone || is_missing(gone.error()) ? Status{} : fail(gone.error());
}

Status Demo::run_swarm() {
    // Of a demo that was not stopped properly: what it called is gone.
    if (auto ok = remove_swarm(); !ok) return ok;
    const auto url = fmt::format("http://127.0.0.1:{}", mock_->http_port().value());
    auto made = client_.post(
        fmt::format("/api/v1/swarms?wait={}", patience),
        {{"id", swarm_},
         {"scenario", scenario},
         {"endpoints", {{"default", url}}},
         {"set", {{"generator.inputs.scheduler.maxMessages", 0}}}, // without end
         {"notes", "what hive up --demo shows"},
         {"autoStart", true}});
    return made ? Status{} : fail(made.error());
}

Status Demo::hand_out_tasks() {
    const auto some = client_.get("/api/v1/tasks", {{"tag", "demo"}, {"limit", "1"}});
    if (!some) return fail(some.error());
    if (!some->as_object().at("items").as_array().empty()) return {}; // of an earlier demo
    auto made = client_.post("/api/v1/tasks/bulk", tasks());
    return made ? Status{} : fail(made.error());
}

} // namespace hive::cli
