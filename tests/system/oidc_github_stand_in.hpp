#pragma once

#include "api/rest/oidc_config.hpp"
#include "tests/system/oidc_browser.hpp"
#include "tests/system/web_server.hpp"

#include <atomic>
#include <string>

namespace hive::test {

// As GitHub documents its web application flow and the two calls for the person.
class GitHubStandIn {
public:
    rest::OidcConfig config() const; // cat@example.com is a human here, nobody else comes in

    std::atomic<bool> verified{true};
    std::atomic<unsigned> api_status{200};

private:
    static http::Response token(const http::Request& request);
    http::Response answer(const http::Request& request) const;

    WebServer server_{[this](const http::Request& request) { return answer(request); }};
};

// From /auth/login through GitHub's page, where the person approves at once; gives the address to
// which GitHub sends the browser back.
std::string go_to_github_callback(Browser& browser, const std::string& return_to = "/tasks");

} // namespace hive::test
