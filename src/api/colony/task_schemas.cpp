#include "api/colony/task_schemas.hpp"

#include "api/rest/schemas.hpp"
#include "colony/tasks/state.hpp"
#include "colony/tasks/working.hpp"

namespace hive::rest {
namespace {

using namespace colony::tasks;

json::object described(json::object schema, std::string_view what) {
    schema["description"] = what;
    return schema;
}
json::object words(std::size_t most = 50, std::size_t length = 100) {
    return {{"type", "array"}, {"items", text_schema(length)}, {"maxItems", most}};
}
json::object span() {
    return described(text_schema(40), "`250ms`, `5s`, `2m`, `1h`, or ISO 8601");
}
json::object bounded(std::int64_t min, std::int64_t max) {
    return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}
json::object priority() {
    return described(bounded(0, 4), "0 is the most urgent; 2 is usual");
}
json::object free_object() {
    return {{"type", "object"}};
}
json::object anything() {
    return described({}, "any JSON value");
}
json::object true_or_false() {
    return {{"type", "boolean"}};
}
json::object token() {
    return described(integer_schema(1), "the lease's token, as claiming answered it");
}
json::object note() {
    return text_schema(4000);
}

json::object states() {
    json::array names;
    for (std::size_t i = 0; i < state_count; ++i)
        names.emplace_back(name_of(static_cast<State>(i)));
    return {{"enum", std::move(names)}};
}

json::object retry() {
    return closed_object(
        {{"attempts?", bounded(1, 100)}, {"first?", span()}, {"longest?", span()}});
}

json::object attachments() {
    return {
        {"type", "array"},
        {"maxItems", 50},
        {"items",
         closed_object(
             {{"name", text_schema()}, {"uri", text_schema(2000)}, {"digest?", text_schema()}})}};
}

json::object task_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"ref", text_schema()},
         {"title", text_schema()},
         {"description?", text_schema(100'000)},
         {"state", states()},
         {"priority", priority()},
         {"tags?", words()},
         {"skills?", words()},
         {"assignedTo?", text_schema()},
         {"createdBy", text_schema()},
         {"createdAt", time_schema()},
         {"changedAt", time_schema()},
         {"revision", integer_schema(1)},
         {"notBefore?", time_schema()},
         {"repeat?", text_schema(120)},
         {"timeZone?", text_schema(64)},
         {"dependsOn?", words(100)},
         {"waitingFor?", described(words(100), "those of `dependsOn` that are not completed")},
         {"uniqueKey?", text_schema()},
         {"attachments?", attachments()},
         {"metadata?", free_object()},
         {"retry", retry()},
         {"attempts", integer_schema()},
         {"history?",
          {{"type", "array"},
           {"maxItems", history_max},
           {"items", closed_object(
                         {{"token", integer_schema(1)},
                          {"bee", text_schema()},
                          {"began", time_schema()},
                          {"ended?", time_schema()},
                          {"end?", text_schema(20)},
                          {"error?", note()}})}}},
         {"lease?", closed_object(
                        {{"holder", text_schema()},
                         {"instance?", text_schema()},
                         {"token?", token()},
                         {"ends", time_schema()},
                         {"span", span()}})},
         {"claimedAt?", time_schema()},
         {"percent?", bounded(0, 100)},
         {"note?", note()},
         {"completedAt?", time_schema()},
         {"outcome?", words_schema({"success", "failure", "blocked"})},
         {"result?", anything()},
         {"error?", note()},
         {"approval?", text_schema()},
         {"filePath?", text_schema(4096)},
         {"fileSyncedAt?", time_schema()}});
}

json::object new_task_schema() {
    return closed_object(
        {{"ref?", described(text_schema(200), "what people call it; without one it is TASK-<n>")},
         {"title", text_schema()},
         {"description?", text_schema(100'000)},
         {"priority?", priority()},
         {"tags?", words()},
         {"skills?", described(words(), "what a bee must have to take it by claim-next")},
         {"assignedTo?", text_schema()},
         {"notBefore?", time_schema()},
         {"repeat?", described(text_schema(120), "`1h`, or five cron fields")},
         {"timeZone?",
          described(text_schema(64), "of cron fields: Europe/Berlin; UTC unless said")},
         {"dependsOn?", described(words(100, 200), "ids or refs, also of tasks made with it")},
         {"uniqueKey?", described(text_schema(), "no two tasks that are not over share one")},
         {"attachments?", attachments()},
         {"metadata?", free_object()},
         {"retry?", retry()}});
}

json::object task_changes_schema() {
    return closed_object(
        {{"title?", text_schema()},
         {"description?", text_schema(100'000)},
         {"priority?", priority()},
         {"tags?", words()},
         {"skills?", words()},
         {"assignedTo?", text_schema()},
         {"notBefore?", {{"anyOf", {time_schema(), {{"type", "null"}}}}}},
         {"repeat?", text_schema(120)},
         {"timeZone?", text_schema(64)},
         {"dependsOn?", words(100, 200)},
         {"attachments?", attachments()},
         {"metadata?", free_object()}});
}

json::object many(json::object items, std::size_t most) {
    return closed_object(
        {{"tasks",
          {{"type", "array"}, {"minItems", 1}, {"maxItems", most}, {"items", std::move(items)}}}});
}

void add_work_schemas(json::object& schemas) {
    schemas["TaskClaim"] = closed_object(
        {{"bee?", described(text_schema(), "for another bee; people only")},
         {"instance?", text_schema()},
         {"leaseFor?", span()}});
    schemas["TaskWish"] = closed_object(
        {{"bee?", text_schema()},
         {"instance?", text_schema()},
         {"leaseFor?", span()},
         {"skills?", words()},
         {"tags?", words()},
         {"count?", bounded(1, claimed_at_once_max)},
         {"wait?", described(span(), "how long to wait for work, at most 1m")}});
    schemas["TaskHold"] = closed_object({{"token?", token()}});
    schemas["TaskProgress"] =
        closed_object({{"token?", token()}, {"percent?", bounded(0, 100)}, {"note?", note()}});
    schemas["TaskCompletion"] =
        closed_object({{"token?", token()}, {"note?", note()}, {"result?", anything()}});
    schemas["TaskCompletions"] = many(
        closed_object(
            {{"task", text_schema()},
             {"token?", token()},
             {"note?", note()},
             {"result?", anything()}}),
        claimed_at_once_max);
    schemas["TaskFailure"] =
        closed_object({{"token?", token()}, {"error", note()}, {"retryable?", true_or_false()}});
    schemas["TaskNote"] = closed_object({{"token?", token()}, {"note?", note()}});
    schemas["TaskReason"] = closed_object({{"note?", note()}});
    schemas["TaskComment"] = closed_object({{"text", text_schema(32'768)}});
    schemas["TaskRedrive"] =
        closed_object({{"tag?", text_schema()}, {"limit?", bounded(1, 1000)}, {"note?", note()}});
}

} // namespace

void add_task_schemas(json::object& schemas) {
    schemas["Task"] = task_schema();
    schemas["NewTask"] = new_task_schema();
    schemas["NewTasks"] = many(ref("NewTask"), 1000);
    schemas["TaskChanges"] = task_changes_schema();
    schemas["TaskMachine"] = closed_object(
        {{"states",
          {{"type", "array"},
           {"items", closed_object({{"name", states()}, {"over", true_or_false()}})}}},
         {"transitions",
          {{"type", "array"},
           {"items",
            closed_object({{"from", states()}, {"move", text_schema(20)}, {"to", states()}})}}}});
    json::object counts{{"type", "object"}, {"additionalProperties", integer_schema()}};
    schemas["TaskCounts"] = std::move(counts);
    add_work_schemas(schemas);
}

json::object example_task() {
    return {
        {"id", "0197a1c2-7f00-7a3c-9d55-3b1f0f6d2a11"},
        {"ref", "TASK-9"},
        {"title", "Measure the checkout under load"},
        {"state", "pending"},
        {"priority", 1},
        {"tags", {"perf"}},
        {"createdBy", "Q33N"},
        {"createdAt", "2026-01-05T10:00:00Z"},
        {"changedAt", "2026-01-05T10:00:00Z"},
        {"revision", 1},
        {"attempts", 0},
        {"retry", {{"attempts", 3}, {"first", "10s"}, {"longest", "1h"}}}};
}

} // namespace hive::rest
