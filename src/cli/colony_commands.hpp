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
Command task_update_command();
Command task_machine_command();
Command task_counts_command();
Command task_complete_all_command();
Command task_redrive_all_command();
Command message_show_command();
Command message_thread_command();
Command message_read_command();
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
// `1.50 EUR`, by the members `micros` and `currency`.
std::string money_of(const json::object& object);

// What people may set of a thing, as it is now, to be sent back with changes.
json::object settable(const json::object& thing, std::initializer_list<std::string_view> names);

// Whether a thing holds from now on.
struct ToggleOptions {
    bool enable = false;
    bool disable = false;
};
void declare_toggle(OptionTable& table, ToggleOptions& options);
Status take_toggle(const ToggleOptions& options, json::object& body);

// Asks for the removal of what is there; says nothing to people when it is gone.
int remove_at(const std::string& path, const AskOptions& options, Call& call);

std::string message_line(const json::object& message);

std::string task_path(std::string_view id, std::string_view rest = "");

// The answer as JSON, or through `text` for people. What a rule held back says what it waits for.
int print_answer(
    Host& host, const Result<json::value>& answer, bool as_json,
    const std::function<std::string(const json::object&)>& text);

std::string task_lines(const json::object& answer); // of its items
// `TASK-9 claimed by BEE-001, lease 4 until ...`
std::string task_line(const json::object& task);
std::string task_text(const json::object& task);

} // namespace hive::cli
