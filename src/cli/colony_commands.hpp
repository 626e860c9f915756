#pragma once

#include "cli/client_config.hpp"
#include "cli/command.hpp"
#include "cli/server_client.hpp"
#include "kernel/json.hpp"

#include <string>
#include <string_view>

namespace hive::cli {

// What `hive task`, `hive message`, `hive bee`, `hive approval` and `hive cost`
// consist of.
Command task_list_command();
Command task_show_command();
Command task_create_command();
Command task_next_command();
Command task_watch_command();
Command task_comment_command();
Command approval_rule_command();
Command cost_price_command();
Command cost_budget_command();

// Whom a command asks, and how it answers.
struct AskOptions {
    ClientConfig client{};
    bool json = false;
};
void declare_ask(OptionTable& table, AskOptions& options);

// All pages of a listing, up to a number of items.
Result<json::array> all_pages(
    ServerClient& server, const std::string& path, ServerClient::Query query,
    std::size_t most = 10'000);

// `1.50`: millionths as people write money.
std::string money_text(std::int64_t micros);

std::string task_path(std::string_view id, std::string_view rest = "");

// The answer as JSON, or through `text` for people. What a rule held back says what it waits for.
int print_answer(
    Host& host, const Result<json::value>& answer, bool as_json,
    const std::function<std::string(const json::object&)>& text);

// `TASK-9 claimed by BEE-001, lease 4 until ...`
std::string task_line(const json::object& task);
std::string task_text(const json::object& task);

} // namespace hive::cli
