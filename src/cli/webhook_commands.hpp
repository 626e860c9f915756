#pragma once

#include "cli/colony_commands.hpp"

#include <string>
#include <string_view>

namespace hive::cli {

// What `hive webhook` consists of: setting up, and looking after.
Command webhook_create_command();
Command webhook_update_command();
Command webhook_rotate_command();
Command webhook_deliveries_command();
Command webhook_replay_command();
Command webhook_test_command();

struct OneWebhookOptions {
    AskOptions ask{};
    std::string id{};
};
void declare_one_webhook(OptionTable& table, OneWebhookOptions& options);

std::string webhook_path(std::string_view id, std::string_view rest = "");
std::string webhook_text(const json::object& webhook);
// The same, and the secret that will not be shown again.
std::string webhook_with_secret(const json::object& webhook);

} // namespace hive::cli
