#include "cli/server_config.hpp"

#include "accounts/sign_in_rules.hpp"
#include "cli/colony_config.hpp"
#include "kernel/id.hpp"
#include "kernel/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace hive::cli {
namespace {

std::function<Status(const Url&)> scheme_is_one_of(std::vector<std::string_view> schemes) {
    return [schemes = std::move(schemes)](const Url& url) -> Status {
        if (std::ranges::find(schemes, url.scheme()) != schemes.end()) return {};
        return fail(Errc::invalid, fmt::format("expected {}://...", fmt::join(schemes, ":// or ")));
    };
}

void declare_http_options(OptionTable& table, HttpConfig& config) {
    table.add("http.listen", config.listen)
        .flag("listen")
        .value_name("ADDRESS")
        .help("address to listen on; 0.0.0.0 is every interface");
    table.add("http.port", config.port)
        .flag("port")
        .letter('p')
        .range(0, 65535)
        .help("port of the dashboard and the API; 0 takes a free one");
    table.add("http.threads", config.threads).range(1, 256).help("threads that serve requests");
    table.add("http.certificate", config.certificate)
        .help("certificate chain in PEM; with it the server speaks TLS");
    table.add("http.private-key", config.private_key).help("private key in PEM");
    table.add("http.insecure", config.insecure)
        .help(
            "listen beyond this machine without TLS: keys and cookies cross the network readable");
    table.add("http.public-url", config.public_url)
        .value_name("URL")
        .help("how people reach this server, when it is behind a proxy");
    table.add("http.origins", config.origins)
        .value_name("ORIGIN")
        .help("other sites whose scripts may use the API, such as https://dash.example");
    table.add("http.body-kib", config.body_kib)
        .range(1, 1024 * 1024)
        .help("largest request body in KiB, where a route says nothing else");
    table.add("http.connections-per-peer", config.connections_per_peer)
        .range(1, 1'000'000)
        .help("connections that one address may hold");
}

void declare_auth_options(OptionTable& table, AuthConfig& config) {
    table.add("auth.session-idle", config.session_idle)
        .range(std::chrono::minutes{1}, std::chrono::hours{24 * 90})
        .help("a browser's session ends after this long without a request");
    table.add("auth.session-longest", config.session_longest)
        .range(std::chrono::minutes{1}, std::chrono::hours{24 * 365})
        .help("a browser's session ends after this long in any case");
    table.add("auth.requests-per-minute", config.requests_per_minute)
        .value_name("CLASS=N")
        .help(
            "quota of each key at each route, by class: default, login, events, audit; 0 is none");
}

void declare_sign_in_options(OptionTable& table, SignInConfig& config) {
    table.add("auth.oidc.provider", config.provider)
        .choices({"openid", "github"})
        .help("what kind of provider people sign in at");
    table.add("auth.oidc.issuer", config.issuer)
        .value_name("URL")
        .help("the provider's address, exactly as it names itself");
    table.add("auth.oidc.client-id", config.client_id)
        .help("what the provider calls this hive; without it there is no provider");
    table.add("auth.oidc.client-secret", config.client_secret)
        .help("the secret that goes with it; empty for a public client");
    table.add("auth.oidc.redirect-uri", config.redirect_uri)
        .value_name("URL")
        .help("/auth/callback of this server, as browsers reach it");
    table.add("auth.oidc.scope", config.scope)
        .value_name("WORDS")
        .help("what to ask the provider for, when the default will not do");
    table.add("auth.oidc.roles", config.roles)
        .value_name("CLAIM:VALUE=ROLE")
        .check([](const std::string& text) -> Status {
            auto rule = accounts::parse_role_rule(text);
            return rule ? Status{} : fail(rule.error());
        })
        .expected("a rule like email:ada@example.com=admin")
        .help("who becomes what; the first that fits decides");
    table.add("auth.oidc.default-role", config.default_role)
        .choices({"", "admin", "human", "bee", "readonly"})
        .help("for who fits no rule; without it they may not come in");
    table.add("auth.oidc.ca-file", config.ca_file)
        .help("authorities to trust besides the system's");
    table.add("auth.oidc.github.web", config.github_web)
        .value_name("URL")
        .help("address of a GitHub Enterprise server");
    table.add("auth.oidc.github.api", config.github_api)
        .value_name("URL")
        .help("address of its API");
}

template <class Config>
void declare_place(OptionTable& table, Config& config) {
    table.add("hive.id", config.hive)
        .flag("hive")
        .value_name("ID")
        .check([](const std::string& text) -> Status {
            auto id = HiveId::parse(text);
            return id ? Status{} : fail(id.error());
        })
        .help("which hive of the store");
    table.add("data.dir", config.data).flag("data").help("directory for everything the hive keeps");
    table.add("store.url", config.store)
        .flag("store")
        .expected("a URL like postgres://user:{env:PASSWORD}@host/database")
        .check(scheme_is_one_of({"postgres", "postgresql"}))
        .help("PostgreSQL to use; without it the store is SQLite in the data directory");
}

} // namespace

void declare_store_options(OptionTable& table, StoreConfig& config) {
    declare_place(table, config);
}

void declare_server_options(OptionTable& table, ServerConfig& config) {
    table.add_flag("config", config.config_file)
        .letter('c')
        .env("HIVE_CONFIG")
        .help("YAML file with any of the settings below");
    declare_http_options(table, config.http);
    declare_place(table, config);
    table.add("scenarios.dir", config.scenarios)
        .flag("scenarios")
        .help("folder with scenarios, one folder each; without it scenarios in the data directory");
    table.add("broker.url", config.broker)
        .flag("broker")
        .expected("a URL like amqp://user:{env:PASSWORD}@host:5672/vhost")
        .check(scheme_is_one_of({"amqp", "amqps"}))
        .help("RabbitMQ to use; without it the bus is in memory");
    declare_swarm_options(table, config.swarm);
    declare_colony_options(table, config.colony);
    declare_files_options(table, config.files);
    declare_auth_options(table, config.auth);
    declare_sign_in_options(table, config.auth.oidc);
    table.add("audit.key-file", config.audit.key_file)
        .help("private key that signs checkpoints; without it audit.key in the data directory");
    table.add("audit.checkpoint-every", config.audit.checkpoint_every)
        .range(std::chrono::seconds{1}, std::chrono::hours{24})
        .help("how often what was recorded is signed");
    table.add("log.level", config.log_level)
        .value_name("LEVEL")
        .expected("a level like info, or info,bus=debug")
        .check([](const std::string& spec) { return check_log_levels(spec); })
        .suggests({"trace", "debug", "info", "warn", "error", "off"})
        .help("how much to log; info,bus=debug sets an area apart");
    table.add("log.format", config.log_format)
        .help("log lines for people or for machines; without it, people on a terminal");
}

} // namespace hive::cli
