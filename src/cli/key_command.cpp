#include "cli/commands.hpp"
#include "cli/key_commands.hpp"
#include "cli/text_table.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

namespace hive::cli {

void declare_one_key(OptionTable& table, OneKeyOptions& options) {
    table.add_positional("ID", options.id).required().help("of the key, such as key-4f1c9a2e77d0");
    declare_reach_options(table, options.reach);
    table.add_flag("json", options.json).help("answer for scripts");
}

std::string key_text(const json::object& key) {
    const auto member = [&](std::string_view name) { return member_text(key, name); };
    return fields_text(
        {{"id", member("id")},
         {"owner", member("owner")},
         {"state", member("state")},
         {"role", member("role")},
         {"kind", member("kind")},
         {"scopes", member("scopes")},
         {"shown as", member("shown")},
         {"created", member_time(key, "created")},
         {"expires", member_time(key, "expires")},
         {"revoked", member_time(key, "revoked")},
         {"last used", member_time(key, "lastUsed")},
         {"rotated to", member("rotatedTo")}});
}

void print_minted(Host& host, const json::object& minted, bool as_json) {
    if (as_json) {
        host.out << to_text(minted) << '\n';
        return;
    }
    const json::object& record = minted.at("record").as_object();
    host.out << printable(member_text(minted, "key")) << '\n';
    host.out.flush();
    host.err << key_text(record) << "This key is shown only now; keep it safe.\n";
}

Command key_command() {
    Command group{
        .text = {
            .name = "key",
            .summary = "make, list, rotate and revoke API keys",
            .description =
                "Keys are how bees, programs and people prove who they are. These commands ask the "
                "server you logged in to, or work on the hive's files themselves with --data DIR "
                "or --store URL, whether its server runs or not.",
            .examples = {
                {"hive key create --role bee --owner BOT-003 --valid-for 90d",
                 "a key for a bee; it is printed once"},
                {"hive key list", "who has keys"}}}};
    group.children.push_back(key_create_command());
    group.children.push_back(key_list_command());
    group.children.push_back(key_show_command());
    group.children.push_back(key_rotate_command());
    group.children.push_back(key_revoke_command());
    return group;
}

} // namespace hive::cli
