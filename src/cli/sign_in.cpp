#include "cli/sign_in.hpp"

namespace hive::cli {

Result<rest::OidcConfig> oidc_config_of(const SignInConfig& config, const std::string& public_url) {
    rest::OidcConfig out{
        .kind = config.provider == "github" ? rest::OidcKind::github : rest::OidcKind::openid,
        .issuer = config.issuer,
        .client_id = config.client_id,
        .client_secret = config.client_secret,
        .redirect_uri = config.redirect_uri,
        .scope = config.scope};
    if (out.redirect_uri.empty() && !public_url.empty()) {
        out.redirect_uri = public_url + "/auth/callback";
    }
    for (const auto& text : config.roles) {
        auto rule = accounts::parse_role_rule(text);
        if (!rule) return fail(rule.error());
        out.rules.roles.push_back(std::move(*rule));
    }
    if (!config.default_role.empty()) {
        auto role = accounts::parse_role(config.default_role);
        if (!role) return fail(role.error());
        out.rules.otherwise = *role;
    }
    if (!config.github_web.empty()) out.github.web = config.github_web;
    if (!config.github_api.empty()) out.github.api = config.github_api;
    if (auto ok = rest::check(out); !ok) return fail(ok.error());
    return out;
}

} // namespace hive::cli
