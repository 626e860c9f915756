#include "api/mcp/exchange.hpp"

#include "api/mcp/refusals.hpp"
#include "api/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace hive::mcp {
namespace {

constexpr std::array<std::string_view, 3> revisions{"2025-11-25", "2025-06-18", "2025-03-26"};
constexpr std::size_t turns_max = 8;

constexpr std::string_view instructions =
    "You are a bee in a hive: a colony of agents and people who share tasks. Look for work with "
    "`ready` or take it with `claim`; while you work call `progress` before the lease ends; finish "
    "with `complete` or `fail`. Talk with `send`, read with `inbox`, and `ask` people when you "
    "are not sure or when something needs a decision.";

json::object text_block(std::string_view text) {
    return {{"type", "text"}, {"text", text}};
}

std::string wrong_arguments(const Tool& tool, const std::vector<api::FieldProblem>& problems) {
    std::string all;
    for (const auto& problem : problems) {
        all += fmt::format("{}{} {}", all.empty() ? "" : "; ", problem.pointer, problem.detail);
    }
    return fmt::format(
        "The arguments of `{}` are not as its schema says: {}. Correct them and call again.",
        tool.name, all);
}

} // namespace

bool is_spoken(std::string_view revision) noexcept {
    return std::ranges::find(revisions, revision) != revisions.end();
}

std::string_view newest_revision() noexcept {
    return revisions.front();
}

Exchange::Exchange(const ServerInfo& server, const tl::expected<Message, RpcError>& read) {
    if (!read) {
        malformed_ = true;
        answer_ = error_text(read.error());
        return;
    }
    message_ = *read;
    begin(server);
}

void Exchange::begin(const ServerInfo& server) {
    if (message_.kind == Message::Kind::answer) return; // we asked nothing
    if (message_.method == "notifications/cancelled") {
        if (const auto* id = message_.params.if_contains("requestId")) cancels_ = *id;
    }
    if (message_.kind == Message::Kind::notification) return;
    if (message_.method == "initialize") return initialize(server);
    if (message_.method == "ping") {
        answer_ = result_text(message_.id, {});
    } else if (message_.method == "tools/list") {
        list_tools();
    } else if (message_.method == "tools/call") {
        call_tool();
    } else {
        refuse(
            RpcCode::method_not_found,
            fmt::format("there is no method '{}'", message_.method.substr(0, 100)));
    }
}

void Exchange::initialize(const ServerInfo& server) {
    const auto* wanted = message_.params.if_contains("protocolVersion");
    if (wanted == nullptr || !wanted->is_string()) {
        return refuse(RpcCode::invalid_params, "protocolVersion: a string is missing");
    }
    // A revision that we do not speak is answered with one that we do; the client then decides.
    const std::string_view revision = is_spoken(wanted->get_string())
                                          ? std::string_view{wanted->get_string()}
                                          : newest_revision();
    begins_session_ = true;
    answer_ = result_text(
        message_.id,
        {{"protocolVersion", revision},
         {"capabilities", json::object{{"tools", json::object{}}}},
         {"serverInfo",
          json::object{
              {"name", "pockethive"}, {"title", "PocketHive"}, {"version", server.version}}},
         {"instructions", instructions}});
}

void Exchange::list_tools() {
    json::array tools;
    for (const Tool& tool : catalog()) tools.push_back(to_json(tool));
    answer_ = result_text(message_.id, {{"tools", std::move(tools)}});
}

void Exchange::call_tool() {
    const auto* name = message_.params.if_contains("name");
    const std::string_view called =
        name != nullptr && name->is_string() ? std::string_view{name->get_string()} : "";
    tool_ = find_tool(called);
    if (tool_ == nullptr) {
        return refuse(
            RpcCode::invalid_params,
            fmt::format("there is no tool '{}'; tools/list has all", called.substr(0, 100)));
    }
    if (const auto* given = message_.params.if_contains("arguments")) {
        if (!given->is_object()) {
            return refuse(RpcCode::invalid_params, "arguments is an object");
        }
        arguments_ = given->get_object();
    }
    const auto problems = api::validate(tool_->input, arguments_, {});
    if (!problems.empty()) return finish({.trouble = wrong_arguments(*tool_, problems)});
    take(tool_->begin(arguments_));
}

void Exchange::answered(const RestAnswer& answer) {
    assert(wants_);
    wants_.reset();
    if (undoing_) return;
    if (cancelled_) {
        undoing_ = true;
        if (tool_->undo) wants_ = tool_->undo(answer);
        return;
    }
    const std::size_t nth = turns_++;
    if (tool_->go_on && turns_ < turns_max) return take(tool_->go_on(arguments_, nth, answer));
    if (!answer.good()) return finish({.trouble = trouble_of(answer)});
    finish({.structured = {{tool_->shown_as, answer.body}}});
}

void Exchange::take(Turn turn) {
    if (auto* call = std::get_if<RestCall>(&turn)) {
        wants_ = std::move(*call);
    } else {
        finish(std::get<ToolResult>(turn));
    }
}

// What went wrong with a tool is told to the model, not to the program around it.
void Exchange::finish(const ToolResult& result) {
    json::object out;
    if (result.trouble.empty()) {
        out["content"] = json::array{text_block(to_text(result.structured))};
        out["structuredContent"] = result.structured;
        out["isError"] = false;
    } else {
        out["content"] = json::array{text_block(result.trouble)};
        out["isError"] = true;
    }
    answer_ = result_text(message_.id, out);
}

void Exchange::refuse(RpcCode code, std::string why) {
    answer_ = error_text({code, std::move(why), message_.id});
}

} // namespace hive::mcp
