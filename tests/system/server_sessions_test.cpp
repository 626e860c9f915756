#include "tests/system/server_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

using namespace hive;
using namespace hive::test;

namespace {

std::string link_path(HiveUnderTest& hive, std::string person, accounts::Role role) {
    return hive.server->login_link(std::move(person), role).substr(hive.server->url().size());
}

Browser signed_in(HiveUnderTest& hive, accounts::Role role = accounts::Role::admin) {
    Browser browser{hive};
    REQUIRE(browser.open(link_path(hive, "ann", role)).status == 303);
    return browser;
}

} // namespace

TEST_CASE("a login link signs in once, with a cookie that scripts and other sites cannot use") {
    HiveUnderTest hive;
    const std::string link = link_path(hive, "ann", accounts::Role::admin);
    Browser browser{hive};
    const auto arrived = browser.open(link);
    CHECK(arrived.status == 303);
    CHECK(arrived.headers.at("location") == "/");
    const std::string& cookie = arrived.headers.at("set-cookie");
    CHECK(cookie.find("HttpOnly") != std::string::npos);
    CHECK(cookie.find("SameSite=Lax") != std::string::npos);
    CHECK(parsed(browser.open("/api/v1/me").body).at("id") == "ann");
    const auto again = hive.get(link, "");
    CHECK(again.status == 401);
    CHECK(code_of(again) == "bad-link");
    for (const auto& line : hive.log.lines()) {
        CHECK(line.find(link.substr(link.find('=') + 1)) == std::string::npos);
    }
}

TEST_CASE("a change from a browser needs its CSRF word, and a forged cookie is nobody") {
    HiveUnderTest hive;
    Browser ann = signed_in(hive);
    Browser bob = signed_in(hive);
    const std::string body = R"({"owner":"b","role":"bee"})";
    const auto ask = [&](const std::string& cookie, const std::string& word) {
        return hive.send(
            "POST", "/api/v1/keys", fmt::format("Cookie: {}\r\nX-CSRF-Token: {}\r\n", cookie, word),
            body);
    };
    CHECK(code_of(ask(ann.cookie, "")) == "csrf");
    CHECK(code_of(ask(ann.cookie, bob.csrf())) == "csrf");
    CHECK(ask(ann.cookie, ann.csrf()).status == 201);
    const std::string forged = "hive_session=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    CHECK(code_of(hive.get("/api/v1/me", "Cookie: " + forged + "\r\n")) == "not-signed-in");
    // With an ended session the front page and signing in still work.
    CHECK(hive.get("/", "Cookie: " + forged + "\r\n").status == 200);
    Browser late{hive};
    late.cookie = forged;
    CHECK(late.open(link_path(hive, "eve", accounts::Role::human)).status == 303);
}

TEST_CASE("signing out ends the session at once and for good") {
    HiveUnderTest hive;
    Browser browser = signed_in(hive);
    const std::string cookie = browser.cookie;
    CHECK(browser.send("DELETE", "/api/v1/session").status == 204);
    CHECK(hive.get("/api/v1/me", "Cookie: " + cookie + "\r\n").status == 401);
    hive.restart();
    CHECK(hive.get("/api/v1/me", "Cookie: " + cookie + "\r\n").status == 401);
}

TEST_CASE("an administrator sees who is signed in, and signs them out") {
    HiveUnderTest hive;
    Browser ann = signed_in(hive);
    Browser eve{hive};
    REQUIRE(eve.open(link_path(hive, "eve", accounts::Role::human)).status == 303);
    const auto listed = parsed(ann.open("/api/v1/sessions").body).at("items").as_array();
    REQUIRE(listed.size() == 2);
    const auto of_eve =
        std::ranges::find_if(listed, [](const auto& one) { return one.at("person") == "eve"; });
    REQUIRE(of_eve != listed.end());
    CHECK(of_eve->at("role") == "human");
    const std::string path =
        fmt::format("/api/v1/sessions/{}", std::string{of_eve->at("id").as_string()});
    CHECK(eve.open("/api/v1/sessions").status == 403);
    CHECK(eve.send("DELETE", path).status == 403);
    CHECK(ann.send("DELETE", path).status == 204);
    CHECK(eve.open("/api/v1/me").status == 401);
    CHECK(ann.send("DELETE", path).status == 404);
    CHECK(parsed(ann.open("/api/v1/sessions").body).at("items").as_array().size() == 1);
}

TEST_CASE("who is signed in is read page by page, and somebody on the last page is signed out") {
    HiveUnderTest hive;
    Browser ann = signed_in(hive);
    std::vector<std::string> expected{"ann"};
    for (const char* person : {"bob", "cem", "dan", "eve"}) {
        Browser other{hive};
        REQUIRE(other.open(link_path(hive, person, accounts::Role::human)).status == 303);
        expected.insert(expected.begin(), person);
    }
    std::vector<std::string> seen;
    std::string last;
    for (std::string path = "/api/v1/sessions?limit=2"; !path.empty();) {
        const auto answer = ann.open(path);
        REQUIRE(answer.status == 200);
        const auto page = parsed(answer.body).as_object();
        CHECK(page.at("items").as_array().size() <= 2);
        for (const auto& one : page.at("items").as_array()) {
            seen.emplace_back(one.at("person").as_string());
            last = one.at("id").as_string();
        }
        const auto* next = page.if_contains("next");
        path =
            next == nullptr
                ? std::string{}
                : fmt::format("/api/v1/sessions?limit=2&cursor={}", std::string{next->as_string()});
    }
    CHECK(seen == expected);
    CHECK(ann.open("/api/v1/sessions?cursor=made-up").status == 400);
    CHECK(ann.open("/api/v1/sessions?limit=0").status == 400);
    CHECK(ann.send("DELETE", "/api/v1/sessions/" + last).status == 204); // ann herself
    CHECK(ann.open("/api/v1/me").status == 401);
}

TEST_CASE("sessions outlive the server, and end when they are idle for too long") {
    HiveUnderTest hive{
        {.gate = {
             .sessions = {.idle = std::chrono::milliseconds{1500}},
             .believed = std::chrono::milliseconds{10}}}};
    Browser browser = signed_in(hive);
    hive.restart();
    CHECK(browser.open("/api/v1/me").status == 200);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
    // Each look would count as use once it is written down, which happens every half minute.
    int status = 200;
    while (status == 200 && std::chrono::steady_clock::now() < deadline) {
        std::this_thread::sleep_for(std::chrono::milliseconds{50});
        status = browser.open("/api/v1/me").status;
    }
    CHECK(status == 401);
}

TEST_CASE("guessing links is slowed down, and recorded without a flood") {
    HiveUnderTest hive;
    int refused = 0;
    int throttled = 0;
    for (int i = 0; i < 20; ++i) {
        const auto answer = hive.get(fmt::format("/auth/link?word=guess{}", i), "");
        refused += answer.status == 401 ? 1 : 0;
        if (answer.status == 429) {
            ++throttled;
            CHECK(std::stoi(answer.headers.at("retry-after")) >= 1);
        }
    }
    CHECK(refused >= 5);
    CHECK(throttled >= 10);
    hive.await_audit("auth.failed");
    std::size_t recorded = 0;
    for (const auto& entry : hive.audit_entries())
        recorded += entry.action == "auth.failed" ? 1 : 0;
    CHECK(recorded >= 1);
    CHECK(recorded <= 5);
}

TEST_CASE("an administrator invites people; others cannot") {
    HiveUnderTest hive;
    const std::string body = R"({"person":"bob","role":"human"})";
    const auto invited =
        hive.send("POST", "/api/v1/login-links", hive.key_for(accounts::Role::admin), body);
    REQUIRE(invited.status == 201);
    const std::string url{parsed(invited.body).at("url").as_string()};
    Browser bob{hive};
    CHECK(bob.open(url.substr(hive.server->url().size())).status == 303);
    CHECK(parsed(bob.open("/api/v1/me").body).at("role") == "human");
    CHECK(bob.send("POST", "/api/v1/login-links", body).status == 403);
}

TEST_CASE("a program without a browser gets a key once its person has typed the code") {
    HiveUnderTest hive;
    Browser ann = signed_in(hive, accounts::Role::human);
    const auto begun = parsed(hive.send("POST", "/api/v1/login/device", "").body);
    const std::string poll =
        to_text(json::object{{"deviceCode", begun.at("deviceCode").as_string()}});
    const auto ask = [&] { return hive.send("POST", "/api/v1/login/device/token", "", poll); };
    CHECK(begun.at("verificationUri").as_string().ends_with("/device"));
    CHECK(code_of(ask()) == "authorization-pending");
    CHECK(code_of(ask()) == "slow-down");
    const std::string code{begun.at("userCode").as_string()};
    CHECK(
        ann.send(
               "POST", "/api/v1/login/device/answer",
               fmt::format(R"({{"userCode":"{}","approve":true}})", code))
            .status == 204);
    const auto minted = ask();
    REQUIRE(minted.status == 201);
    const std::string key = HiveUnderTest::bearer(parsed(minted.body).at("key").as_string());
    const auto me = parsed(hive.get("/api/v1/me", key).body);
    CHECK(me.at("id") == "ann");
    CHECK(me.at("role") == "human");
    CHECK(code_of(ask()) == "expired-token");
}

TEST_CASE("a refused program is told so; a wrong code is not found; a bee may not approve") {
    HiveUnderTest hive;
    Browser ann = signed_in(hive, accounts::Role::human);
    const auto begun = parsed(hive.send("POST", "/api/v1/login/device", "").body);
    const std::string answer = fmt::format(
        R"({{"userCode":"{}","approve":false}})", begun.at("userCode").as_string().c_str());
    CHECK(
        hive.send("POST", "/api/v1/login/device/answer", hive.key_for(accounts::Role::bee), answer)
            .status == 403);
    CHECK(ann.send("POST", "/api/v1/login/device/answer", answer).status == 204);
    const std::string poll =
        to_text(json::object{{"deviceCode", begun.at("deviceCode").as_string()}});
    CHECK(code_of(hive.send("POST", "/api/v1/login/device/token", "", poll)) == "access-denied");
    CHECK(
        ann.send(
               "POST", "/api/v1/login/device/answer", R"({"userCode":"BBBB-BBBB","approve":true})")
            .status == 404);
}
