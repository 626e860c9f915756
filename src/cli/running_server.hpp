#pragma once

#include "api/colony/webhook_outbox.hpp"
#include "api/colony/workplace.hpp"
#include "api/rest/hive_server.hpp"
#include "cli/running_files.hpp"
#include "cli/running_swarms.hpp"
#include "cli/server_config.hpp"
#include "colony/tasks/zoneinfo/zoneinfo.hpp"
#include "kernel/log.hpp"
#include "scenario/shelf.hpp"
#include "web/curl/curl_client.hpp"

#include <memory>

namespace hive::cli {

// A hive server and everything it stands on, put together from the settings.
class RunningServer {
public:
    static Result<std::unique_ptr<RunningServer>>
    start(const ServerConfig& config, const Clock& clock, const Logger& log);
    ~RunningServer();

    rest::HiveServer& hive() noexcept { return *server_; }
    void reload_certificate(); // a bad one is logged and the old one stays
    bool stop(Duration grace);

private:
    explicit RunningServer(const Logger& log) : log_{log} {}
    Status open_sign_in(const ServerConfig& config, const Clock& clock, rest::HiveParts& parts);
    Status open_webhooks(const ServerConfig& config, rest::HiveParts& parts);

    Logger log_;
    std::shared_ptr<http::TlsContext> tls_;
    std::unique_ptr<store::Database> database_;
    std::unique_ptr<rest::AuditKey> audit_key_;
    std::unique_ptr<web::curl::CurlClient> web_;
    std::unique_ptr<scenario::Shelf> scenarios_;
    std::unique_ptr<rest::WebhookOutbox> outbox_;
    std::unique_ptr<web::curl::CurlClient> post_; // to webhooks
    std::unique_ptr<RunningSwarms> swarms_;
    colony::tasks::zoneinfo::ZoneInfo zones_;
    rest::ColonyParts colony_;
    std::unique_ptr<RunningFiles> files_;      // none: no directory is kept in step
    std::unique_ptr<rest::HiveServer> server_; // uses everything above
};

} // namespace hive::cli
