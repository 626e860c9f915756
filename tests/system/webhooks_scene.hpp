#pragma once

#include "api/colony/webhook_routes.hpp"
#include "tests/system/colony_scene.hpp"
#include "tests/system/web_server.hpp"
#include "web/curl/curl_client.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::test {

// What arrived at a receiver.
struct Received {
    std::string id; // webhook-id
    std::map<std::string, std::string> headers;
    std::string body;

    std::string type() const;
};

// Somebody's server that is told things. How it answers can be changed while it runs.
class Receiver {
public:
    using Manners = std::function<http::Eventually<http::Response>(const Received&)>;

    Receiver() : Receiver{answering(204)} {}
    explicit Receiver(Manners manners);
    std::string url(const std::string& path = "/hook") const { return server_->url(path); }
    void behave(Manners manners);
    std::vector<Received> received() const;
    std::vector<Received> received(std::string_view type) const;
    // Fails the test when so many of a type do not come.
    std::vector<Received> await(std::string_view type, std::size_t count = 1) const;

    static Manners answering(unsigned status, std::string body = "");

private:
    mutable std::mutex mutex_;
    Manners manners_;
    std::vector<Received> received_;
    std::unique_ptr<WebServer> server_;
};

// A colony that may tell servers on this machine, unless its setting says otherwise.
class WebhooksUnderTest {
public:
    struct Setting {
        colony::webhooks::Policy policy = hasty();
        std::vector<std::string> allow{"127.0.0.1"};
    };
    WebhooksUnderTest() : WebhooksUnderTest{Setting{}} {}
    explicit WebhooksUnderTest(Setting setting);
    ~WebhooksUnderTest();

    static colony::webhooks::Policy hasty(); // retries within moments

    // With `secret`.
    json::value create(const std::string& url, json::object more = {});
    json::value show(const json::value& webhook);
    json::array deliveries(const json::value& webhook, const std::string& query = "");
    // The first delivery of an event, once it is in that state.
    json::value await(const json::value& webhook, const std::string& event, std::string_view state);

    ColonyUnderTest& colony() { return *colony_; }
    ColonyUnderTest::Member admin() { return colony_->admin(); }
    void restart();

private:
    Setting setting_;
    rest::WebhookOutbox outbox_{HiveId::parse("main").value()};
    std::unique_ptr<web::curl::CurlClient> web_;
    std::unique_ptr<ColonyUnderTest> colony_;
};

std::string path_of(const json::value& webhook, std::string_view rest = "");
bool eventually(const std::function<bool()>& true_now);

} // namespace hive::test
