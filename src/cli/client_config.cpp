#include "cli/client_config.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <string_view>

namespace hive::cli {
namespace {

bool is_loopback(const std::string& host) {
    if (host == "localhost" || host == "::1") return true;
    in_addr address{};
    constexpr std::uint32_t first_byte = 24;
    return ::inet_pton(AF_INET, host.c_str(), &address) == 1 &&
           ntohl(address.s_addr) >> first_byte == 127;
}

Error not_logged_in(const std::string& server) {
    return {
        Errc::invalid,
        server.empty()
            ? std::string{"no server is known; log in with 'hive login --server URL', or set "
                          "HIVE_SERVER and HIVE_KEY"}
            : fmt::format(
                  "there is no key for {}; log in with 'hive login --server {}', or set HIVE_KEY",
                  server, server)};
}

// The profile that speaks for this server: the named one, the current one, or any other of it.
Result<const Profile*>
choose_profile(const ClientConfig& config, const Profiles& profiles, const std::string& server) {
    if (!config.profile.empty()) {
        const Profile* named = profiles.find(config.profile);
        if (named == nullptr) {
            return fail(
                Errc::invalid,
                fmt::format(
                    "there is no profile '{}'; 'hive profile list' shows them, 'hive login "
                    "--profile {} --server URL' makes it",
                    config.profile, config.profile));
        }
        if (!server.empty() && named->server != server) {
            return fail(
                Errc::invalid, fmt::format(
                                   "profile '{}' is for {}, not for {}; leave out --server or "
                                   "--profile",
                                   config.profile, named->server, server));
        }
        return named;
    }
    const Profile* current = profiles.find(profiles.current);
    if (server.empty() || (current != nullptr && current->server == server)) return current;
    for (const auto& [name, profile] : profiles.all()) {
        if (profile.server == server) return &profile;
    }
    return nullptr;
}

} // namespace

void declare_server_address(OptionTable& table, ClientConfig& config) {
    table.add_flag("server", config.server)
        .env("HIVE_SERVER")
        .expected("a URL like https://hive.example or http://127.0.0.1:8080")
        .check([](const Url& url) -> Status {
            auto address = server_address(url);
            return address ? Status{} : fail(address.error());
        })
        .help("the server to talk to");
    table.add_flag("profile", config.profile)
        .env("HIVE_PROFILE")
        .value_name("NAME")
        .check([](const std::string& name) { return check_profile_name(name); })
        .help("which of the servers you logged in to; without it the current one");
    table.add_flag("ca-file", config.ca_file)
        .help("authorities (PEM) to trust besides the system's");
    table.add_flag("insecure", config.insecure)
        .help("send the key over plain http to another machine, readable by the network");
}

void declare_client_options(OptionTable& table, ClientConfig& config) {
    declare_server_address(table, config);
    table.add_flag("key", config.key)
        .env("HIVE_KEY")
        .value_name("KEY")
        .help("the API key to use; {env:NAME} or {file:/path} keep it off the command line");
}

Result<std::string> server_address(const Url& url) {
    std::string text{url.reveal()};
    while (text.ends_with('/')) text.pop_back();
    const std::size_t host = text.find("://") + 3;
    const bool http = url.scheme() == "http" || url.scheme() == "https";
    if (!http || text.find_first_of("/?#@", host) != text.npos) {
        return fail(Errc::invalid, {});
    }
    return text;
}

Status check_privacy(const std::string& server, bool insecure) {
    const auto url = Url::parse(server);
    if (!url) return fail(Errc::invalid, fmt::format("{} is not the address of a server", server));
    if (url->scheme() == "https" || insecure || is_loopback(url->host())) return {};
    return fail(
        Errc::invalid,
        fmt::format(
            "{} is another machine without TLS: the key would cross the network readable; use "
            "https, or say --insecure",
            server));
}

Result<Connection> resolve_connection(const ClientConfig& config, const Host& host) {
    Connection connection{
        .key = config.key,
        .ca_file = config.ca_file ? config.ca_file->text : std::string{},
        .insecure = config.insecure};
    if (config.server) connection.server = server_address(*config.server).value();
    if (connection.server.empty() || connection.key.empty() || !config.profile.empty()) {
        auto path = Profiles::default_path(host);
        if (!path) return fail(path.error());
        auto profiles = Profiles::load(*std::move(path));
        if (!profiles) return fail(profiles.error());
        auto chosen = choose_profile(config, *profiles, connection.server);
        if (!chosen) return fail(chosen.error());
        if (*chosen == nullptr) return fail(not_logged_in(connection.server));
        const Profile& profile = **chosen;
        connection.server = profile.server;
        if (connection.key.empty()) connection.key = profile.key;
        if (connection.ca_file.empty()) connection.ca_file = profile.ca_file;
        connection.insecure = connection.insecure || profile.insecure;
    }
    if (auto ok = check_privacy(connection.server, connection.insecure); !ok) {
        return fail(ok.error());
    }
    return connection;
}

} // namespace hive::cli
