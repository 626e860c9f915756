#pragma once

#include "api/api.hpp"
#include "api/assets.hpp"
#include "api/cursor.hpp"
#include "api/event_hub.hpp"
#include "api/event_socket.hpp"
#include "api/health.hpp"
#include "api/http/server.hpp"
#include "api/rest/audit_routes.hpp"
#include "api/rest/chores.hpp"
#include "api/rest/gatekeeper.hpp"
#include "api/rest/rates.hpp"
#include "api/rest/session_routes.hpp"
#include "api/rest/transactions.hpp"
#include "api/system_routes.hpp"
#include "kernel/log.hpp"
#include "store/chronicle.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace hive::rest {

struct HiveOptions {
    HiveId hive;
    std::string version;
    http::ServerOptions http{};
    std::string public_url{}; // empty: the address it listens on
    GatePolicy gate{};
    Quotas quotas = default_quotas();
    api::CorsPolicy cors{};
    api::HubLimits events{};
    Duration checkpoint_every = std::chrono::seconds{10}; // while something is recorded
    bool log_access = true;
};

// What the server works with; outlives it.
struct HiveParts {
    store::Database& database;
    const Clock& clock;
    Logger log;
    AuditKey& audit_key;
    // Routes of others, such as signing in with OpenID Connect. Given the server's own parts.
    std::vector<std::function<std::vector<api::Route>(const SessionParts&)>> more{};
    std::vector<api::SnapshotSource> snapshots{};        // of the topics of others
    std::vector<std::function<std::string()>> metrics{}; // families of others
    json::object schemas{};                              // that routes of others refer to
    std::vector<Chore> chores{};
    Outbox* outbox = nullptr; // who is told outside; null: nobody
    // Called when the server stops, after the chores and while the store still takes what they
    // leave.
    std::vector<std::function<void()>> closing{};
    std::vector<std::pair<std::string, api::Health::Check>> health{}; // what must be up besides
    std::span<const api::AssetFile> dashboard{}; // where it has a file, that of ours is not shown
};

// One hive behind one HTTP server: people and keys, what they may do, what happened, and live
// events.
class HiveServer {
public:
    static Result<std::unique_ptr<HiveServer>> start(HiveOptions options, HiveParts parts);
    ~HiveServer(); // shuts down without grace when nobody did before

    const std::vector<std::string>& addresses() const noexcept { return server_->addresses(); }
    const std::string& url() const noexcept { return public_url_; }
    const api::RouteTable& routes() const noexcept { return api_->table(); }
    const std::string& openapi() const noexcept { return *openapi_; }
    api::EventHub& events() noexcept { return hub_; }
    api::Health& health() noexcept { return health_; }
    api::MetricRegistry& metrics() noexcept { return metrics_; }

    // A link that signs its first visitor in as this person; good once, for a quarter of an hour.
    std::string login_link(std::string person, accounts::Role role);

    // Drains: says it is not ready, lets requests finish, tells WebSockets, signs what was
    // recorded. False when something had to be cut.
    bool shut_down(Duration grace);

private:
    HiveServer(HiveOptions options, HiveParts parts, const Secret& server_key);
    Status open();
    std::vector<api::Route> make_routes();
    asio::awaitable<Result<std::string>> describe() const; // the snapshot of the topic `hive`
    void watch_metrics();
    void keep_house(const std::stop_token& stop);
    void feel_pulse();
    void sign_new_entries();
    void purge();

    class AccessLines;
    class Pulse;

    HiveOptions options_;
    HiveParts parts_;
    Logger log_;
    std::string public_url_;
    store::Chronicle chronicle_;
    api::EventHub hub_;
    Transactions transactions_;
    Refusals refusals_;
    Gatekeeper gatekeeper_;
    Rates rates_;
    api::CursorCodec cursors_;
    std::shared_ptr<Pulse> pulse_; // shared with questions under way
    api::Health health_;
    api::MetricRegistry metrics_;
    std::unique_ptr<AccessLines> access_lines_;
    api::OpenApiText openapi_ = std::make_shared<std::string>();
    api::EmbeddedAssets assets_;
    std::unique_ptr<api::Api> api_;
    std::unique_ptr<http::Server> server_;
    Timestamp started_ = parts_.clock.wall();
    bool closed_ = false;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::unique_ptr<Chores> chores_;
    std::jthread housekeeper_; // last: it uses everything above
};

// May this principal hear this topic? By its first word: `task.claimed` needs tasks:read.
bool may_hear(const api::Principal* who, std::string_view topic);

} // namespace hive::rest
