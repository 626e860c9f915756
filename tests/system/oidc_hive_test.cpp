#include "api/rest/hive_server.hpp"
#include "api/rest/oidc_routes.hpp"
#include "kernel/log_capture.hpp"
#include "store/migration.hpp"
#include "store/sqlite/open.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/system/oidc_github_stand_in.hpp"
#include "tests/system/oidc_scene.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <thread>

using namespace hive;
using namespace hive::test;

namespace {

// A whole hive on SQLite whose people come from GitHub.
class HiveWithSignIn {
public:
    HiveWithSignIn() {
        auto config = github.config();
        config.rules.roles.front().role = accounts::Role::admin;
        auto started = rest::HiveServer::start(
            {.hive = HiveId::parse("main").value(),
             .version = "1",
             .http = {.listen = {{.address = "127.0.0.1:0"}}, .threads = 2},
             .public_url = public_site},
            {.database = *database_,
             .clock = clock_,
             .log = log_,
             .audit_key = audit_key_,
             .more = {rest::oidc_routes(config, {*web_, clock_, log_})}});
        REQUIRE_MESSAGE(started, started.error().detail);
        server_ = std::move(*started);
    }

    Browser browser() { return {*web_, "http://" + server_->addresses().front()}; }

    GitHubStandIn github;
    LogCapture log_lines;

private:
    std::unique_ptr<store::Database> open_database() const {
        auto opened = store::sqlite::open({.directory = directory_.path()});
        REQUIRE(opened);
        REQUIRE(store::migrate(**opened));
        return std::move(*opened);
    }

    tests::ScratchDirectory directory_;
    SystemClock clock_;
    LogLevels levels_;
    Logger log_{log_lines, clock_, levels_, "test"};
    std::unique_ptr<store::Database> database_ = open_database();
    rest::AuditKey audit_key_{"hive.example/main", SigningKey::from_seed({7})};
    std::unique_ptr<web::curl::CurlClient> web_ = web::curl::CurlClient::open({}).value();
    std::unique_ptr<rest::HiveServer> server_;
};

// Refusals are written down beside the request, so they may take a moment to be on record.
bool comes_up(Browser& reader, std::string_view text) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    while (std::chrono::steady_clock::now() < deadline) {
        const auto audit = reader.get(public_site + "/api/v1/audit").body;
        if (audit.find(text) != std::string::npos) return true;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return false;
}

} // namespace

TEST_CASE("who signs in through a provider has a session here, and it is on record") {
    HiveWithSignIn hive;
    auto browser = hive.browser();
    CHECK(browser.get(public_site + "/api/v1/me").status == 401);
    const auto arrived = browser.get(go_to_github_callback(browser));
    CHECK(browser.next(arrived) == public_site + "/tasks");
    const auto me = browser.get(public_site + "/api/v1/me");
    CHECK(me.body.find(R"("id":"cat@example.com","role":"admin")") != std::string::npos);
    const auto audit = browser.get(public_site + "/api/v1/audit").body;
    CHECK(audit.find("auth.signed-in") != std::string::npos);
    CHECK(audit.find("cat@example.com") != std::string::npos);
    for (const char* secret : {"gho_", "state=", "code=", "hive_login"}) {
        CHECK_FALSE(hive.log_lines.contains(secret));
    }
}

TEST_CASE("failed logins are recorded and followed by growing pauses; outages are not") {
    HiveWithSignIn hive;
    auto good = hive.browser();
    REQUIRE(good.get(go_to_github_callback(good)).status == 303);
    auto browser = hive.browser();
    hive.github.api_status = 502;
    for (int i = 0; i < 8; ++i) {
        CHECK(
            verdict(browser.get(go_to_github_callback(browser))) ==
            "503 identity-provider-unavailable");
    }
    CHECK(hive.log_lines.contains("the identity provider cannot be used"));
    int refused = 0;
    while (refused < 20 &&
           browser.get(public_site + "/auth/callback?state=made-up").status == 403) {
        ++refused;
    }
    CHECK(refused >= 5);
    CHECK(refused < 10);
    const auto paused = browser.get(public_site + "/auth/login");
    CHECK(verdict(paused) == "429 too-many-failures");
    CHECK_FALSE(header_of(paused, "retry-after").empty());
    CHECK(comes_up(good, "auth.failed"));
}
