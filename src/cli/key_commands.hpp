#pragma once

#include "cli/command.hpp"
#include "cli/key_access.hpp"
#include "kernel/json.hpp"

#include <string>

namespace hive::cli {

// What `hive key` consists of; each is defined in the file named after it.
Command key_create_command();
Command key_list_command();
Command key_show_command();
Command key_rotate_command();
Command key_revoke_command();

// The options of a command about one key.
struct OneKeyOptions {
    ReachConfig reach{};
    std::string id{};
    bool json = false;
};
void declare_one_key(OptionTable& table, OneKeyOptions& options);

// For people: what is known about a key.
std::string key_text(const json::object& key);
// The one place where a key is printed: alone on standard output, all else on the other stream.
void print_minted(Host& host, const json::object& minted, bool as_json);

} // namespace hive::cli
