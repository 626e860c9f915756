#pragma once

#include "api/rest/oidc_config.hpp"
#include "api/rest/oidc_document.hpp"
#include "api/rest/oidc_identity_provider.hpp"

#include <memory>
#include <vector>

namespace hive::rest {

// Any OpenID Connect provider, by its discovery document.
class OpenIdProvider final : public IdentityProvider {
public:
    OpenIdProvider(const OidcConfig& config, web::Client& client, const Clock& clock);

    std::string name() const override;
    bool is_issuer(std::string_view issuer) const override { return issuer == issuer_; }
    boost::asio::awaitable<Result<accounts::Provider>> describe() override;
    boost::asio::awaitable<Result<accounts::Identity>>
    identify(accounts::Tokens tokens, std::string nonce) override;

private:
    using Keys = std::vector<WebKey>;

    boost::asio::awaitable<Result<std::shared_ptr<const Keys>>> keys(std::string url, Want want);
    boost::asio::awaitable<Result<accounts::Identity>>
    complete(accounts::Identity identity, Secret access_token, std::string userinfo_url);

    std::string issuer_;
    std::string client_id_;
    Duration answer_within_;
    web::Client& client_;
    const Clock& clock_;
    std::shared_ptr<FetchedDocument<accounts::Provider>> description_;
    std::shared_ptr<FetchedDocument<Keys>> keys_;
};

} // namespace hive::rest
