#include "api/rest/scenario_routes.hpp"

#include "api/etag.hpp"
#include "api/rest/scenario_json.hpp"
#include "api/rest/schemas.hpp"
#include "scenario/capabilities.hpp"
#include "scenario/shelf.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;
using Routes = std::vector<api::Route>;
using Desk = std::shared_ptr<ScenarioDesk>;
using Handle = asio::awaitable<http::Response> (ScenarioDesk::*)(Call);

constexpr std::string_view tar_type = "application/x-tar";
constexpr std::string_view file_type = "application/octet-stream";
constexpr std::string_view one = "/api/v1/scenarios/{scenarioId:id}";
// JSON writes some characters as six.
constexpr std::size_t json_bytes_max = std::size_t{8} << 20U;
constexpr std::size_t file_bytes_max = std::size_t{16} << 20U;

api::AsyncHandler by(const Desk& desk, Handle handle) {
    return [desk, handle](Call call) { return ((*desk).*handle)(call); };
}

json::object example_summary() {
    return {
        {"id", "hello"},
        {"name", "Hello"},
        {"description", "Fifty calls a second for ten seconds"},
        {"revision", "5f1d7a84db3f6c0a9b1e2d3c4f5a6b7c"},
        {"valid", true},
        {"errors", 0},
        {"warnings", 0}};
}

json::object example_finding() {
    return {
        {"severity", "error"},
        {"code", "unknown-key"},
        {"file", "scenario.yaml"},
        {"line", 7},
        {"column", 9},
        {"key", "generator.config.ratePerSek"},
        {"message", "is not a setting of this bee"},
        {"hint", "did you mean 'ratePerSec'?"}};
}

json::object example_details() {
    json::object out = example_summary();
    out["files"] = json::array{json::object{{"path", "scenario.yaml"}, {"size", 812}}};
    out["findings"] = json::array{};
    out["model"] = {{"id", "hello"}, {"bees", json::array{}}};
    return out;
}

json::object example_files() {
    return {{"scenario.yaml", "id: hello\nbees:\n  - role: echo\n"}};
}

api::Content summary_content() {
    return {.schema = ref("ScenarioSummary"), .example = example_summary()};
}

api::Content bytes_content(std::string_view type) {
    return {.schema = {{"type", "string"}}, .example = "", .type = std::string{type}};
}

api::Answer changed_meanwhile() {
    return {412, "Another revision than that of If-Match"};
}

void add_reading_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.path = "/api/v1/scenarios",
         .id = "listScenarios",
         .summary = "Scenarios by id, with how sound they are",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::list),
         .query =
             {{.name = "limit",
               .kind = api::ParameterKind::integer,
               .range = {1, 1000},
               .fallback = std::int64_t{100}},
              {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}},
         .answers = {
             {200, "A page",
              api::Content{
                  .schema = list_of("ScenarioSummary"),
                  .example = {{"items", json::array{example_summary()}}}}}}});
    routes.push_back(
        {.path = std::string{one},
         .id = "getScenario",
         .summary = "One scenario: its files, what was understood of them, all that is wrong",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::show),
         .answers = {
             {200, "The scenario; its ETag is its revision",
              api::Content{.schema = ref("Scenario"), .example = example_details()}},
             {304, "It is as If-None-Match says"}}});
    routes.push_back(
        {.path = fmt::format("{}/bundle", one),
         .id = "downloadScenario",
         .summary = "All files of a scenario as a tar archive",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::download),
         .answers = {{200, "The archive", bytes_content(tar_type)}}});
    routes.push_back(
        {.path = fmt::format("{}/files/{{path:text}}", one),
         .id = "getScenarioFile",
         .summary = "One file as it is; slashes of its path are written as %2F",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::read_file),
         .answers = {{200, "The file", bytes_content(file_type)}}});
}

void add_changing_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/scenarios",
         .id = "createScenario",
         .summary = "A new scenario from its files; what is not sound yet is kept and cannot run",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::write),
         .handler = by(desk, &ScenarioDesk::create),
         .request =
             api::Content{
                 .schema = ref("ScenarioRequest"),
                 .example = {{"id", "hello"}, {"files", example_files()}}},
         .answers = {{201, "Kept", summary_content()}, {409, "There is one of this name"}},
         .limits = {.body_bytes = json_bytes_max},
         .idempotency = api::Idempotency::accepted});
    routes.push_back(
        {.method = http::Method::put,
         .path = std::string{one},
         .id = "replaceScenario",
         .summary = "Other files for a scenario, all of them; If-Match says for which revision",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::write),
         .handler = by(desk, &ScenarioDesk::replace),
         .request =
             api::Content{.schema = ref("ScenarioFiles"), .example = {{"files", example_files()}}},
         .answers = {{200, "The new revision", summary_content()}, changed_meanwhile()},
         .limits = {.body_bytes = json_bytes_max},
         .idempotency = api::Idempotency::accepted});
    routes.push_back(
        {.method = http::Method::remove,
         .path = std::string{one},
         .id = "deleteScenario",
         .summary = "Removes a scenario with its files; swarms made from it go on",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::write),
         .handler = by(desk, &ScenarioDesk::remove),
         .answers = {{204, "Gone", {}}, changed_meanwhile()},
         .idempotency = api::Idempotency::accepted});
    routes.push_back(
        {.method = http::Method::put,
         .path = fmt::format("{}/bundle", one),
         .id = "uploadScenario",
         .summary = "All files as a tar archive; If-Match where there is a scenario already",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::write),
         .handler = by(desk, &ScenarioDesk::upload),
         .request = bytes_content(tar_type),
         .answers =
             {{200, "The new revision", summary_content()},
              {201, "Kept", summary_content()},
              changed_meanwhile()},
         .limits = {.body_bytes = scenario::bundle_bytes_max},
         .idempotency = api::Idempotency::accepted});
}

void add_file_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.method = http::Method::put,
         .path = fmt::format("{}/files/{{path:text}}", one),
         .id = "putScenarioFile",
         .summary = "One file, new or other than before; If-Match has the scenario's revision",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::write),
         .handler = by(desk, &ScenarioDesk::write_file),
         .request = bytes_content(file_type),
         .answers = {{200, "The new revision", summary_content()}, changed_meanwhile()},
         .limits = {.body_bytes = file_bytes_max},
         .idempotency = api::Idempotency::accepted});
    routes.push_back(
        {.method = http::Method::remove,
         .path = fmt::format("{}/files/{{path:text}}", one),
         .id = "deleteScenarioFile",
         .summary = "Removes one file; If-Match has the scenario's revision",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::write),
         .handler = by(desk, &ScenarioDesk::remove_file),
         .answers = {{200, "The new revision", summary_content()}, changed_meanwhile()},
         .idempotency = api::Idempotency::accepted});
}

api::Content judgement_content() {
    return {
        .schema = ref("ScenarioJudgement"),
        .example = {
            {"valid", false},
            {"errors", 1},
            {"warnings", 0},
            {"findings", json::array{example_finding()}}}};
}

// They ask much and change nothing: who may read may ask.
void add_asking_routes(Routes& routes, const Desk& desk) {
    routes.push_back(
        {.method = http::Method::post,
         .path = fmt::format("{}/validate", one),
         .id = "validateScenario",
         .summary = "All that is wrong with a scenario, as it would be with these choices",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::validate),
         .request =
             api::Content{.schema = ref("ScenarioChoices"), .example = {{"profile", "default"}}},
         .answers = {{200, "The findings", judgement_content()}}});
    routes.push_back(
        {.method = http::Method::post,
         .path = "/api/v1/validation/scenarios",
         .id = "validateScenarioFiles",
         .summary = "All that is wrong with files that are not kept",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::validate_files),
         .request =
             api::Content{.schema = ref("ScenarioTrial"), .example = {{"files", example_files()}}},
         .answers = {{200, "The findings", judgement_content()}},
         .limits = {.body_bytes = json_bytes_max}});
    routes.push_back(
        {.method = http::Method::post,
         .path = fmt::format("{}/render", one),
         .id = "renderScenario",
         .summary = "What a bee would make of one item; the same seed gives the same text",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = by(desk, &ScenarioDesk::render),
         .request =
             api::Content{
                 .schema = ref("ScenarioSample"),
                 .example = {{"bee", "generator"}, {"payload", "{}"}, {"seed", 1}}},
         .answers = {
             {200, "The text",
              api::Content{.schema = ref("ScenarioRendered"), .example = {{"text", "GET /hello"}}}},
             {422, "The scenario is not sound"}}});
}

void add_capabilities_route(Routes& routes, const scenario::Catalog& catalog) {
    const auto text =
        std::make_shared<const std::string>(to_text(scenario::capabilities_of(catalog)));
    const std::string etag = api::etag_of_content(*text);
    const auto show = [text, etag](const Call& call) {
        http::Response response{.content_type = api::json_type, .body = text};
        if (api::is_not_modified(call.request(), etag)) response = {.status = 304};
        response.headers.add("ETag", etag);
        return response;
    };
    routes.push_back(
        {.path = "/api/v1/capabilities",
         .id = "getCapabilities",
         .summary = "What every kind of bee, input, output and interceptor can be told",
         .tag = "scenarios",
         .access = Access::needs(Area::scenarios, Level::read),
         .handler = api::SyncHandler{show},
         .answers = {
             {200, "A manifest each",
              api::Content{
                  .schema = ref("Capabilities"),
                  .example = {
                      {"bees",
                       {{{"role", "generator"},
                         {"fields", json::array{}},
                         {"inputs", {"scheduler"}},
                         {"outputs", {"rabbit"}},
                         {"interceptors", json::array{}}}}},
                      {"inputs",
                       {{{"type", "scheduler"},
                         {"choice", "SCHEDULER"},
                         {"path", "inputs.scheduler"},
                         {"bees", {"generator"}},
                         {"fields",
                          {{{"path", "inputs.scheduler.ratePerSec"},
                            {"type", "number"},
                            {"help", "Items per second"},
                            {"live", true},
                            {"lowest", 0},
                            {"default", 1}}}}}}},
                      {"outputs", json::array{}},
                      {"interceptors", json::array{}},
                      {"bufferGuard", {{"fields", json::array{}}}}}}}}});
}

asio::awaitable<Result<std::string>> all_of(scenario::Shelf* shelf) {
    json::array items;
    for (const std::string& id : shelf->ids()) {
        if (const auto stored = shelf->find(id)) items.push_back(scenario_summary(**stored));
    }
    co_return to_text(items);
}

} // namespace

std::function<std::vector<api::Route>(const SessionParts&)> scenario_routes(ScenarioParts parts) {
    return [parts](const SessionParts& server) {
        const auto desk = std::make_shared<ScenarioDesk>(
            ScenarioDesk::Parts{parts.shelf, parts.render, server.transactions, server.cursors});
        Routes routes;
        add_reading_routes(routes, desk);
        add_changing_routes(routes, desk);
        add_file_routes(routes, desk);
        add_asking_routes(routes, desk);
        add_capabilities_route(routes, parts.shelf.catalog());
        return routes;
    };
}

api::SnapshotSource scenario_snapshot(scenario::Shelf& shelf) {
    return {"scenario", [&shelf](const api::Identity&) { return all_of(&shelf); }};
}

} // namespace hive::rest
