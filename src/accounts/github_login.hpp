#pragma once

#include "accounts/id_token.hpp"
#include "accounts/oidc_login.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <string>
#include <string_view>

namespace hive::accounts {

// GitHub is not OpenID Connect: there is no ID token, the person is asked for with the access
// token.
struct GitHubAddresses {
    std::string web = "https://github.com";
    std::string api = "https://api.github.com";
};

Provider github_provider(const GitHubAddresses& addresses);
inline constexpr std::string_view github_scope = "read:user user:email";

// The subject is GitHub's number of the person, for names there can be given up and taken by
// others. The email address is the primary one, when GitHub has verified it.
Result<Identity> github_identity(std::string_view user, std::string_view emails);

} // namespace hive::accounts
