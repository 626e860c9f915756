#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/profiles.hpp"
#include "cli/text_table.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

struct ProfileOptions {
    std::string name{};
    bool json = false;
};

Result<Profiles> load(const Host& host) {
    auto path = Profiles::default_path(host);
    if (!path) return fail(path.error());
    return Profiles::load(*std::move(path));
}

Error no_profile(const std::string& name) {
    return {
        Errc::invalid,
        name.empty()
            ? std::string{"there is no current profile; 'hive login' makes one"}
            : fmt::format("there is no profile '{}'; 'hive profile list' shows them", name)};
}

// Never with its key.
json::object to_json(const Profiles& profiles, const std::string& name) {
    const Profile& profile = *profiles.find(name);
    json::object out{
        {"name", name}, {"server", profile.server}, {"current", name == profiles.current}};
    if (!profile.ca_file.empty()) out["caFile"] = profile.ca_file;
    if (profile.insecure) out["insecure"] = true;
    return out;
}

int run_profile_list(ProfileOptions& options, Call& call) {
    auto profiles = load(call.host);
    if (!profiles) return report(call.host, profiles.error());
    json::array items;
    TextTable table{{"", "NAME", "SERVER"}};
    for (const auto& [name, profile] : profiles->all()) {
        items.push_back(to_json(*profiles, name));
        table.add({name == profiles->current ? "*" : "", name, profile.server});
    }
    if (options.json) {
        call.host.out << to_text(json::object{{"items", std::move(items)}}) << '\n';
    } else if (items.empty()) {
        call.host.err << "There are no profiles; 'hive login' makes one.\n";
    } else {
        call.host.out << table.text();
    }
    return exit_ok;
}

int run_profile_show(ProfileOptions& options, Call& call) {
    auto profiles = load(call.host);
    if (!profiles) return report(call.host, profiles.error());
    const std::string& name = options.name.empty() ? profiles->current : options.name;
    if (profiles->find(name) == nullptr) return report(call.host, no_profile(name));
    const json::object shown = to_json(*profiles, name);
    call.host.out
        << (options.json ? to_text(shown) + "\n"
                         : fields_text(
                               {{"name", name},
                                {"server", member_text(shown, "server")},
                                {"current", member_text(shown, "current")},
                                {"ca file", member_text(shown, "caFile")},
                                {"insecure", member_text(shown, "insecure")}}));
    return exit_ok;
}

int finish(const Profiles& profiles, const ProfileOptions& options, Call& call) {
    if (auto ok = profiles.save(); !ok) return report(call.host, ok.error());
    if (options.json) {
        call.host.out << to_text(json::object{{"current", profiles.current}}) << '\n';
    } else if (profiles.current.empty()) {
        call.host.out << "No profile is current; choose one with 'hive profile use NAME'.\n";
    } else {
        call.host.out << fmt::format(
            "The current profile is '{}' ({}).\n", profiles.current,
            profiles.find(profiles.current)->server);
    }
    return exit_ok;
}

int run_use(ProfileOptions& options, Call& call) {
    auto profiles = load(call.host);
    if (!profiles) return report(call.host, profiles.error());
    if (profiles->find(options.name) == nullptr) {
        return report(call.host, no_profile(options.name));
    }
    profiles->current = options.name;
    return finish(*profiles, options, call);
}

int run_profile_remove(ProfileOptions& options, Call& call) {
    auto profiles = load(call.host);
    if (!profiles) return report(call.host, profiles.error());
    if (!profiles->remove(options.name)) return report(call.host, no_profile(options.name));
    return finish(*profiles, options, call);
}

void declare_json(OptionTable& table, ProfileOptions& options) {
    table.add_flag("json", options.json).help("answer for scripts");
}
void declare_named(OptionTable& table, ProfileOptions& options) {
    table.add_positional("NAME", options.name).required().help("of the profile");
    declare_json(table, options);
}
void declare_show(OptionTable& table, ProfileOptions& options) {
    table.add_positional("NAME", options.name).help("of the profile; without it the current one");
    declare_json(table, options);
}

} // namespace

Command profile_command() {
    Command group{
        .text = {
            .name = "profile",
            .summary = "the servers you logged in to",
            .description = "'hive login' makes a profile for each server. Keys are never shown.",
            .examples = {
                {"hive profile list", "all of them; * is the current one"},
                {"hive profile use work", "talk to that server from now on"}}}};
    group.children.push_back(make_command<ProfileOptions>(
        {.name = "list",
         .summary = "show all profiles",
         .examples = {{"hive profile list", "names and servers; * is the current one"}}},
        declare_json, run_profile_list));
    group.children.push_back(make_command<ProfileOptions>(
        {.name = "show",
         .summary = "show one profile",
         .examples = {{"hive profile show", "the current one"}}},
        declare_show, run_profile_show));
    group.children.push_back(make_command<ProfileOptions>(
        {.name = "use",
         .summary = "make a profile the current one",
         .examples = {{"hive profile use work", "commands talk to that server from now on"}}},
        declare_named, run_use));
    group.children.push_back(make_command<ProfileOptions>(
        {.name = "remove",
         .summary = "forget a profile and its key",
         .description = "The key itself stays valid; 'hive key revoke' ends it.",
         .examples = {{"hive profile remove work", "the server has to be logged in to again"}}},
        declare_named, run_profile_remove));
    return group;
}

} // namespace hive::cli
