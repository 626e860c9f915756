// Tools about talk: ask, inbox, send, approvals.
#include "api/mcp/catalog.hpp"
#include "api/mcp/refusals.hpp"

#include <fmt/format.h>

namespace hive::mcp {
namespace {

std::string messages_path(std::string_view channel) {
    return fmt::format("/api/v1/channels/{}/messages", encoded(channel));
}

// A path that this server does not have; what is missing behind one that it has is said otherwise.
bool has_no_route(const RestAnswer& answer) {
    if (answer.status == 405) return true;
    const auto* problem = answer.body.if_object();
    const auto* detail = problem == nullptr ? nullptr : problem->if_contains("detail");
    return answer.status == 404 && detail != nullptr && *detail == "there is nothing at this path";
}

// That is not the model's fault.
Turn shown(const RestAnswer& answer, std::string_view name, std::string_view without) {
    if (has_no_route(answer)) return ToolResult{.trouble = std::string{without}};
    if (!answer.good()) return ToolResult{.trouble = trouble_of(answer)};
    return ToolResult{.structured = {{name, answer.body}}};
}

constexpr std::string_view no_approvals =
    "This hive decides nothing by approvals. Ask without `decision`, and wait for the answer in "
    "your inbox.";

Turn ask_for_decision(const json::object& given) {
    return RestCall{
        .method = "POST",
        .path = "/api/v1/approvals",
        .body = picked(
            given, {{"question", "subject"},
                    {"task", "about"},
                    {"from", "people"},
                    {"within", "within"}})};
}

Turn ask_in_channel(const json::object& given) {
    const std::string task = text_in(given, "task");
    json::object body =
        picked(given, {{"question", "content"}, {"from", "ackFrom"}, {"within", "ackWithin"}});
    body["type"] = "request";
    return RestCall{
        .method = "POST",
        .path = messages_path(task.empty() ? "general" : "task:" + task),
        .body = std::move(body)};
}

bool wants_decision(const json::object& given) {
    const auto* decision = given.if_contains("decision");
    return decision != nullptr && decision->as_bool();
}

Tool ask() {
    return {
        .name = "ask",
        .title = "Ask people",
        .description =
            "Asks people something and returns at once; look for the answer with `inbox` (or with "
            "`approvals` when you asked for a decision). Do not act before you have it.",
        .input = arguments(
            {{"question",
              text("what you want to know, with all that is needed to answer it", 32'768)},
             {"decision?",
              truth("ask for an approval: a yes or no that is recorded; 500 bytes at most")},
             {"task?", text("the ref of the task it is about")},
             {"from?", texts("who has to answer; without it everyone may")},
             {"within?", text("by when, such as 1h; needs `from` unless it is a decision", 40)}}),
        .output = result({{"message?", some_object()}, {"approval?", some_object()}}),
        .begin =
            [](const json::object& given) {
                return wants_decision(given) ? ask_for_decision(given) : ask_in_channel(given);
            },
        .go_on = [](const json::object& given, std::size_t, const RestAnswer& answer) -> Turn {
            if (wants_decision(given)) return shown(answer, "approval", no_approvals);
            if (!answer.good()) return ToolResult{.trouble = trouble_of(answer)};
            return ToolResult{.structured = {{"message", answer.body}}};
        }};
}

RestCall read_channel(const json::object& given, std::string_view channel) {
    const auto* limit = given.if_contains("limit");
    std::string path =
        fmt::format("{}?limit={}", messages_path(channel), limit ? to_text(*limit) : "20");
    if (given.contains("after")) path += "&after=" + encoded(text_in(given, "after"));
    return {.path = std::move(path)};
}

// Who am I, unless a channel was named; then what was said there.
Turn inbox_turn(const json::object& given, std::size_t nth, const RestAnswer& answer) {
    if (!answer.good()) return ToolResult{.trouble = trouble_of(answer)};
    const bool named = given.contains("channel");
    if (!named && nth == 0) {
        return read_channel(given, "bee:" + text_in(answer.body.as_object(), "id"));
    }
    return ToolResult{
        .structured = {
            {"messages", answer.body.at("items")},
            {"next", "Pass the id of the newest as `after` to get only what comes later."}}};
}

Tool inbox() {
    return {
        .name = "inbox",
        .title = "Read messages",
        .description = "Reads what was said to you, or in a channel: the newest first, or with "
                       "`after` what came since, the oldest first.",
        .input = arguments(
            {{"channel?",
              text("general, task:<ref> or a name; without it what was sent to you", 110)},
             {"after?", text("the id of the last message you have seen")},
             {"limit?", number("how many at most; 20 when left out", 1, 100)}}),
        .output =
            result({{"messages", list_of_objects()}, {"next", text("what to do next", 1000)}}),
        .reads = true,
        .repeatable = true,
        .begin = [](const json::object& given) -> Turn {
            if (given.contains("channel")) return read_channel(given, text_in(given, "channel"));
            return RestCall{.path = "/api/v1/me"};
        },
        .go_on = inbox_turn};
}

Tool send() {
    return {
        .name = "send",
        .title = "Send a message",
        .description = "Says something in a channel: general, task:<ref>, bee:<id> or another one.",
        .input = arguments(
            {{"channel", text("where to say it", 110)},
             {"text", text("what to say", 32'768)},
             {"reply_to?", text("the id of the message it answers")},
             {"tags?", texts("such as #blocker")}}),
        .output = result({{"message", some_object()}}),
        .begin = [](const json::object& given) -> Turn {
            return RestCall{
                .method = "POST",
                .path = messages_path(text_in(given, "channel")),
                .body = picked(
                    given, {{"text", "content"}, {"reply_to", "replyTo"}, {"tags", "tags"}})};
        },
        .shown_as = "message"};
}

Tool approvals() {
    return {
        .name = "approvals",
        .title = "What waits for a decision",
        .description = "Lists requests for approval and what was decided, the newest first. Only "
                       "people decide; look here whether they have.",
        .input = arguments(
            {{"state?", text("only those in this state, such as open", 20)},
             {"limit?", number("how many at most; 20 when left out", 1, 100)}}),
        .output = result({{"approvals", list_of_objects()}}),
        .reads = true,
        .repeatable = true,
        .begin = [](const json::object& given) -> Turn {
            const auto* limit = given.if_contains("limit");
            std::string path =
                fmt::format("/api/v1/approvals?limit={}", limit ? to_text(*limit) : "20");
            if (given.contains("state")) path += "&state=" + encoded(text_in(given, "state"));
            return RestCall{.path = std::move(path)};
        },
        .go_on = [](const json::object&, std::size_t, const RestAnswer& answer) -> Turn {
            Turn turn = shown(answer, "approvals", no_approvals);
            if (auto* done = std::get_if<ToolResult>(&turn); done && done->trouble.empty()) {
                done->structured["approvals"] = answer.body.at("items");
            }
            return turn;
        }};
}

} // namespace

std::vector<Tool> talk_tools() {
    return {ask(), inbox(), send(), approvals()};
}

} // namespace hive::mcp
