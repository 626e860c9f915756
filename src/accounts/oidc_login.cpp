#include "accounts/oidc_login.hpp"

#include "accounts/claims.hpp"
#include "kernel/encoding.hpp"
#include "kernel/json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

namespace hive::accounts {
namespace {

constexpr Duration login_time = std::chrono::minutes{10};

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string out;
    for (const char c : text) {
        if (plain.find(c) != plain.npos) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

std::string form(std::initializer_list<std::pair<std::string_view, std::string_view>> fields) {
    std::string out;
    for (const auto& [name, value] : fields) {
        if (!out.empty()) out += '&';
        out += fmt::format("{}={}", name, percent_encoded(value));
    }
    return out;
}

bool is_local_http(std::string_view url) {
    for (const std::string_view host : {"http://127.0.0.1", "http://localhost", "http://[::1]"}) {
        // Not just the beginning of a longer name.
        const std::string_view rest = url.substr(std::min(host.size(), url.size()));
        if (!url.starts_with(host)) continue;
        return rest.empty() || rest.front() == ':' || rest.front() == '/';
    }
    return false;
}

bool is_address(std::string_view url, bool allow_http) {
    return is_provider_address(url) && (allow_http || url.starts_with("https://"));
}

// `/tasks?x=1`, but not `//evil.example` or `/\evil.example`, which browsers read as another site.
bool is_own_path(std::string_view path) {
    if (path.empty() || path.front() != '/' || path.size() > 2048) return false;
    if (path.size() > 1 && (path[1] == '/' || path[1] == '\\')) return false;
    return std::ranges::all_of(path, [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string part(const LoginEntropy& entropy, std::size_t index) {
    return to_base64(ByteView{entropy}.subspan(index * 32, 32), Base64::url);
}

} // namespace

// Control characters in an address would end up in a header.
bool is_provider_address(std::string_view url) {
    const bool clean = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f'; });
    return clean && (url.starts_with("https://") || is_local_http(url));
}

Result<Provider> parse_provider(std::string_view document, std::string_view expected_issuer) {
    const auto value = parse_json(document, {.bytes = 256 * 1024, .depth = 16});
    if (!value) return fail(value.error());
    if (!value->is_object())
        return fail(Errc::invalid, "the provider's description is not an object");
    const auto& object = value->get_object();
    Provider provider{
        .issuer = text_at(object, "issuer"),
        .authorization_endpoint = text_at(object, "authorization_endpoint"),
        .token_endpoint = text_at(object, "token_endpoint"),
        .keys_uri = text_at(object, "jwks_uri"),
        .device_endpoint = text_at(object, "device_authorization_endpoint"),
        .userinfo_endpoint = text_at(object, "userinfo_endpoint")};
    // Left out, it means client_secret_basic alone (OpenID Connect Discovery, 3).
    const auto ways = texts_at(object, "token_endpoint_auth_methods_supported");
    provider.secret_in_form = std::ranges::find(ways, "client_secret_post") != ways.end();
    if (provider.issuer != expected_issuer) {
        return fail(
            Errc::invalid, fmt::format(
                               "the provider calls itself '{}'; configured is '{}'",
                               provider.issuer.substr(0, 200), expected_issuer));
    }
    const bool local = is_local_http(provider.issuer);
    for (const auto& [name, url] :
         {std::pair{"authorization_endpoint", &provider.authorization_endpoint},
          std::pair{"token_endpoint", &provider.token_endpoint},
          std::pair{"jwks_uri", &provider.keys_uri}}) {
        if (!is_address(*url, local)) {
            return fail(
                Errc::invalid, fmt::format("the provider's {} is not an https address", name));
        }
    }
    for (const auto& [name, url] :
         {std::pair{"device_authorization_endpoint", &provider.device_endpoint},
          std::pair{"userinfo_endpoint", &provider.userinfo_endpoint}}) {
        if (!url->empty() && !is_address(*url, local)) {
            return fail(
                Errc::invalid, fmt::format("the provider's {} is not an https address", name));
        }
    }
    return provider;
}

Result<LoginStart> PendingLogins::begin(
    const SignIn& at, std::string_view return_to, const LoginEntropy& entropy, TimePoint now) {
    if (!is_own_path(return_to)) {
        return fail(Errc::invalid, "return_to must be a path of this server, like /tasks");
    }
    std::erase_if(pending_, [&](const auto& entry) { return entry.second.ends <= now; });
    if (pending_.size() >= pending_max) {
        return fail(Errc::limit, "too many logins are under way; try again in a minute");
    }
    LoginStart start{.state = part(entropy, 0), .url = {}};
    PendingLogin login{
        .nonce = part(entropy, 1),
        .verifier = Secret{part(entropy, 2)},
        .return_to = std::string{return_to},
        .ends = now + login_time};
    const std::string challenge = to_base64(sha256(bytes_of(login.verifier.reveal())), Base64::url);
    const auto& endpoint = at.provider.authorization_endpoint;
    start.url = fmt::format(
        "{}{}{}", endpoint, endpoint.find('?') == std::string::npos ? '?' : '&',
        form({
            {"response_type", "code"},
            {"client_id", at.client.id},
            {"redirect_uri", at.client.redirect_uri},
            {"scope", at.client.scope},
            {"state", start.state},
            {"nonce", login.nonce},
            {"code_challenge", challenge},
            {"code_challenge_method", "S256"},
        }));
    pending_.emplace(start.state, std::move(login));
    return start;
}

void PendingLogins::bind(std::string_view state, const Digest& browser) {
    const auto found = pending_.find(state);
    if (found != pending_.end()) found->second.browser = browser;
}

Result<PendingLogin> PendingLogins::finish(std::string_view state, TimePoint now) {
    const auto found = pending_.find(state);
    if (found == pending_.end()) {
        return fail(
            Errc::denied, "this login was not begun here or is used already; sign in again");
    }
    PendingLogin login = std::move(found->second);
    pending_.erase(found);
    if (login.ends <= now) return fail(Errc::denied, "this login took too long; sign in again");
    return login;
}

Secret code_exchange_form(std::string_view code, const PendingLogin& login, const Client& client) {
    std::string body = form({
        {"grant_type", "authorization_code"},
        {"code", code},
        {"redirect_uri", client.redirect_uri},
        {"client_id", client.id},
        {"code_verifier", login.verifier.reveal()},
    });
    if (!client.secret.empty()) {
        body += fmt::format("&client_secret={}", percent_encoded(client.secret.reveal()));
    }
    return Secret{body};
}

Secret basic_authorization(const Client& client) {
    // Both are form-encoded before they are joined (RFC 6749, 2.3.1).
    const std::string pair =
        fmt::format("{}:{}", percent_encoded(client.id), percent_encoded(client.secret.reveal()));
    return Secret{"Basic " + to_base64(bytes_of(pair))};
}

Result<Tokens> tokens_in(std::string_view answer) {
    const auto value = parse_json(answer, {.bytes = 64 * 1024, .depth = 8});
    if (!value || !value->is_object()) {
        return fail(Errc::unavailable, "the identity provider's answer is not JSON");
    }
    const auto& object = value->get_object();
    Tokens tokens{Secret{text_at(object, "id_token")}, Secret{text_at(object, "access_token")}};
    if (!tokens.id.empty() || !tokens.access.empty()) return tokens;
    return fail(
        Errc::denied, fmt::format(
                          "the identity provider refused the login: {} {}",
                          text_at(object, "error").substr(0, 80),
                          text_at(object, "error_description").substr(0, 200)));
}

Result<Secret> id_token_in(std::string_view answer) {
    auto tokens = tokens_in(answer);
    if (!tokens) return fail(std::move(tokens.error()));
    if (tokens->id.empty()) {
        return fail(Errc::denied, "the identity provider gave no ID token; is `openid` in scope?");
    }
    return std::move(tokens->id);
}

} // namespace hive::accounts
