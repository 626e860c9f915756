#pragma once

#include "accounts/github_login.hpp"
#include "accounts/sign_in_rules.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <cstdint>
#include <string>

namespace hive::rest {

enum class OidcKind : std::uint8_t { openid, github };

struct OidcConfig {
    OidcKind kind = OidcKind::openid;
    std::string issuer{}; // `https://accounts.google.com`; GitHub has none
    std::string client_id{};
    Secret client_secret{};     // empty for a public client
    std::string redirect_uri{}; // this server's /auth/callback, as browsers reach it
    std::string scope{};        // empty: what the kind of provider needs
    accounts::SignInRules rules{};
    accounts::GitHubAddresses github{};

    Duration answer_within = std::chrono::seconds{10};  // of each request to the provider
    Duration keep_for = std::chrono::hours{1};          // its description and keys
    Duration ask_again_after = std::chrono::seconds{5}; // for them; also after a failure
};

// Everything that is wrong with it in one sentence.
Status check(const OidcConfig& config);

// Who we are at the provider.
accounts::Client client_of(const OidcConfig& config);

} // namespace hive::rest
