// Tools about work: ready, claim, progress, complete, fail.
#include "api/mcp/catalog.hpp"
#include "api/mcp/refusals.hpp"

#include <fmt/format.h>

namespace hive::mcp {
namespace {

std::string task_path(const json::object& arguments, std::string_view act) {
    return fmt::format("/api/v1/tasks/{}/{}", encoded(text_in(arguments, "task")), act);
}

json::object task_name() {
    return text("the ref of the task, such as TASK-9");
}
json::object token() {
    return number("the lease token that `claim` gave", 0, 9'007'199'254'740'991);
}
json::object note() {
    return text("a word about it, for the people who follow the task", 4000);
}

Tool ready() {
    return {
        .name = "ready",
        .title = "Tasks that can be taken",
        .description =
            "Lists tasks that nobody works on and whose dependencies are met, as they are taken: "
            "the most urgent first. Call `claim` to take one.",
        .input = arguments(
            {{"tag?", text("only tasks with this tag", 100)},
             {"limit?", number("how many at most; 20 when left out", 1, 100)}}),
        .output = result({{"tasks", list_of_objects()}, {"more", truth("there are more of them")}}),
        .reads = true,
        .repeatable = true,
        .begin = [](const json::object& given) -> Turn {
            const auto* limit = given.if_contains("limit");
            std::string path = fmt::format(
                "/api/v1/tasks?state=pending&order=next&limit={}", limit ? to_text(*limit) : "20");
            if (given.contains("tag")) path += "&tag=" + encoded(text_in(given, "tag"));
            return RestCall{.path = std::move(path)};
        },
        .go_on = [](const json::object&, std::size_t, const RestAnswer& answer) -> Turn {
            if (!answer.good()) return ToolResult{.trouble = trouble_of(answer)};
            const json::object& page = answer.body.as_object();
            return ToolResult{
                .structured = {{"tasks", page.at("items")}, {"more", page.contains("next")}}};
        }};
}

Turn claimed(const RestAnswer& answer) {
    if (!answer.good()) return ToolResult{.trouble = trouble_of(answer)};
    const json::object& told = answer.body.as_object();
    const auto* items = told.if_contains("items");
    json::array tasks = items != nullptr ? items->as_array() : json::array{answer.body};
    const std::string_view next =
        tasks.empty() ? "There is nothing to do now. Wait, or ask people what they need."
                      : "Work on it. Call `progress` with the token of its lease well before the "
                        "lease ends, and `complete` or `fail` at the end.";
    return ToolResult{.structured = {{"tasks", std::move(tasks)}, {"next", next}}};
}

// Whoever asked has gone: nobody would work on it until its lease lapses.
std::optional<RestCall> release(const RestAnswer& answer) {
    if (!answer.good() || !answer.body.is_object()) return std::nullopt;
    const json::object& told = answer.body.get_object();
    const auto* items = told.if_contains("items");
    if (items != nullptr && items->as_array().empty()) return std::nullopt;
    const json::object& task =
        items != nullptr ? items->as_array().front().as_object() : answer.body.get_object();
    return RestCall{
        .method = "POST",
        .path = fmt::format("/api/v1/tasks/{}/release", encoded(text_in(task, "id"))),
        .body = json::object{
            {"token", task.at("lease").at("token")}, {"note", "whoever asked has gone"}}};
}

Tool claim() {
    return {
        .name = "claim",
        .title = "Take a task",
        .description = "Takes the named task, or the best one for you when none is named. You hold "
                       "it for the time of the lease; its token proves it in later calls.",
        .input = arguments(
            {{"task?", text("the ref of a task; without it the best one is taken")},
             {"skills?", texts("what you can; tasks that need other skills are passed over")},
             {"tags?", texts("only tasks with all these tags")},
             {"lease?", text("how long you hold it before you must call again, such as 10m", 40)},
             {"wait?", text("wait so long for a task when there is none, such as 30s", 40)}}),
        .output = result({{"tasks", list_of_objects()}, {"next", text("what to do next", 1000)}}),
        .begin = [](const json::object& given) -> Turn {
            if (given.contains("task")) {
                return RestCall{
                    .method = "POST",
                    .path = task_path(given, "claim"),
                    .body = picked(given, {{"lease", "leaseFor"}})};
            }
            return RestCall{
                .method = "POST",
                .path = "/api/v1/tasks/claim-next",
                .body = picked(
                    given, {{"skills", "skills"},
                            {"tags", "tags"},
                            {"lease", "leaseFor"},
                            {"wait", "wait"}})};
        },
        .go_on = [](const json::object&, std::size_t,
                    const RestAnswer& answer) { return claimed(answer); },
        .undo = release};
}

// A tool that is one act on a task.
Tool act(Tool tool, std::string word, Renamed names) {
    tool.output = result({{"task", some_object()}});
    tool.shown_as = "task";
    tool.begin = [word = std::move(word), names = std::move(names)](const json::object& given) {
        return Turn{RestCall{
            .method = "POST", .path = task_path(given, word), .body = picked(given, names)}};
    };
    return tool;
}

Tool progress() {
    return act(
        {.name = "progress",
         .title = "Say how far a task is",
         .description = "Tells how far you are. It also renews your lease: call it regularly while "
                        "you work, or the task goes to somebody else.",
         .input = arguments(
             {{"task", task_name()},
              {"token?", token()},
              {"percent?", number("how much of it is done", 0, 100)},
              {"note?", note()}}),
         .output = {},
         .repeatable = true,
         .begin = {}},
        "progress", {{"token", "token"}, {"percent", "percent"}, {"note", "note"}});
}

Tool complete() {
    return act(
        {.name = "complete",
         .title = "Finish a task",
         .description =
             "Says that the task is done, with its result. It may then wait for a review.",
         .input = arguments(
             {{"task", task_name()},
              {"token?", token()},
              {"note?", note()},
              {"result?",
               json::object{
                   {"description", "what came of it: any JSON, such as links or numbers"}}}}),
         .output = {},
         .begin = {}},
        "complete", {{"token", "token"}, {"note", "note"}, {"result", "result"}});
}

Tool failed() {
    return act(
        {.name = "fail",
         .title = "Give a task up",
         .description =
             "Says that you cannot do the task and why. It is tried again later, by you or "
             "by others, unless you say that it is no use.",
         .input = arguments(
             {{"task", task_name()},
              {"token?", token()},
              {"error", text("what went wrong, so that the next one knows", 4000)},
              {"retry?", truth("false: trying again is no use")}}),
         .output = {},
         .begin = {}},
        "fail", {{"token", "token"}, {"error", "error"}, {"retry", "retryable"}});
}

} // namespace

std::vector<Tool> task_tools() {
    return {ready(), claim(), progress(), complete(), failed()};
}

} // namespace hive::mcp
