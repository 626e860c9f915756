#pragma once

#include "kernel/clock.hpp"
#include "kernel/digest.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace hive::accounts {

// What /.well-known/openid-configuration tells, as far as we use it.
struct Provider {
    std::string issuer;
    std::string authorization_endpoint;
    std::string token_endpoint;
    std::string keys_uri;
    std::string device_endpoint;     // empty when the provider has no device flow
    std::string userinfo_endpoint{}; // empty when it has none
    bool secret_in_form = true;      // else it wants basic_authorization()
};
// https, or plain http on this machine.
bool is_provider_address(std::string_view url);

// The document must name the issuer it was fetched for, and https addresses unless that issuer is
// itself plain http on this machine.
Result<Provider> parse_provider(std::string_view document, std::string_view expected_issuer);

struct Client {
    std::string id;
    Secret secret; // empty for a public client: PKCE alone protects the code
    std::string redirect_uri;
    std::string scope = "openid profile email";
};

// Where people sign in, and who we are there.
struct SignIn {
    Provider provider;
    Client client;
};

using LoginEntropy = std::array<std::uint8_t, 96>; // state, nonce, verifier: 32 bytes each

// One login on its way through the browser.
struct PendingLogin {
    std::string nonce;
    Secret verifier; // PKCE (RFC 7636)
    std::string return_to;
    TimePoint ends{};
    Digest browser{}; // of the cookie of the browser that began it; all zero: any
};

struct LoginStart {
    std::string state;
    std::string url; // send the browser there
};

// Logins begun and not finished; single use, ten minutes, bounded.
class PendingLogins {
public:
    // `return_to` is where the person wanted to go: a path of this server, never another site.
    Result<LoginStart>
    begin(const SignIn& at, std::string_view return_to, const LoginEntropy& entropy, TimePoint now);
    void bind(std::string_view state, const Digest& browser);
    // Errc::denied when the state is unknown, used or too old.
    Result<PendingLogin> finish(std::string_view state, TimePoint now);
    std::size_t size() const noexcept { return pending_.size(); }

private:
    static constexpr std::size_t pending_max = 1024;
    std::map<std::string, PendingLogin, std::less<>> pending_;
};

// The form to POST to the token endpoint; with the client's secret, unless that is empty.
Secret code_exchange_form(std::string_view code, const PendingLogin& login, const Client& client);
Secret basic_authorization(const Client& client); // of the Authorization header

struct Tokens {
    Secret id;     // empty when there is none
    Secret access; // likewise
};
Result<Tokens> tokens_in(std::string_view answer);
// The ID token in the answer; the provider's own error words when there is none.
Result<Secret> id_token_in(std::string_view answer);

} // namespace hive::accounts
