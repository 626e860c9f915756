#include "api/rest/oidc_config.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

namespace hive::rest {

Status check(const OidcConfig& config) {
    std::vector<std::string> problems;
    const auto expect = [&](bool fine, const char* sentence) {
        if (!fine) problems.emplace_back(sentence);
    };
    if (config.kind == OidcKind::openid) {
        expect(
            accounts::is_provider_address(config.issuer),
            "the issuer must be an https address (http only on this machine)");
    } else {
        expect(
            accounts::is_provider_address(config.github.web) &&
                accounts::is_provider_address(config.github.api),
            "the addresses of GitHub must be https (http only on this machine)");
        expect(!config.client_secret.empty(), "GitHub needs a client secret");
    }
    expect(!config.client_id.empty(), "the client id is missing");
    expect(
        accounts::is_provider_address(config.redirect_uri) &&
            config.redirect_uri.ends_with("/auth/callback"),
        "the redirect URI must be an https address that ends in /auth/callback (http only on this "
        "machine)");
    expect(
        !config.rules.roles.empty() || config.rules.otherwise.has_value(),
        "without a role rule or a default role nobody could come in");
    if (problems.empty()) return {};
    return fail(Errc::invalid, fmt::format("{}", fmt::join(problems, "; ")));
}

accounts::Client client_of(const OidcConfig& config) {
    accounts::Client client{
        .id = config.client_id,
        .secret = config.client_secret,
        .redirect_uri = config.redirect_uri};
    if (config.kind == OidcKind::github) client.scope = accounts::github_scope;
    if (!config.scope.empty()) client.scope = config.scope;
    return client;
}

} // namespace hive::rest
