#pragma once

#include "api/api.hpp"
#include "api/event_feed.hpp"
#include "api/event_hub.hpp"
#include "api/event_socket.hpp"
#include "api/http/server.hpp"
#include "api/system_routes.hpp"
#include "tests/system/http_client.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::test {

// Knows a handful of keys. `later-…` keys are looked up by a coroutine, as a store would.
class KeyRing final : public api::Authenticator {
public:
    void add(std::string key, api::Principal principal);
    http::Eventually<api::Authentication>
    authenticate(const api::Credentials& credentials, const http::Request& request) override;

private:
    api::Authentication look_up(std::string_view key) const;
    http::asio::awaitable<api::Authentication> look_up_later(std::string key) const;
    std::map<std::string, api::Identity, std::less<>> keys_;
};

// Allows a number of requests of class `few`, and any number of others.
class FewRequests final : public api::RateLimiter {
public:
    api::RateVerdict
    take(const api::Route& route, const api::Principal* who, const http::Peer& peer) override;

private:
    std::atomic<std::uint64_t> taken_{0};
};

class RecordedAccess final : public api::AccessLog {
public:
    void record(const api::AccessRecord& entry) override;
    std::vector<std::string> lines() const; // `GET /path 200 principal`

private:
    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

// A whole API on a real socket: items with revisions, everything the conventions need, and events.
class ApiUnderTest {
public:
    explicit ApiUnderTest(ws::SessionLimits limits = {}, api::HubLimits hub_limits = {});
    ~ApiUnderTest();

    const std::string& address() const { return server->addresses().front(); }
    Client connect() const { return Client::tcp(address()); }

    KeyRing keys;
    FewRequests rates;
    RecordedAccess access;
    api::MetricRegistry metrics;
    api::Health health;
    api::EventHub hub;
    std::atomic<int> created{0};
    std::unique_ptr<api::EmbeddedAssets> assets;
    std::unique_ptr<api::Api> api;
    std::unique_ptr<http::Server> server;

private:
    std::vector<api::Route> routes(ws::SessionLimits limits);
    void add_event_routes(std::vector<api::Route>& all, ws::SessionLimits limits);
};

} // namespace hive::test
