#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/key_commands.hpp"
#include "cli/text_table.hpp"

namespace hive::cli {
namespace {

struct KeyListOptions {
    ReachConfig reach{};
    std::string owner{};
    bool json = false;
};

void declare_key_list(OptionTable& table, KeyListOptions& options) {
    table.add_flag("owner", options.owner).value_name("NAME").help("only keys of this owner");
    declare_reach_options(table, options.reach);
    table.add_flag("json", options.json).help("answer for scripts");
}

std::string list_text(const json::array& keys) {
    TextTable table{{"ID", "OWNER", "ROLE", "STATE", "SHOWN AS", "EXPIRES", "LAST USED"}};
    for (const auto& item : keys) {
        const json::object& key = item.as_object();
        const auto member = [&](std::string_view name) { return member_text(key, name); };
        table.add(
            {member("id"), member("owner"), member("role"), member("state"), member("shown"),
             member_time(key, "expires"), member_time(key, "lastUsed")});
    }
    return table.text();
}

int run_key_list(KeyListOptions& options, Call& call) {
    auto keys = reach_keys(options.reach, call);
    if (!keys) return report(call.host, keys.error());
    auto listed = (*keys)->list(options.owner);
    if (!listed) return report(call.host, listed.error());
    if (options.json) {
        call.host.out << to_text(json::object{{"items", std::move(*listed)}}) << '\n';
    } else if (listed->empty()) {
        call.host.err << "There are no keys; make one with 'hive key create'.\n";
    } else {
        call.host.out << list_text(*listed);
    }
    return exit_ok;
}

} // namespace

Command key_list_command() {
    return make_command<KeyListOptions>(
        {.name = "list",
         .summary = "show all keys, without their secrets",
         .examples =
             {{"hive key list", "all keys of the hive"},
              {"hive key list --owner BOT-003 --json", "those of one owner, for a script"}}},
        declare_key_list, run_key_list);
}

} // namespace hive::cli
