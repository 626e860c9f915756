#include "api/rest/oidc_openid.hpp"

#include "api/http/await_callback.hpp"
#include "api/rest/oidc_ask.hpp"

#include <fmt/format.h>

#include <utility>

namespace hive::rest {
namespace {

namespace asio = boost::asio;

DocumentRules rules_of(const OidcConfig& config) {
    return {config.answer_within, config.keep_for, config.ask_again_after};
}

std::string description_url(std::string_view issuer) {
    if (issuer.ends_with('/')) issuer.remove_suffix(1);
    return fmt::format("{}/.well-known/openid-configuration", issuer);
}

template <class T>
asio::awaitable<Result<std::shared_ptr<const T>>>
fetched(std::shared_ptr<FetchedDocument<T>> document, std::string url, Want want) {
    using Got = Result<std::shared_ptr<const T>>;
    auto start = [&document, &url, want](std::function<void(Got)> ready) {
        document->get(url, want, std::move(ready));
    };
    constexpr Duration longest = std::chrono::minutes{1}; // the client's own deadline is shorter
    auto got = co_await http::await_callback<Got>(std::move(start), longest);
    if (!got) co_return fail(Errc::timeout, "no answer in time");
    co_return std::move(*got);
}

} // namespace

OpenIdProvider::OpenIdProvider(const OidcConfig& config, web::Client& client, const Clock& clock)
    : issuer_{config.issuer}, client_id_{config.client_id}, answer_within_{config.answer_within},
      client_{client}, clock_{clock},
      description_{std::make_shared<FetchedDocument<accounts::Provider>>(
          client, clock, rules_of(config),
          [issuer = config.issuer](std::string_view text) {
              return accounts::parse_provider(text, issuer);
          })},
      keys_{std::make_shared<FetchedDocument<Keys>>(
          client, clock, rules_of(config),
          [](std::string_view text) { return parse_web_keys(text); })} {}

std::string OpenIdProvider::name() const {
    const std::string_view rest = std::string_view{issuer_}.substr(issuer_.find("://") + 3);
    return std::string{rest.substr(0, rest.find('/'))};
}

asio::awaitable<Result<accounts::Provider>> OpenIdProvider::describe() {
    const auto description = co_await fetched(description_, description_url(issuer_), Want::kept);
    if (!description) co_return fail(description.error());
    co_return **description;
}

asio::awaitable<Result<std::shared_ptr<const OpenIdProvider::Keys>>>
OpenIdProvider::keys(std::string url, Want want) {
    co_return co_await fetched(keys_, std::move(url), want);
}

asio::awaitable<Result<accounts::Identity>>
OpenIdProvider::identify(accounts::Tokens tokens, std::string nonce) {
    if (tokens.id.empty()) {
        co_return fail(
            Errc::denied, "the identity provider gave no ID token; is `openid` in the scope?");
    }
    const auto provider = co_await describe();
    if (!provider) co_return fail(provider.error());
    const accounts::TokenExpectation expected{
        .issuer = issuer_, .audience = client_id_, .nonce = std::move(nonce)};
    auto known = co_await keys(provider->keys_uri, Want::kept);
    if (known && !accounts::has_key_for(tokens.id.reveal(), **known)) {
        known = co_await keys(provider->keys_uri, Want::newer);
    }
    if (!known) co_return fail(known.error());
    auto identity = accounts::verify_id_token(tokens.id.reveal(), **known, expected, clock_.wall());
    // Whatever the token lacks, the person may not come in: that is no outage.
    if (!identity) co_return fail(Errc::denied, identity.error().detail);
    if (!identity->email.empty() || provider->userinfo_endpoint.empty() || tokens.access.empty()) {
        co_return identity;
    }
    co_return co_await complete(
        std::move(*identity), std::move(tokens.access), provider->userinfo_endpoint);
}

asio::awaitable<Result<accounts::Identity>> OpenIdProvider::complete(
    accounts::Identity identity, Secret access_token, std::string userinfo_url) {
    web::Request request{
        .url = std::move(userinfo_url),
        .headers =
            {{"Authorization", fmt::format("Bearer {}", access_token.reveal())},
             {"Accept", "application/json"}},
        .within = answer_within_};
    const auto answer = co_await ask(&client_, std::move(request));
    if (!answer) co_return fail(answer.error());
    if (answer->status != 200) {
        co_return fail(
            Errc::unavailable,
            fmt::format("the identity provider's userinfo answered with {}", answer->status));
    }
    auto told = accounts::userinfo_identity(answer->body, identity.subject);
    if (!told) co_return fail(told.error());
    if (told->groups.empty()) told->groups = std::move(identity.groups);
    co_return told;
}

} // namespace hive::rest
