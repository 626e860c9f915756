#pragma once

#include "accounts/id_token.hpp"
#include "accounts/permission.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::accounts {

enum class Claim : std::uint8_t { email, domain, group, subject };

// Who becomes what. An email address, and so its domain, counts only when the provider says that it
// has verified it: otherwise anybody could write a colleague's into their profile.
struct RoleRule {
    Claim claim = Claim::email;
    std::string value;
    Role role = Role::human;

    bool operator==(const RoleRule&) const = default;
};

// `email:ada@example.com=admin`, `domain:example.com=human`, `group:ops=admin`, `subject:42=human`.
Result<RoleRule> parse_role_rule(std::string_view text);
std::string to_text(const RoleRule& rule);

struct SignInRules {
    std::vector<RoleRule> roles{};   // the first that fits decides
    std::optional<Role> otherwise{}; // nothing: who fits no rule may not come in
};
std::optional<Role> role_for(const Identity& identity, const SignInRules& rules);

// What the person is called here, in sessions and in the audit log: the verified email address,
// else `provider:subject`. Never a name that people can choose and change, for it may be another's.
Result<std::string> person_of(const Identity& identity, std::string_view provider);

} // namespace hive::accounts
