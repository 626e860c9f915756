#include "api/colony/sync_routes.hpp"

#include "api/colony/file_sync.hpp"
#include "api/http/await_callback.hpp"
#include "api/rest/schemas.hpp"
#include "store/file_tables.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

using api::Access;
using api::Area;
using api::Call;
using api::Level;

constexpr Duration patience = std::chrono::minutes{5};

json::object example_status() {
    return {
        {"enabled", true},
        {"root", ".deia"},
        {"policy", "last-write"},
        {"watching", true},
        {"files", 893},
        {"waiting", 0},
        {"conflicts", 1},
        {"findingCount", 1},
        {"findings",
         {{{"path", "bot-logs/BEE-001-activity.jsonl"},
           {"code", "bad-lines"},
           {"reason", "lines that are no JSON, kept as text: 2"}}}},
        {"lastScan", "2026-01-05T10:00:00Z"}};
}

json::object example_pass(std::string_view direction) {
    return {
        {"direction", direction},
        {"dryRun", false},
        {"files", 893},
        {"changed", 1},
        {"conflictCount", 0},
        {"changes",
         {{{"path", "hive/tasks/2026-01-05-1000-Q33N-BEE-001-TASK-mend.md"},
           {"what", "new task, 2026-01-05-1000-Q33N-BEE-001-TASK-mend"}}}},
        {"conflicts", json::array{}}};
}

api::Problem sync_off() {
    api::Problem problem = api::problem_of(Error{
        Errc::conflict, "no files are kept in step here; start the server with --deia DIR, or set "
                        "colony.files.root"});
    problem.code = "sync-off";
    return problem;
}

asio::awaitable<http::Response> run_pass(FileSync* sync, Call call, FileSync::Direction direction) {
    if (sync == nullptr) co_return call.fail(sync_off());
    bool dry = false;
    if (call.body().is_object()) {
        const auto* asked = call.body().as_object().if_contains("dryRun");
        dry = asked != nullptr && asked->as_bool();
    }
    auto done = co_await http::await_callback<Result<json::object>>(
        [&](FileSync::Told told) { sync->ask(direction, dry, std::move(told)); }, patience);
    if (!done) co_return call.fail(Error{Errc::timeout, "the pass goes on; ask for the status"});
    if (!*done) co_return call.fail(done->error());
    co_return api::json_response(**done);
}

api::Route pass_route(FileSync* sync, FileSync::Direction direction) {
    const bool pull = direction == FileSync::Direction::pull;
    const std::string_view word = pull ? "pull" : "push";
    return {
        .method = http::Method::post,
        .path = "/api/v1/sync/" + std::string{word},
        .id = pull ? "pullFiles" : "pushFiles",
        .summary = pull ? "Look at every file now, and take what changed"
                        : "Write the file of every task that is missing or says something else",
        .tag = "sync",
        .access = Access::needs(Area::tasks, Level::write),
        .handler = api::AsyncHandler{[sync, direction](Call call) {
            return run_pass(sync, call, direction);
        }},
        .request =
            api::Content{
                .schema = ref("SyncAsked"), .example = {{"dryRun", true}}, .required = false},
        .answers = {
            {200, "What was done, or would be",
             api::Content{.schema = ref("SyncPass"), .example = example_pass(word)}}}};
}

} // namespace

void add_sync_schemas(json::object& schemas) {
    const json::object yes_or_no{{"type", "boolean"}};
    const auto many = [](json::object item) {
        return json::object{{"type", "array"}, {"items", std::move(item)}};
    };
    schemas["SyncAsked"] = closed_object({{"dryRun?", yes_or_no}});
    schemas["SyncStatus"] = closed_object(
        {{"enabled", yes_or_no},
         {"root?", text_schema(4096)},
         {"policy?", words_schema({"last-write", "files-win", "api-win"})},
         {"watching?", yes_or_no},
         {"files?", integer_schema()},
         {"waiting?", integer_schema()},
         {"conflicts?", integer_schema()},
         {"findingCount?", integer_schema()},
         {"findings?", many(closed_object(
                           {{"path", text_schema(4096)},
                            {"code", text_schema(60)},
                            {"reason", text_schema(1000)}}))},
         {"lastScan?", time_schema()},
         {"lastPull?", time_schema()},
         {"lastPush?", time_schema()},
         {"lastError?", text_schema(1000)}});
    schemas["SyncPass"] = closed_object(
        {{"direction", words_schema({"pull", "push"})},
         {"dryRun", yes_or_no},
         {"files", integer_schema()},
         {"changed", integer_schema()},
         {"conflictCount", integer_schema()},
         {"changes", many(closed_object(
                         {{"path", text_schema(4096)},
                          {"what", text_schema(2000)},
                          {"entity?", text_schema()}}))},
         {"conflicts", many(closed_object(
                           {{"path", text_schema(4096)},
                            {"field", text_schema(60)},
                            {"winner", words_schema({"file", "api"})},
                            {"what", text_schema(200)}}))}});
}

std::vector<api::Route> sync_routes(const SessionParts& sessions, ColonyParts& colony) {
    FileSync* sync = colony.files;
    if (sync != nullptr) sync->attach(sessions.transactions);
    std::vector<api::Route> routes;
    routes.push_back(
        {.path = "/api/v1/sync/status",
         .id = "getSyncStatus",
         .summary = "What is in step with files, and what is wrong with some",
         .tag = "sync",
         .access = Access::needs(Area::tasks, Level::read),
         .handler = api::SyncHandler{[sync](const Call&) {
             return api::json_response(
                 sync != nullptr ? sync->status() : json::object{{"enabled", false}});
         }},
         .answers = {
             {200, "As it is now",
              api::Content{.schema = ref("SyncStatus"), .example = example_status()}}}});
    routes.push_back(pass_route(sync, FileSync::Direction::pull));
    routes.push_back(pass_route(sync, FileSync::Direction::push));
    return routes;
}

Chore sync_chore(const HiveId& hive, ColonyParts& colony) {
    const Duration keep = colony.files->options().keep_versions;
    const auto work = [keep](Unit& unit) -> Status {
        store::FileTable files{unit.session(), unit.hive()};
        const auto swept = files.sweep({.now = unit.now(), .keep = keep});
        if (!swept) return fail(swept.error());
        if (*swept == 0) return {};
        unit.moment().say(
            {.type = "sync.swept",
             .entity_type = "sync",
             .entity_id = "versions",
             .told = {{"count", *swept}}});
        return {};
    };
    return {
        .name = "files",
        .every = std::clamp<Duration>(keep / 10, std::chrono::seconds{1}, std::chrono::hours{1}),
        .work = as_chore(hive, work)};
}

} // namespace hive::rest
