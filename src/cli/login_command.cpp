#include "accounts/api_key.hpp"
#include "cli/commands.hpp"
#include "cli/device_login.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/read_file.hpp"
#include "cli/server_client.hpp"
#include "cli/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

constexpr std::string_view usual_server = "http://127.0.0.1:8080"; // of `hive up`

struct LoginOptions {
    ClientConfig client{};
    bool with_key = false;
    bool json = false;
};

void declare_login(OptionTable& table, LoginOptions& options) {
    declare_server_address(table, options.client);
    table.add_flag("with-key", options.with_key)
        .help("take a key that you have from standard input, instead of asking for one");
    table.add_flag("json", options.json).help("answer for scripts");
}

// What is being logged in to, and under which name it will be kept.
struct Plan {
    Profiles profiles;
    std::string name;
    Profile profile;
};

std::string name_for(const Profiles& profiles, const std::string& server) {
    for (const auto& [name, profile] : profiles.all()) {
        if (profile.server == server) return name;
    }
    if (profiles.find("default") == nullptr) return "default";
    std::string name = server.substr(server.find("://") + 3);
    std::erase_if(name, [](char c) { return c == '[' || c == ']'; });
    std::ranges::replace(name, ':', '-');
    return name;
}

Result<Plan> plan_of(const ClientConfig& config, const Host& host) {
    auto path = Profiles::default_path(host);
    if (!path) return fail(path.error());
    auto profiles = Profiles::load(*std::move(path));
    if (!profiles) return fail(profiles.error());
    const std::string& wanted = config.profile.empty() ? profiles->current : config.profile;
    const Profile* known = profiles->find(wanted);
    Profile profile{.server = std::string{usual_server}};
    if (config.server) {
        profile.server = server_address(*config.server).value();
    } else if (known != nullptr) {
        profile = *known;
        profile.key = {};
    }
    if (config.ca_file) profile.ca_file = config.ca_file->text;
    profile.insecure = profile.insecure || config.insecure;
    if (auto ok = check_privacy(profile.server, profile.insecure); !ok) return fail(ok.error());
    std::string name =
        config.profile.empty() ? name_for(*profiles, profile.server) : config.profile;
    return Plan{std::move(*profiles), std::move(name), std::move(profile)};
}

Result<Secret> key_from_input(const Host& host) {
    constexpr std::size_t bytes_max = 4096;
    auto text = read_all(host.in, bytes_max);
    if (!text) return fail(Errc::invalid, "standard input " + text.error().detail);
    const auto blank = [](char c) { return c == '\n' || c == '\r' || c == ' ' || c == '\t'; };
    std::erase_if(*text, blank);
    if (auto kind = accounts::check_key_text(*text); !kind) {
        return fail(
            Errc::invalid,
            fmt::format("standard input holds no usable key: {}", kind.error().detail));
    }
    return Secret{*text};
}

Connection connection_to(const Profile& profile) {
    return {
        .server = profile.server,
        .key = profile.key,
        .ca_file = profile.ca_file,
        .insecure = profile.insecure};
}

// Proves that the key works before it is kept.
Result<json::object> keep(Plan& plan) {
    auto client = ServerClient::open(connection_to(plan.profile));
    if (!client) return fail(client.error());
    auto me = client->get("/api/v1/me");
    if (!me) return fail(me.error());
    plan.profiles.put(plan.name, plan.profile);
    plan.profiles.current = plan.name;
    if (auto ok = plan.profiles.save(); !ok) return fail(ok.error());
    return json::object{
        {"profile", plan.name},
        {"server", plan.profile.server},
        {"id", me->at("id")},
        {"role", me->at("role")}};
}

int run_login(LoginOptions& options, Call& call) {
    auto plan = plan_of(options.client, call.host);
    if (!plan) return report(call.host, plan.error());
    auto key = options.with_key ? key_from_input(call.host)
                                : log_in_device(connection_to(plan->profile), call.host);
    if (!key && key.error().code == Errc::closed) {
        call.host.err << "Interrupted; nothing was changed.\n";
        return exit_interrupted;
    }
    if (!key) return report(call.host, key.error());
    plan->profile.key = std::move(*key);
    auto told = keep(*plan);
    if (!told) return report(call.host, told.error());
    if (options.json) {
        call.host.out << to_text(*told) << '\n';
    } else {
        call.host.out << fmt::format(
            "Logged in to {} as {} ({}); profile '{}' is the current one.\n",
            member_text(*told, "server"), member_text(*told, "id"), member_text(*told, "role"),
            plan->name);
    }
    return exit_ok;
}

} // namespace

Command login_command() {
    return make_command<LoginOptions>(
        {.name = "login",
         .summary = "log in to a server and remember it",
         .description =
             "Shows an address and a code: open the address in a browser where you are signed in, "
             "compare the code and approve. The key that the server hands out then is kept in a "
             "profile (~/.config/hive/profiles.json, readable by you only), and all other commands "
             "use it. Without --server the server of the profile, or the one that 'hive up' "
             "starts.",
         .examples =
             {{"hive login --server https://hive.example", "log in with a browser"},
              {"hive login --server https://hive.example --with-key < key.txt",
               "use a key that you have"}}},
        declare_login, run_login);
}

} // namespace hive::cli
