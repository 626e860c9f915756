#include "api/colony/task_routes.hpp"

#include "api/colony/channel_routes.hpp"
#include "api/colony/input.hpp"
#include "api/colony/task_desk.hpp"
#include "api/colony/task_input.hpp"
#include "api/colony/task_schemas.hpp"
#include "api/rest/held_answer.hpp"
#include "api/rest/schemas.hpp"
#include "colony/tasks/steering.hpp"
#include "colony/tasks/working.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::tasks;
using api::Access;
using api::Area;
using api::Call;
using api::Level;

using Desk = std::shared_ptr<const TaskDesk>;
using Routes = std::vector<api::Route>;
using Done = Result<colony::Outcome<Task>>;

// A note about a task is also said in its channel.
Done with_note(
    Workplace& place, colony::Outcome<Task> done, const std::string& type,
    const std::string& note) {
    if (!done || note.empty()) return done;
    const std::string& held = place.moment().held();
    if (!held.empty() && done->approval != held) return done; // nothing was done, nothing is said
    const auto posted = colony::channels::post(
        place.desk(), {.channel = "task:" + done->ref, .content = note, .type = type},
        colony::channels::Counting::free);
    if (!posted) return colony::refuse(posted.error());
    return done;
}

// What can be done to one task: the word in its path, the schema of its body, and how.
struct Operation {
    std::string_view word;
    std::string_view id;
    std::string_view summary;
    std::string_view schema;
    json::object example;
    TaskAct act;
};

TaskAct by_report(
    colony::Outcome<Task> (*move)(Bench&, std::string_view, const Report&),
    const std::string& type) {
    return {
        [move, type](Workplace& place, const std::string& id, const json::object& body) -> Done {
            const Report report = report_in(body);
            return with_note(place, move(place.bench(), id, report), type, report.note);
        }};
}

TaskAct by_reason(colony::Outcome<Task> (*move)(Bench&, std::string_view, const std::string&)) {
    return {[move](Workplace& place, const std::string& id, const json::object& body) -> Done {
        const std::string why = text_of(body, "note");
        return with_note(place, move(place.bench(), id, why), "text", why);
    }};
}

TaskAct claiming() {
    const auto run = [](Workplace& place, const std::string& id, const json::object& body) -> Done {
        const auto terms = terms_in(body);
        if (!terms) return fail(terms.error());
        if (auto ok = place.check_may_claim(terms->bee); !ok) {
            return colony::Outcome<Task>{colony::refuse(ok.error())};
        }
        return claim(place.bench(), id, *terms);
    };
    return {run, LeaseToken::shown};
}

TaskAct beating() {
    return {[](Workplace& place, const std::string& id, const json::object& body) -> Done {
        return heartbeat(place.bench(), id, report_in(body).hold);
    }};
}

TaskAct failing() {
    return {[](Workplace& place, const std::string& id, const json::object& body) -> Done {
        const Failure failure = failure_in(body);
        return with_note(place, fail_attempt(place.bench(), id, failure), "text", failure.error);
    }};
}

std::vector<Operation> operations() {
    const json::object note{{"note", "as agreed"}};
    return {
        {"claim",
         "claimTask",
         "Take it: a lease with a token that every later write shows",
         "TaskClaim",
         {{"leaseFor", "10m"}},
         claiming()},
        {"heartbeat",
         "beatTask",
         "Still at it: the lease begins again",
         "TaskHold",
         {{"token", 4}},
         beating()},
        {"progress",
         "progressTask",
         "How far it is; also a heartbeat",
         "TaskProgress",
         {{"token", 4}, {"percent", 40}, {"note", "halfway"}},
         by_report(progress, "progress")},
        {"complete",
         "completeTask",
         "Done",
         "TaskCompletion",
         {{"token", 4}, {"result", {{"rate", 1200}}}},
         by_report(complete, "response")},
        {"fail",
         "failTask",
         "It did not work: tried again later, or dead when it was the last attempt",
         "TaskFailure",
         {{"token", 4}, {"error", "the target refused"}},
         failing()},
        {"block",
         "blockTask",
         "It cannot go on until somebody does something",
         "TaskNote",
         {{"token", 4}, {"note", "needs a key"}},
         by_report(block, "request")},
        {"release",
         "releaseTask",
         "Give it back; an admin may take it away",
         "TaskNote",
         {{"token", 4}, {"note", "wrong bee"}},
         by_report(release, "text")},
        {"unblock", "unblockTask", "It can go on", "TaskReason", note, by_reason(unblock)},
        {"cancel", "cancelTask", "It is not wanted any more", "TaskReason", note,
         by_reason(cancel)},
        {"redrive", "redriveTask", "Once more, with all its attempts", "TaskReason", note,
         by_reason(redrive)},
        {"reopen", "reopenTask", "It was not done after all", "TaskReason", note,
         by_reason(reopen)}};
}

api::Content task_content() {
    return {.schema = ref("Task"), .example = example_task()};
}
api::Content page_content() {
    return {.schema = list_of("Task"), .example = {{"items", json::array{example_task()}}}};
}

api::Route changing(std::string_view path, std::string_view id, std::string_view summary) {
    return {
        .method = http::Method::post,
        .path = std::string{path},
        .id = std::string{id},
        .summary = std::string{summary},
        .tag = "tasks",
        .access = Access::needs(Area::tasks, Level::write),
        .handler = {},
        .idempotency = api::Idempotency::accepted};
}

void add_reading(Routes& routes, const Desk& desk) {
    const auto reading = [](std::string_view path, std::string_view id, std::string_view summary) {
        return api::Route{
            .path = std::string{path},
            .id = std::string{id},
            .summary = std::string{summary},
            .tag = "tasks",
            .access = Access::needs(Area::tasks, Level::read),
            .handler = {}};
    };
    auto list = reading("/api/v1/tasks", "listTasks", "Tasks, in pages");
    list.handler = api::AsyncHandler{[desk](Call call) { return desk->list(call); }};
    list.query = {
        {.name = "state", .description = "one of the machine's states", .range = {1, 20}},
        {.name = "assignedTo"},
        {.name = "holder", .description = "the bee that works on it now"},
        {.name = "createdBy"},
        {.name = "tag"},
        {.name = "q", .description = "part of the title"},
        {.name = "priority", .kind = api::ParameterKind::integer, .range = {0, 4}},
        {.name = "order",
         .description = "`newest` first, or `next`: as they are taken, the most urgent first and "
                        "of these the oldest",
         .range = {1, 10},
         .fallback = std::string{"newest"}},
        {.name = "limit",
         .kind = api::ParameterKind::integer,
         .range = {1, 1000},
         .fallback = std::int64_t{100}},
        {.name = "cursor", .description = "`next` of the page before", .range = {1, 512}}};
    list.answers = {{200, "A page", page_content()}};
    routes.push_back(std::move(list));

    auto machine = reading("/api/v1/tasks/machine", "getTaskMachine", "Every move a task can make");
    machine.handler = api::SyncHandler{[desk](const Call&) { return desk->machine(); }};
    machine.answers = {
        {200, "States and transitions",
         api::Content{
             .schema = ref("TaskMachine"),
             .example = {
                 {"states", {{{"name", "pending"}, {"over", false}}}},
                 {"transitions", {{{"from", "pending"}, {"move", "claim"}, {"to", "claimed"}}}}}}}};
    routes.push_back(std::move(machine));

    auto counts = reading("/api/v1/tasks/counts", "countTasks", "How many tasks are in each state");
    counts.handler = api::AsyncHandler{[desk](Call call) { return desk->counts(call); }};
    counts.answers = {
        {200, "By state",
         api::Content{
             .schema = ref("TaskCounts"), .example = {{"pending", 3}, {"completed", 40}}}}};
    routes.push_back(std::move(counts));

    auto show = reading("/api/v1/tasks/{task:text}", "getTask", "One task, by id or ref");
    show.handler = api::AsyncHandler{[desk](Call call) { return desk->show(call); }};
    show.answers = {{200, "The task", task_content()}};
    show.entity_tag = api::EntityTag::sent;
    routes.push_back(std::move(show));
}

void add_many(Routes& routes, const Desk& desk) {
    auto bulk = changing("/api/v1/tasks/bulk", "createTasks", "Up to 1000 tasks, all or none");
    bulk.handler = api::AsyncHandler{[desk](Call call) { return desk->create_many(call); }};
    bulk.request = api::Content{
        .schema = ref("NewTasks"),
        .example = {
            {"tasks",
             {{{"ref", "build"}, {"title", "Build"}},
              {{"title", "Test"}, {"dependsOn", {"build"}}}}}}};
    bulk.answers = {{201, "Made", page_content()}};
    bulk.limits.body_bytes = std::size_t{8} << 20U;
    routes.push_back(std::move(bulk));

    auto next = changing(
        "/api/v1/tasks/claim-next", "claimNextTasks",
        "The most urgent tasks that this bee can take, of those the oldest");
    next.handler = api::AsyncHandler{[desk](Call call) { return desk->claim_next(call); }};
    next.request = api::Content{
        .schema = ref("TaskWish"),
        .example = {{"skills", {"cpp"}}, {"count", 1}, {"wait", "30s"}},
        .required = false};
    next.answers = {{200, "What it got; empty when there is nothing", page_content()}};
    routes.push_back(std::move(next));

    auto complete_all =
        changing("/api/v1/tasks/complete", "completeTasks", "Up to 100 tasks done, all or none");
    complete_all.handler =
        api::AsyncHandler{[desk](Call call) { return desk->complete_many(call); }};
    complete_all.request = api::Content{
        .schema = ref("TaskCompletions"),
        .example = {{"tasks", {{{"task", "TASK-9"}, {"token", 4}}}}}};
    complete_all.answers = {{200, "Done", page_content()}};
    routes.push_back(std::move(complete_all));

    auto drive = changing(
        "/api/v1/tasks/redrive", "redriveTasks", "Dead tasks once more, those of a tag or all");
    drive.handler = api::AsyncHandler{[desk](Call call) { return desk->redrive_many(call); }};
    drive.request =
        api::Content{.schema = ref("TaskRedrive"), .example = {{"tag", "perf"}}, .required = false};
    drive.answers = {{200, "Driven again", page_content()}};
    routes.push_back(std::move(drive));
}

void add_one(Routes& routes, const Desk& desk) {
    auto create = changing("/api/v1/tasks", "createTask", "A new task");
    create.handler = api::AsyncHandler{[desk](Call call) { return desk->create(call); }};
    create.request = api::Content{
        .schema = ref("NewTask"),
        .example = {{"title", "Measure the checkout under load"}, {"priority", 1}}};
    create.answers = {{201, "Made", task_content()}};
    routes.push_back(std::move(create));

    auto change = changing("/api/v1/tasks/{task:text}", "changeTask", "Other words, another order");
    change.method = http::Method::patch;
    change.handler = api::AsyncHandler{[desk](Call call) { return desk->change(call); }};
    change.request = api::Content{.schema = ref("TaskChanges"), .example = {{"priority", 0}}};
    change.answers = {{200, "As it is now", task_content()}};
    change.entity_tag = api::EntityTag::matched;
    routes.push_back(std::move(change));

    auto comment = changing(
        "/api/v1/tasks/{task:text}/comments", "commentTask", "A message in the task's channel");
    comment.handler = api::AsyncHandler{[desk](Call call) { return desk->comment(call); }};
    comment.request =
        api::Content{.schema = ref("TaskComment"), .example = {{"text", "looks good"}}};
    comment.answers = {{201, "Said", message_content()}, held_answer()};
    routes.push_back(std::move(comment));

    for (auto& operation : operations()) {
        auto route = changing(
            fmt::format("/api/v1/tasks/{{task:text}}/{}", operation.word), operation.id,
            operation.summary);
        route.handler = api::AsyncHandler{
            [desk, act = operation.act](Call call) { return desk->do_to_one(call, act); }};
        route.request = api::Content{
            .schema = ref(operation.schema),
            .example = std::move(operation.example),
            .required = operation.schema == "TaskFailure"};
        route.answers = {{200, "As it is now", task_content()}, held_answer()};
        routes.push_back(std::move(route));
    }
}

} // namespace

std::vector<api::Route> task_routes(const SessionParts& sessions, ColonyParts& colony) {
    const auto desk = std::make_shared<const TaskDesk>(sessions, colony);
    Routes routes;
    add_reading(routes, desk);
    add_one(routes, desk);
    add_many(routes, desk);
    return routes;
}

Chore task_chore(const HiveId& hive, ColonyParts& colony) {
    constexpr std::size_t at_once = 500;
    const auto work = [&colony](Unit& unit) -> Status {
        Workplace place{unit, colony};
        const auto lapsed = lapse_leases(place.bench(), at_once);
        if (!lapsed) return fail(lapsed.error().kind, lapsed.error().detail);
        const auto woken = wake_due(place.bench(), at_once);
        if (!woken) return fail(woken.error().kind, woken.error().detail);
        const auto left = place.leave({});
        return left ? Status{} : fail(left.error());
    };
    return {.name = "tasks", .every = std::chrono::milliseconds{250}, .work = as_chore(hive, work)};
}

} // namespace hive::rest
