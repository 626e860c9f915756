#include "tests/system/oidc_provider.hpp"

#include "tests/support/places.hpp"

#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace hive::test {
namespace {

using namespace std::chrono_literals;

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
}

} // namespace

ProviderProcess::ProviderProcess() {
    const std::string log = (directory_.path() / "log").string();
    process_.reset(::popen(
        fmt::format(
            "exec node '{}/tests/system/oidc_provider.mjs' '{}' '{}/auth/callback' > '{}' 2>&1",
            hive::tests::in_source(""), hive::tests::in_build("npm-system/node_modules"),
            public_site, log)
            .c_str(),
        "w"));
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (issuer_.empty()) {
        if (std::chrono::steady_clock::now() > deadline) {
            throw std::runtime_error{"the provider did not start: " + text_of(log)};
        }
        std::this_thread::sleep_for(10ms);
        const std::string said = text_of(log);
        const std::size_t ready = said.find("ready ");
        if (ready == said.npos || said.find('\n', ready) == said.npos) continue;
        issuer_ = said.substr(ready + 6, said.find('\n', ready) - ready - 6);
    }
}

std::unique_ptr<ProviderProcess>& ProviderUnderTest::process() {
    static std::unique_ptr<ProviderProcess> running;
    return running;
}

ProviderUnderTest::ProviderUnderTest() {
    if (!process()) process() = std::make_unique<ProviderProcess>();
    issuer_ = process()->issuer();
    control("reset");
}

rest::OidcConfig ProviderUnderTest::config() const {
    return {
        .issuer = issuer_,
        .client_id = "hive",
        .client_secret = Secret{"the word & more"},
        .redirect_uri = public_site + "/auth/callback",
        .rules =
            {.roles =
                 {*accounts::parse_role_rule("group:ops=admin"),
                  *accounts::parse_role_rule("email:bob@example.com=readonly")},
             .otherwise = {}},
        .ask_again_after = Duration::zero()};
}

std::string ProviderUnderTest::control(const std::string& query) const {
    const auto client = web::curl::CurlClient::open({}).value();
    return web::send_and_wait(*client, {.url = issuer_ + "/control?" + query}).value().body;
}

std::string go_to_callback(Browser& browser, const std::string& person, Consent consent) {
    auto answer = browser.get(public_site + "/auth/login?return_to=%2Ftasks%3Fopen%3D1");
    for (int step = 0; step < 20; ++step) {
        if (const std::string next = browser.next(answer); !next.empty()) {
            if (next.starts_with(public_site + "/auth/callback")) return next;
            answer = browser.get(next);
        } else if (answer.body.find("value=\"login\"") != std::string::npos) {
            answer = browser.post(browser.at(), "prompt=login&password=x&login=" + person);
        } else if (answer.body.find("value=\"consent\"") != std::string::npos) {
            answer = consent == Consent::given ? browser.post(browser.at(), "prompt=consent")
                                               : browser.get(browser.at() + "/abort");
        } else {
            break;
        }
    }
    throw std::runtime_error{
        fmt::format("lost at {}: {} {}", browser.at(), answer.status, answer.body)};
}

} // namespace hive::test
