#include "cli/running_server.hpp"

#include "api/colony/colony_offer.hpp"
#include "api/colony/webhook_routes.hpp"
#include "api/mcp/mcp_routes.hpp"
#include "api/rest/oidc_routes.hpp"
#include "cli/audit_key_file.hpp"
#include "cli/dashboard.hpp"
#include "cli/open_store.hpp"
#include "cli/running_scenarios.hpp"
#include "cli/sign_in.hpp"
#include "cli/version.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

constexpr Duration store_grace = std::chrono::seconds{10};
constexpr Duration post_grace = std::chrono::seconds{1};

Result<std::shared_ptr<http::TlsContext>> load_tls(const HttpConfig& config) {
    if (config.certificate.has_value() != config.private_key.has_value()) {
        return fail(
            Errc::invalid, "http.certificate and http.private-key belong together; one is missing");
    }
    if (!config.certificate) return std::shared_ptr<http::TlsContext>{};
    auto loaded = http::TlsContext::load({config.certificate->text, config.private_key->text});
    if (!loaded) return fail(loaded.error());
    return std::shared_ptr<http::TlsContext>{std::move(*loaded)};
}

std::string address_of(const HttpConfig& config) {
    const bool ipv6 = config.listen.find(':') != config.listen.npos;
    const bool bracketed = config.listen.starts_with('[');
    return fmt::format(
        "{}{}{}:{}", ipv6 && !bracketed ? "[" : "", config.listen, ipv6 && !bracketed ? "]" : "",
        config.port);
}

rest::HiveOptions
options_of(const ServerConfig& config, HiveId hive, std::shared_ptr<http::TlsContext> tls) {
    rest::HiveOptions options{.hive = std::move(hive), .version = version()};
    options.http.listen = {{.address = address_of(config.http), .tls = std::move(tls)}};
    options.http.allow_exposed_plain = config.http.insecure;
    options.http.threads = config.http.threads;
    options.http.limits.body_bytes = std::size_t{config.http.body_kib} << 10U;
    options.http.limits.connections_per_peer = config.http.connections_per_peer;
    options.public_url = config.http.public_url;
    options.cors.origins = config.http.origins;
    options.gate.sessions = {config.auth.session_idle, config.auth.session_longest};
    for (const auto& [name, quota] : config.auth.requests_per_minute) options.quotas[name] = quota;
    options.checkpoint_every = config.audit.checkpoint_every;
    return options;
}

} // namespace

Result<std::unique_ptr<RunningServer>>
RunningServer::start(const ServerConfig& config, const Clock& clock, const Logger& log) {
    std::unique_ptr<RunningServer> running{new RunningServer{log}};
    auto hive = HiveId::parse(config.hive);
    if (!hive) return fail(hive.error());
    auto tls = load_tls(config.http);
    if (!tls) return fail(tls.error());
    running->tls_ = std::move(*tls);

    if (auto ok = make_data_directory(config.data.text); !ok) return fail(ok.error());
    auto database = open_store({config.data.text, config.store}, StoreUse::serve);
    if (!database) return fail(database.error());
    running->database_ = std::move(*database);

    const std::string key_path =
        config.audit.key_file ? config.audit.key_file->text : config.data.text + "/audit.key";
    auto key = load_or_make_audit_key(key_path, *hive);
    if (!key) return fail(key.error());
    running->audit_key_ = std::make_unique<rest::AuditKey>(std::move(*key));

    rest::HiveParts parts{
        .database = *running->database_,
        .clock = clock,
        .log = log,
        .audit_key = *running->audit_key_,
        .dashboard = dashboard_files()};
    if (auto ok = running->open_sign_in(config, clock, parts); !ok) return fail(ok.error());
    running->outbox_ = std::make_unique<rest::WebhookOutbox>(*hive);
    if (auto ok = running->open_webhooks(config, parts); !ok) return fail(ok.error());
    auto swarms = RunningSwarms::start(
        config, *hive, {*running->database_, clock, log, running->outbox_.get()});
    if (!swarms) return fail(swarms.error());
    running->swarms_ = std::move(*swarms);
    auto scenarios = open_scenarios(config);
    if (!scenarios) return fail(scenarios.error());
    running->scenarios_ = std::move(*scenarios);
    offer_scenarios(*running->scenarios_, clock, parts);
    running->colony_.policy = config.colony;
    running->colony_.zones = &running->zones_;
    running->swarms_->offer(parts, *running->scenarios_, running->colony_);
    running->colony_.court = &running->swarms_->court();
    if (config.files.root) {
        auto files = RunningFiles::open(config.files, {*hive, clock, log}, running->colony_);
        if (!files) return fail(files.error());
        running->files_ = std::move(*files);
    }
    rest::offer_colony(*hive, running->colony_, parts);
    mcp::offer_mcp({version()}, parts);
    auto server = rest::HiveServer::start(
        options_of(config, std::move(*hive), running->tls_), std::move(parts));
    if (!server) return fail(server.error());
    running->server_ = std::move(*server);
    running->swarms_->attach(running->server_->events());
    if (running->files_) running->files_->sync->start();
    return running;
}

// Nothing when no provider is configured.
Status RunningServer::open_sign_in(
    const ServerConfig& config, const Clock& clock, rest::HiveParts& parts) {
    const SignInConfig& settings = config.auth.oidc;
    if (settings.client_id.empty()) return {};
    auto oidc = oidc_config_of(settings, config.http.public_url);
    if (!oidc) return fail(Errc::invalid, "auth.oidc: " + oidc.error().detail);
    auto web = web::curl::CurlClient::open(
        {.ca_file = settings.ca_file ? settings.ca_file->text : std::string{}});
    if (!web) return fail(web.error());
    web_ = std::move(*web);
    parts.more.push_back(
        rest::oidc_routes(std::move(*oidc), {*web_, clock, log_.for_area("sign-in")}));
    return {};
}

Status RunningServer::open_webhooks(const ServerConfig& config, rest::HiveParts& parts) {
    // Room for every endpoint at once: one that hangs takes nobody else's place.
    auto post = web::curl::CurlClient::open(
        {.public_only = true,
         .allowed = config.colony.webhook_allow,
         .under_way = config.colony.webhooks.under_way_max * colony::webhooks::endpoints_max});
    if (!post) return fail(Errc::invalid, "colony.webhooks.allow: " + post.error().detail);
    post_ = std::move(*post);
    rest::offer_webhooks({*outbox_, *post_, config.colony.webhooks}, parts);
    parts.closing.emplace_back([this] { post_->close(post_grace); });
    return {};
}

void RunningServer::reload_certificate() {
    if (!tls_) return;
    if (auto ok = tls_->reload(); !ok) {
        log_.error("the certificate stays as it was", {{"reason", ok.error().detail}});
    } else {
        log_.info("certificate loaded again");
    }
}

bool RunningServer::stop(Duration grace) {
    bool whole = !server_ || server_->shut_down(grace);
    if (files_) files_->sync->stop();
    if (swarms_) swarms_->detach();
    server_.reset();
    swarms_.reset();
    if (database_) {
        if (auto ok = database_->close(store_grace); !ok) {
            log_.error("the store did not close cleanly", {{"reason", ok.error().detail}});
            whole = false;
        }
        database_.reset();
    }
    return whole;
}

RunningServer::~RunningServer() {
    stop(Duration::zero());
}

} // namespace hive::cli
