#pragma once

#include "api/api.hpp"
#include "api/http/server.hpp"
#include "api/rest/oidc_sign_in.hpp"
#include "api/system_routes.hpp"
#include "tests/system/oidc_browser.hpp"
#include "web/curl/curl_client.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::test {

// The machine's clocks, put forward or back.
class ShiftedClock final : public Clock {
public:
    TimePoint now() const override { return system_.now() + steady.load(); }
    Timestamp wall() const override { return system_.wall() + of_day.load(); }
    std::atomic<Duration> steady{Duration{0}};
    std::atomic<Duration> of_day{Duration{0}};

private:
    SystemClock system_;
};

// A server with the routes of signing in and nothing else; remembers who came in and who did not.
class SignInUnderTest {
public:
    explicit SignInUnderTest(rest::OidcConfig config);
    ~SignInUnderTest();

    Browser browser() { return {*web, "http://" + server_->addresses().front()}; }
    std::vector<rest::SignedIn> signed_in() const;
    std::vector<std::string> failures() const;
    std::string openapi() const { return *openapi_; }

    ShiftedClock clock;
    std::unique_ptr<web::curl::CurlClient> web;
    std::optional<api::Problem> closed_door; // what `admit` says

private:
    http::asio::awaitable<http::Response> welcome(api::Call call, rest::SignedIn who);
    http::asio::awaitable<void> remember(api::Call call, rest::SignInFailure failure);

    mutable std::mutex mutex_;
    std::vector<rest::SignedIn> signed_in_;
    std::vector<std::string> failures_;
    api::MetricRegistry metrics_;
    api::Health health_;
    api::OpenApiText openapi_ = std::make_shared<std::string>();
    std::unique_ptr<api::Api> api_;
    std::unique_ptr<http::Server> server_;
};

// What a problem document says, as `403 login-refused`.
std::string verdict(const web::Answer& answer);
std::string detail(const web::Answer& answer);

} // namespace hive::test
