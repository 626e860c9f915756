#include "tests/system/oidc_github_stand_in.hpp"

#include "api/parameter.hpp"
#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"

#include <fmt/format.h>

#include <map>
#include <stdexcept>

namespace hive::test {
namespace {

constexpr std::string_view access_token = "gho_16C7e42F292c6912E7710c838347Ae178B4a";

std::map<std::string, std::string> fields_of(std::string_view form) {
    std::map<std::string, std::string> fields;
    while (!form.empty()) {
        const std::string_view pair = form.substr(0, form.find('&'));
        fields[std::string{pair.substr(0, pair.find('='))}] =
            api::decode_query_text(pair.substr(pair.find('=') + 1)).value();
        form.remove_prefix(std::min(pair.size() + 1, form.size()));
    }
    return fields;
}

http::Response json_answer(std::string body, unsigned status = 200) {
    return {.status = status, .content_type = "application/json", .body = std::move(body)};
}

} // namespace

rest::OidcConfig GitHubStandIn::config() const {
    const std::string address = server_.url("");
    return {
        .kind = rest::OidcKind::github,
        .client_id = "Iv1.hive",
        .client_secret = Secret{"word"},
        .redirect_uri = public_site + "/auth/callback",
        .rules =
            {.roles = {*accounts::parse_role_rule("email:cat@example.com=human")}, .otherwise = {}},
        .github = {.web = address, .api = address}};
}

http::Response GitHubStandIn::token(const http::Request& request) {
    const auto fields = fields_of(request.body);
    const std::string challenge =
        to_base64(sha256(bytes_of(fields.at("code_verifier"))), Base64::url);
    // GitHub's errors come with status 200.
    if (fields.at("client_secret") != "word" || fields.at("code") != challenge) {
        return json_answer(
            R"({"error":"bad_verification_code","error_description":"The code passed is )"
            R"(incorrect or expired.","error_uri":"https://docs.example"})");
    }
    return json_answer(fmt::format(
        R"({{"access_token":"{}","scope":"read:user,user:email","token_type":"bearer"}})",
        access_token));
}

http::Response GitHubStandIn::answer(const http::Request& request) const {
    if (request.path == "/login/oauth/access_token") return token(request);
    if (request.header("Authorization") != fmt::format("Bearer {}", access_token) ||
        !request.header("User-Agent")) {
        return json_answer(R"({"message":"Bad credentials"})", 401);
    }
    if (api_status != 200) return json_answer(R"({"message":"..."})", api_status);
    if (request.path == "/user") {
        return json_answer(
            R"({"login":"octocat","id":583231,"type":"User","email":"public@example.com"})");
    }
    if (request.path != "/user/emails") return json_answer(R"({"message":"Not Found"})", 404);
    return json_answer(fmt::format(
        R"([{{"email":"cat@example.com","primary":true,"verified":{},"visibility":"private"}}])",
        verified.load()));
}

std::string go_to_github_callback(Browser& browser, const std::string& return_to) {
    const std::string url =
        browser.next(browser.get(public_site + "/auth/login?return_to=" + return_to));
    const auto fields = fields_of(std::string_view{url}.substr(url.find('?') + 1));
    if (url.find("/login/oauth/authorize?") == std::string::npos ||
        fields.at("client_id") != "Iv1.hive" || fields.at("scope") != "read:user user:email") {
        throw std::runtime_error{"GitHub would refuse " + url};
    }
    // The code is the challenge, so that the exchange can be checked without a memory.
    return fmt::format(
        "{}?code={}&state={}", fields.at("redirect_uri"), fields.at("code_challenge"),
        fields.at("state"));
}

} // namespace hive::test
