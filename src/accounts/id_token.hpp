#pragma once

#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/web_key.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::accounts {

// What an ID token must say to be ours (OpenID Connect Core 3.1.3.7).
struct TokenExpectation {
    std::string issuer;
    std::string audience;                      // our client id
    std::string nonce;                         // of the login this answers
    Duration leeway = std::chrono::minutes{1}; // clocks of two machines
};

struct Identity {
    std::string subject; // stable at the provider; names may change
    std::string name;    // preferred_username, else email, else name, else the subject
    std::string email{};
    bool email_verified = false; // what the provider does not say is not so
    std::vector<std::string> groups{};
};

// Checks the signature, then the claims. The error says which check failed, never the token.
Result<Identity> verify_id_token(
    std::string_view token, const std::vector<WebKey>& keys, const TokenExpectation& expected,
    Timestamp now);

// False when the token names a key that is not here, or none: the issuer may have a new one.
bool has_key_for(std::string_view token, const std::vector<WebKey>& keys);

// What the userinfo endpoint says about the subject of an ID token: some providers keep the token
// short and tell the rest only there.
Result<Identity> userinfo_identity(std::string_view document, std::string_view subject);

} // namespace hive::accounts
