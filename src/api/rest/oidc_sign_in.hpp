#pragma once

#include "accounts/oidc_login.hpp"
#include "api/call.hpp"
#include "api/rest/oidc_config.hpp"
#include "api/rest/oidc_identity_provider.hpp"
#include "api/route.hpp"
#include "kernel/entropy.hpp"
#include "web/client.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hive::rest {

// Somebody whom the provider vouches for and who may come in.
struct SignedIn {
    std::string person; // accounts::person_of()
    accounts::Role role = accounts::Role::readonly;
    std::string return_to; // a path of this server
    std::string provider;  // `github`, or the issuer's host
    std::string subject;   // at the provider
    std::string name;      // to show; chosen by the person
};

// Sets the session cookie, records the login and sends the browser to `return_to`.
using SignedInHandler = std::function<http::asio::awaitable<http::Response>(api::Call, SignedIn)>;
// A login that came to nothing. The reason holds no secrets; it may say more than the browser is
// told.
struct SignInFailure {
    std::string reason;
    bool outage = false; // the provider's, and nobody's fault here
};
using FailedHandler = std::function<http::asio::awaitable<void>(api::Call, SignInFailure)>;

struct OidcParts {
    web::Client& web;
    const Clock& clock;
    SignedInHandler on_signed_in;
    FailedHandler on_failed{};
    // Asked before anything else: a problem for who has to wait after failed logins.
    std::function<std::optional<api::Problem>(const api::Call&)> admit{};
    std::function<void(std::span<std::uint8_t>)> entropy{fill_from_entropy};
};

// People sign in at an identity provider: code flow with PKCE, state bound to the browser by a
// cookie. The config has passed check().
class OidcSignIn {
public:
    OidcSignIn(OidcConfig config, OidcParts parts);

    http::asio::awaitable<http::Response> begin(api::Call call);  // /auth/login
    http::asio::awaitable<http::Response> finish(api::Call call); // /auth/callback

private:
    struct Failure {
        api::Problem problem;
        SignInFailure told;
    };
    template <class T>
    using Outcome = tl::expected<T, Failure>;
    template <class T>
    using Later = http::asio::awaitable<T>;

    Later<http::Response> refuse(api::Call call, Failure failure);

    std::string browser_of(const api::Call& call) const;
    http::Response
    redirect(const api::Call& call, const std::string& url, const std::string& browser) const;
    Outcome<accounts::PendingLogin> resume(const api::Call& call);
    Later<Outcome<SignedIn>> sign_in(api::Call call);
    Later<Result<accounts::Tokens>> exchange(std::string code, accounts::PendingLogin login);
    Outcome<SignedIn>
    admit(const accounts::Identity& identity, const accounts::PendingLogin& login) const;

    static Failure refused(std::string code, std::string words);
    static Failure failure_of(const Error& error);
    static Failure refusal_of(std::string_view error, std::string_view description);

    OidcConfig config_;
    OidcParts parts_;
    accounts::Client client_;
    std::unique_ptr<IdentityProvider> provider_;
    std::mutex mutex_;
    accounts::PendingLogins pending_; // under mutex_
};

// Shared, because the two routes are all that owns it.
std::vector<api::Route> sign_in_routes(const std::shared_ptr<OidcSignIn>& sign_in);

} // namespace hive::rest
