#pragma once

#include "api/rest/oidc_config.hpp"
#include "api/rest/oidc_identity_provider.hpp"
#include "web/client.hpp"

namespace hive::rest {

// github.com, or a GitHub Enterprise server.
class GitHubProvider final : public IdentityProvider {
public:
    GitHubProvider(const OidcConfig& config, web::Client& client)
        : addresses_{config.github}, answer_within_{config.answer_within}, client_{client} {}

    std::string name() const override { return "github"; }
    bool is_issuer(std::string_view) const override {
        return true;
    } // its codes fit only its secret
    boost::asio::awaitable<Result<accounts::Provider>> describe() override;
    boost::asio::awaitable<Result<accounts::Identity>>
    identify(accounts::Tokens tokens, std::string nonce) override;

private:
    boost::asio::awaitable<Result<std::string>> get(std::string path, Secret access_token);

    accounts::GitHubAddresses addresses_;
    Duration answer_within_;
    web::Client& client_;
};

} // namespace hive::rest
