#include "api/rest/hive_server.hpp"

#include "api/event_feed.hpp"
#include "api/event_socket.hpp"
#include "api/rest/key_routes.hpp"
#include "api/rest/schemas.hpp"
#include "api/rest/sign_in_pages.hpp"
#include "api/system_routes.hpp"
#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"
#include "kernel/timestamp.hpp"
#include "store/accounts_tables.hpp"
#include "store/idempotency.hpp"
#include "store/settings.hpp"
#include "store/wait.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace hive::rest {
namespace {

using api::Access;

constexpr Duration tick = std::chrono::seconds{1};
constexpr Duration save_every = std::chrono::seconds{30};
constexpr Duration purge_every = std::chrono::minutes{10};

// Of two files with one path the first is shown.
std::vector<api::AssetFile> pages_with(std::span<const api::AssetFile> dashboard) {
    std::vector<api::AssetFile> files{dashboard.begin(), dashboard.end()};
    const auto own = sign_in_pages();
    files.insert(files.end(), own.begin(), own.end());
    return files;
}

// The same on every server of one hive: cookies and cursors of one are good at the other.
Result<Secret> agreed_server_key(const HiveOptions& options, const HiveParts& parts) {
    std::array<std::uint8_t, 32> bytes{};
    fill_from_entropy(bytes);
    const store::Setting first{"server.key", to_base64(bytes, Base64::url)};
    auto key = store::write_for(parts.database, [&](store::Session& session) {
        return store::setting_or(session, options.hive, first, parts.clock.wall());
    });
    if (!key) return fail(key.error());
    return Secret{*key};
}

// Microseconds: no hive publishes a million events a second for long, so the events of each life
// have higher numbers than those of the one before. Exact in a JavaScript number until 2255.
api::HubLimits beginning_now(api::HubLimits limits, const Clock& clock) {
    const auto since_epoch =
        std::chrono::duration_cast<std::chrono::microseconds>(clock.wall().time_since_epoch());
    limits.first = static_cast<std::uint64_t>(std::max<std::int64_t>(since_epoch.count(), 1));
    return limits;
}

std::optional<api::Area> area_of(std::string_view topic) {
    const std::string_view word = topic.substr(0, topic.find('.'));
    using enum api::Area;
    // Topics are named after one thing, areas after many.
    constexpr std::array<std::pair<std::string_view, api::Area>, 16> areas{
        {{"swarm", swarms},
         {"control", swarms},
         {"scenario", scenarios},
         {"task", tasks},
         {"sync", tasks},
         {"message", channels},
         {"channel", channels},
         {"bee", bees},
         {"approval", approvals},
         {"cost", costs},
         {"budget", costs},
         {"webhook", webhooks},
         {"audit", audit},
         {"key", keys},
         {"auth", keys},
         {"hive", system}}};
    for (const auto& [name, area] : areas) {
        if (name == word) return area;
    }
    return std::nullopt;
}

} // namespace

bool may_hear(const api::Principal* who, std::string_view topic) {
    const auto area = area_of(topic);
    return who != nullptr && area && who->may(*area, api::Level::read);
}

// How the store last answered. Asked once a second beside all requests, so that a probe never
// waits for a store that hangs.
class HiveServer::Pulse {
public:
    Status status() const {
        const std::lock_guard lock{mutex_};
        return last_;
    }
    void beat(Status status) {
        const std::lock_guard lock{mutex_};
        last_ = std::move(status);
        asked_ = false;
    }
    // False: the last question is still open.
    bool ask() {
        const std::lock_guard lock{mutex_};
        if (asked_) last_ = fail(Errc::timeout, "the store has not answered for a while");
        return !std::exchange(asked_, true);
    }

private:
    mutable std::mutex mutex_;
    Status last_{};
    bool asked_ = false;
};

class HiveServer::AccessLines final : public api::AccessLog {
public:
    explicit AccessLines(Logger log) : log_{std::move(log)} {}

    void record(const api::AccessRecord& entry) override {
        const LogLevel level = entry.status >= 500 ? LogLevel::error : LogLevel::info;
        if (!log_.is_on(level)) return;
        log_.log(
            level, "request",
            {{"method", entry.method},
             {"path", entry.path},
             {"status", entry.status},
             {"bytes", entry.body_bytes},
             {"took", entry.took},
             {"peer", entry.peer},
             {"who", entry.principal},
             {"request", entry.request_id},
             {"failure", entry.failure}});
    }

private:
    Logger log_;
};

HiveServer::HiveServer(HiveOptions options, HiveParts parts, const Secret& server_key)
    : options_{std::move(options)}, parts_{std::move(parts)}, log_{parts_.log.for_area("server")},
      chronicle_{parts_.database, options_.hive, fill_from_entropy},
      hub_{beginning_now(options_.events, parts_.clock)},
      transactions_{chronicle_, hub_, parts_.clock, parts_.outbox},
      refusals_{transactions_, parts_.log.for_area("accounts")},
      gatekeeper_{
          {transactions_, refusals_, parts_.log.for_area("accounts")}, options_.gate, server_key},
      rates_{options_.quotas, parts_.clock}, cursors_{std::string{server_key.reveal()}},
      pulse_{std::make_shared<Pulse>()}, assets_{pages_with(parts_.dashboard)} {
    if (options_.log_access) {
        access_lines_ = std::make_unique<AccessLines>(parts_.log.for_area("access"));
    }
}

Result<std::unique_ptr<HiveServer>> HiveServer::start(HiveOptions options, HiveParts parts) {
    auto server_key = agreed_server_key(options, parts);
    if (!server_key) return fail(server_key.error());
    std::unique_ptr<HiveServer> server{
        new HiveServer{std::move(options), std::move(parts), *server_key}};
    if (auto ok = server->open(); !ok) return fail(ok.error());
    return server;
}

Status HiveServer::open() {
    // Links need to know where people reach us, which a chosen port tells only after listening;
    // the routes read it when they are used.
    public_url_ = options_.public_url;
    json::object schemas = component_schemas();
    for (auto& [name, schema] : parts_.schemas) schemas[name] = std::move(schema);
    auto table = api::compile_api(
        {.routes = make_routes(),
         .options = {.schemas = std::move(schemas)},
         .info =
             {.title = "PocketHive",
              .version = options_.version,
              .description = "Swarms, tasks, people and what happened, in one hive."}},
        {health_, metrics_, openapi_});
    if (!table) return fail(table.error());
    api_ = std::make_unique<api::Api>(
        std::move(*table), api::ApiParts{
                               .authenticator = &gatekeeper_,
                               .rate_limiter = &rates_,
                               .assets = &assets_,
                               .access_log = access_lines_.get(),
                               .metrics = &metrics_,
                               .denials = &refusals_,
                               .cors = options_.cors});
    health_.add("store", [pulse = pulse_] { return pulse->status(); });
    for (auto& [name, check] : parts_.health) health_.add(name, std::move(check));
    options_.http.complain = [log = log_](const std::string& what) { log.warn(what); };
    auto started = http::Server::start(options_.http, *api_);
    if (!started) return fail(started.error());
    server_ = std::move(*started);
    if (public_url_.empty()) {
        const bool tls = options_.http.listen.front().tls != nullptr;
        public_url_ = fmt::format("{}://{}", tls ? "https" : "http", addresses().front());
    }
    hub_.serve_on(server_->executors());
    watch_metrics();
    chores_ = std::make_unique<Chores>(transactions_, log_, std::move(parts_.chores));
    housekeeper_ = std::jthread{[this](const std::stop_token& stop) { keep_house(stop); }};
    return {};
}

std::vector<api::Route> HiveServer::make_routes() {
    const SessionParts sessions{
        transactions_,  gatekeeper_,
        public_url_,    cursors_,
        &options_.cors, [this](const http::Request& request) { return api_->answer(request); }};
    std::vector<api::Route> all;
    const auto add = [&](std::vector<api::Route> routes) {
        for (auto& route : routes) all.push_back(std::move(route));
    };
    add(session_routes(sessions));
    add(people_routes(sessions));
    add(device_routes(sessions));
    add(key_routes({transactions_, gatekeeper_, cursors_}));
    add(audit_routes({transactions_, parts_.audit_key, cursors_}));
    for (const auto& more : parts_.more) add(more(sessions));
    std::vector<api::SnapshotSource> snapshots = parts_.snapshots;
    snapshots.push_back({"hive", [this](const api::Identity&) { return describe(); }});
    snapshots.push_back(key_snapshot(transactions_));
    all.push_back(api::event_socket_route(
        {.hub = hub_,
         .origins = options_.cors,
         .own_url = [this] { return std::string_view{public_url_}; },
         .may_hear = may_hear,
         .denials = &refusals_,
         .snapshots = std::move(snapshots)},
        Access::signed_in()));
    all.push_back(api::event_feed_route({.hub = hub_, .may_hear = may_hear}, Access::signed_in()));
    return all;
}

asio::awaitable<Result<std::string>> HiveServer::describe() const {
    co_return to_text(json::object{
        {"hive", options_.hive.text()},
        {"version", options_.version},
        {"startedAt", format_timestamp(started_)},
        {"connections", server_->traffic().open.load(std::memory_order_relaxed)}});
}

void HiveServer::watch_metrics() {
    const auto watch = [&](std::string name, std::string help, const http::Traffic::Count& count) {
        metrics_.observed_counter({std::move(name), std::move(help)}, [&count] {
            return static_cast<double>(count.load(std::memory_order_relaxed));
        });
    };
    const http::Traffic& traffic = server_->traffic();
    watch("hive_http_connections_total", "Connections accepted", traffic.accepted);
    watch("hive_http_received_bytes_total", "Bytes received", traffic.bytes_received);
    watch("hive_http_sent_bytes_total", "Bytes sent", traffic.bytes_sent);
    watch("hive_http_timeouts_total", "Connections ended by a deadline", traffic.timed_out);
    metrics_.observed_gauge({"hive_http_connections_open", "Connections open now"}, [&traffic] {
        return static_cast<double>(traffic.open.load(std::memory_order_relaxed));
    });
    metrics_.observed_counter({"hive_events_total", "Events published since the start"}, [this] {
        return static_cast<double>(hub_.published());
    });
    for (auto& page : parts_.metrics) metrics_.add_page(page);
}

std::string HiveServer::login_link(std::string person, accounts::Role role) {
    const Secret word = gatekeeper_.issue_login_link(
        {.id = std::move(person), .role = role, .scopes = accounts::Scopes::of(role)});
    return rest::login_link(public_url_, word);
}

void HiveServer::keep_house(const std::stop_token& stop) {
    const Clock& clock = parts_.clock;
    TimePoint sign_at = clock.now() + options_.checkpoint_every;
    TimePoint save_at = clock.now() + save_every;
    TimePoint purge_at = clock.now();
    while (!stop.stop_requested()) {
        feel_pulse();
        gatekeeper_.dismiss_ended();
        refusals_.write_due();
        const TimePoint now = clock.now();
        if (now >= sign_at) {
            sign_new_entries();
            sign_at = now + options_.checkpoint_every;
        }
        if (now >= save_at) {
            gatekeeper_.save_last_used();
            save_at = now + save_every;
        }
        if (now >= purge_at) {
            purge();
            purge_at = now + purge_every;
        }
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, tick, [] { return false; });
    }
}

void HiveServer::feel_pulse() {
    if (!pulse_->ask()) return;
    auto taken = parts_.database.read(
        {.work =
             [](store::Session& session) {
                 return session.query("SELECT 1", {}, [](const store::Row&) {});
             },
         .within = std::chrono::seconds{5}},
        [pulse = pulse_](Status ended) { pulse->beat(std::move(ended)); });
    if (!taken) pulse_->beat(std::move(taken));
}

void HiveServer::sign_new_entries() {
    auto taken = make_checkpoint(
        {transactions_, parts_.audit_key, cursors_},
        [log = log_, hub = &hub_](const Result<std::optional<audit::SignedCheckpoint>>& made) {
            if (!made) log.warn("cannot sign a checkpoint", {{"reason", made.error().detail}});
            if (!made || !*made) return;
            hub->publish(
                "audit.checkpoint", to_text(json::object{{"size", (*made)->checkpoint.size}}));
        });
    if (!taken) log_.warn("cannot sign a checkpoint", {{"reason", taken.error().detail}});
}

void HiveServer::purge() {
    const Timestamp now = parts_.clock.wall();
    auto taken = parts_.database.write(
        {.work = [now, hive = options_.hive,
                  policy = options_.gate.sessions](store::Session& session) -> Status {
            auto keys = store::purge_keys(session, now);
            if (!keys) return fail(keys.error());
            auto sessions = store::SessionTable{session, hive}.purge(policy, now);
            return sessions ? Status{} : fail(sessions.error());
        }},
        [log = log_](const Status& ended) {
            if (!ended) log.warn("cannot clear out", {{"reason", ended.error().detail}});
        });
    if (!taken) log_.warn("cannot clear out", {{"reason", taken.error().detail}});
}

bool HiveServer::shut_down(Duration grace) {
    if (closed_ || !server_) return true;
    closed_ = true;
    health_.start_draining();
    housekeeper_.request_stop();
    housekeeper_.join();
    chores_.reset();
    for (const auto& close : parts_.closing) close();
    const bool whole = server_->shut_down(grace);
    hub_.stop_serving();
    gatekeeper_.save_last_used();
    refusals_.write_all();
    sign_new_entries();
    // Units still under way refer to us: the last of them is done when this one is.
    const auto last =
        store::write_and_wait(parts_.database, {.work = [](store::Session&) { return Status{}; }});
    if (!last) log_.warn("the store did not finish", {{"reason", last.error().detail}});
    return whole;
}

HiveServer::~HiveServer() {
    shut_down(Duration::zero());
}

} // namespace hive::rest
