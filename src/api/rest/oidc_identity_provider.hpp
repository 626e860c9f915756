#pragma once

#include "accounts/id_token.hpp"
#include "accounts/oidc_login.hpp"
#include "kernel/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <string_view>

namespace hive::rest {

// What differs between providers. Errc::denied: this login may not go on. Anything else: the
// provider cannot be used right now.
class IdentityProvider {
public:
    virtual ~IdentityProvider() = default;

    virtual std::string name() const = 0; // `github`, or the issuer's host
    // `iss` of a callback (RFC 9207): a code of another provider must not be sent to this one.
    virtual bool is_issuer(std::string_view issuer) const = 0;
    virtual boost::asio::awaitable<Result<accounts::Provider>> describe() = 0;
    // Who the tokens are about; the nonce is that of the login.
    virtual boost::asio::awaitable<Result<accounts::Identity>>
    identify(accounts::Tokens tokens, std::string nonce) = 0;
};

} // namespace hive::rest
