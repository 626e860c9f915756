#include "api/rest/oidc_sign_in.hpp"

#include "api/rest/oidc_ask.hpp"
#include "api/rest/oidc_browser.hpp"
#include "api/rest/oidc_github.hpp"
#include "api/rest/oidc_openid.hpp"
#include "kernel/encoding.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace hive::rest {
namespace {

namespace asio = http::asio;

constexpr std::string_view browser_cookie = "hive_login";
constexpr std::size_t browser_bytes = 32;
constexpr int retry_sec = 5;

std::unique_ptr<IdentityProvider> make_provider(const OidcConfig& config, const OidcParts& parts) {
    if (config.kind == OidcKind::github) {
        return std::make_unique<GitHubProvider>(config, parts.web);
    }
    return std::make_unique<OpenIdProvider>(config, parts.web, parts.clock);
}

Digest hash_of(std::string_view browser) {
    return sha256(bytes_of(browser));
}

api::Problem provider_away() {
    api::Problem problem{
        .status = 503,
        .code = "identity-provider-unavailable",
        .detail = "the identity provider does not answer as it should; try again in a moment",
        .retryable = true};
    problem.headers.add("Retry-After", std::to_string(retry_sec));
    return problem;
}

} // namespace

OidcSignIn::OidcSignIn(OidcConfig config, OidcParts parts)
    : config_{std::move(config)}, parts_{std::move(parts)}, client_{client_of(config_)},
      provider_{make_provider(config_, parts_)} {
    assert(check(config_));
    assert(parts_.on_signed_in);
}

asio::awaitable<http::Response> OidcSignIn::begin(api::Call call) {
    if (auto wait = parts_.admit ? parts_.admit(call) : std::nullopt)
        co_return explain(call, *wait);
    auto provider = co_await provider_->describe();
    if (!provider) co_return co_await refuse(call, failure_of(provider.error()));
    const std::string browser = browser_of(call);
    accounts::LoginEntropy entropy{};
    parts_.entropy(entropy);
    const accounts::SignIn at{*std::move(provider), client_};
    Result<accounts::LoginStart> start;
    {
        const std::lock_guard lock{mutex_};
        start = pending_.begin(at, *call.text("return_to"), entropy, parts_.clock.now());
        if (start) pending_.bind(start->state, hash_of(browser));
    }
    if (!start) co_return explain(call, api::problem_of(start.error()));
    co_return redirect(call, start->url, browser);
}

// One word per browser, so that logins in several tabs do not disturb each other.
std::string OidcSignIn::browser_of(const api::Call& call) const {
    const std::string_view known = cookie_of(call.request(), browser_cookie);
    const auto bytes = from_base64(known, Base64::url);
    if (bytes && bytes->size() == browser_bytes) return std::string{known};
    std::array<std::uint8_t, browser_bytes> fresh{};
    parts_.entropy(fresh);
    return to_base64(fresh, Base64::url);
}

http::Response OidcSignIn::redirect(
    const api::Call& call, const std::string& url, const std::string& browser) const {
    const bool secure = call.request().peer->secure || config_.redirect_uri.starts_with("https:");
    http::Response response{.status = 302};
    response.headers.add("Location", url);
    // Lax: it has to come along when the provider sends the browser back.
    response.headers.add(
        "Set-Cookie", fmt::format(
                          "{}={}; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax{}",
                          browser_cookie, browser, secure ? "; Secure" : ""));
    keep_private(response);
    return response;
}

asio::awaitable<http::Response> OidcSignIn::finish(api::Call call) {
    if (auto wait = parts_.admit ? parts_.admit(call) : std::nullopt)
        co_return explain(call, *wait);
    auto signed_in = co_await sign_in(call);
    if (!signed_in) co_return co_await refuse(call, std::move(signed_in.error()));
    auto response = co_await parts_.on_signed_in(call, std::move(*signed_in));
    keep_private(response);
    co_return response;
}

asio::awaitable<http::Response> OidcSignIn::refuse(api::Call call, Failure failure) {
    if (parts_.on_failed) co_await parts_.on_failed(call, failure.told);
    co_return explain(call, failure.problem);
}

// The login this callback belongs to; used up by that, whatever comes of it.
OidcSignIn::Outcome<accounts::PendingLogin> OidcSignIn::resume(const api::Call& call) {
    const std::string_view browser = cookie_of(call.request(), browser_cookie);
    Result<accounts::PendingLogin> login;
    {
        const std::lock_guard lock{mutex_};
        login = pending_.finish(*call.text("state"), parts_.clock.now());
    }
    if (!login) return tl::unexpected{refused("login-unknown", login.error().detail)};
    if (login->browser != hash_of(browser)) {
        return tl::unexpected{
            refused("login-unknown", "this login was begun in another browser; sign in again")};
    }
    return *std::move(login);
}

asio::awaitable<OidcSignIn::Outcome<SignedIn>> OidcSignIn::sign_in(api::Call call) {
    auto login = resume(call);
    if (!login) co_return tl::unexpected{std::move(login.error())};
    if (const auto issuer = call.text("iss"); issuer && !provider_->is_issuer(*issuer)) {
        co_return tl::unexpected{
            refused("login-refused", "the answer is from another identity provider")};
    }
    if (const auto error = call.text("error")) {
        co_return tl::unexpected{refusal_of(*error, call.text("error_description").value_or(""))};
    }
    const auto code = call.text("code");
    if (!code || code->empty()) {
        co_return tl::unexpected{failure_of({Errc::denied, "the answer holds no code"})};
    }
    auto tokens = co_await exchange(std::string{*code}, *login);
    if (!tokens) co_return tl::unexpected{failure_of(tokens.error())};
    const auto identity = co_await provider_->identify(std::move(*tokens), login->nonce);
    if (!identity) co_return tl::unexpected{failure_of(identity.error())};
    co_return admit(*identity, *login);
}

asio::awaitable<Result<accounts::Tokens>>
OidcSignIn::exchange(std::string code, accounts::PendingLogin login) {
    const auto provider = co_await provider_->describe();
    if (!provider) co_return fail(provider.error());
    web::Request request{
        .method = "POST",
        .url = provider->token_endpoint,
        .headers =
            {{"Content-Type", "application/x-www-form-urlencoded"}, {"Accept", "application/json"}},
        .within = config_.answer_within};
    accounts::Client as = client_;
    if (!client_.secret.empty() && !provider->secret_in_form) {
        as.secret = Secret{};
        request.headers.push_back(
            {"Authorization", std::string{accounts::basic_authorization(client_).reveal()}});
    }
    request.body = accounts::code_exchange_form(code, login, as).reveal();
    const auto answer = co_await ask(&parts_.web, std::move(request));
    if (!answer) co_return fail(answer.error());
    if (answer->status >= 500 || answer->status == 429) {
        co_return fail(
            Errc::unavailable,
            fmt::format("the token endpoint answered with status {}", answer->status));
    }
    co_return accounts::tokens_in(answer->body);
}

OidcSignIn::Outcome<SignedIn>
OidcSignIn::admit(const accounts::Identity& identity, const accounts::PendingLogin& login) const {
    const auto person = accounts::person_of(identity, provider_->name());
    if (!person) return tl::unexpected{failure_of(person.error())};
    const auto role = accounts::role_for(identity, config_.rules);
    if (!role) {
        auto failure = refused(
            "no-role",
            fmt::format(
                "{} has no role in this hive; ask an administrator to add a rule", *person));
        failure.told.reason = fmt::format("{} fits no role rule", *person);
        return tl::unexpected{std::move(failure)};
    }
    return SignedIn{
        .person = *person,
        .role = *role,
        .return_to = login.return_to,
        .provider = provider_->name(),
        .subject = identity.subject,
        .name = printable(identity.name, 200)};
}

OidcSignIn::Failure OidcSignIn::refused(std::string code, std::string words) {
    return {
        {.status = 403, .code = std::move(code), .detail = words}, {.reason = std::move(words)}};
}

OidcSignIn::Failure OidcSignIn::failure_of(const Error& error) {
    std::string words = printable(error.detail, 400);
    if (error.code == Errc::denied) return refused("login-refused", std::move(words));
    return {provider_away(), {.reason = std::move(words), .outage = true}};
}

// RFC 6749, 4.1.2.1.
OidcSignIn::Failure OidcSignIn::refusal_of(std::string_view error, std::string_view description) {
    const bool away = error == "server_error" || error == "temporarily_unavailable";
    return failure_of(
        {away ? Errc::unavailable : Errc::denied,
         fmt::format(
             "the identity provider says: {} {}", error.substr(0, 80),
             description.substr(0, 200))});
}

std::vector<api::Route> sign_in_routes(const std::shared_ptr<OidcSignIn>& sign_in) {
    using api::ParameterKind;
    const auto text = [](std::string name, std::string description, std::int64_t most) {
        return api::QueryParameter{
            .name = std::move(name),
            .kind = ParameterKind::text,
            .description = std::move(description),
            .range = {0, most}};
    };
    auto return_to = text("return_to", "Where to go afterwards: a path of this server", 2048);
    return_to.fallback = std::string{"/"};
    auto state = text("state", "What /auth/login sent along", 256);
    state.required = true;

    std::vector<api::Route> routes;
    routes.push_back(
        {.path = "/auth/login",
         .id = "beginSignIn",
         .summary = "Send the browser to the identity provider",
         .tag = "sign-in",
         .access = api::Access::open_to_all(),
         .handler = api::AsyncHandler{[sign_in](api::Call call) { return sign_in->begin(call); }},
         .query = {std::move(return_to)},
         .answers =
             {{302, "To the identity provider", {}},
              {503, "The identity provider does not answer", {}}},
         .rate_class = "login"});
    routes.push_back(
        {.path = "/auth/callback",
         .id = "finishSignIn",
         .summary = "Where the identity provider sends the browser back to",
         .tag = "sign-in",
         .access = api::Access::open_to_all(),
         .handler = api::AsyncHandler{[sign_in](api::Call call) { return sign_in->finish(call); }},
         .query =
             {std::move(state), text("code", "To be exchanged for tokens", 4096),
              text("error", "Why there is no code", 256),
              text("error_description", "The same for people", 2048),
              text("error_uri", "More about it", 2048), text("iss", "The issuer (RFC 9207)", 2048),
              // What some providers add; a parameter that is not declared would be refused.
              text("scope", "Ignored", 4096), text("session_state", "Ignored", 1024),
              text("authuser", "Ignored", 256), text("hd", "Ignored", 256),
              text("prompt", "Ignored", 256), text("client_info", "Ignored", 4096)},
         .answers =
             {{302, "Signed in; to where the person wanted to go", {}},
              {403, "Not signed in: refused, unknown, replayed, or no role", {}},
              {503, "The identity provider does not answer", {}}},
         .rate_class = "login"});
    return routes;
}

} // namespace hive::rest
