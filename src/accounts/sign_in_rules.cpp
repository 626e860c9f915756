#include "accounts/sign_in_rules.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace hive::accounts {
namespace {

constexpr std::array<std::pair<Claim, std::string_view>, 4> claim_names{
    {{Claim::email, "email"},
     {Claim::domain, "domain"},
     {Claim::group, "group"},
     {Claim::subject, "subject"}}};

std::string lowered(std::string_view text) {
    std::string out{text};
    for (char& c : out) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return out;
}

std::string verified_email(const Identity& identity) {
    return identity.email_verified ? lowered(identity.email) : std::string{};
}

bool fits(const RoleRule& rule, const Identity& identity) {
    const std::string email = verified_email(identity);
    switch (rule.claim) {
    case Claim::email: return !email.empty() && email == lowered(rule.value);
    case Claim::domain: {
        const std::size_t at = email.rfind('@');
        return at != email.npos && email.substr(at + 1) == lowered(rule.value);
    }
    case Claim::group:
        return std::ranges::find(identity.groups, rule.value) != identity.groups.end();
    case Claim::subject: return identity.subject == rule.value;
    }
    return false;
}

} // namespace

Result<RoleRule> parse_role_rule(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::size_t equals = text.rfind('='); // the last: subjects may hold one
    if (colon == text.npos || equals == text.npos || equals <= colon + 1) {
        return fail(Errc::invalid, "write a rule like email:ada@example.com=admin");
    }
    const auto* const claim = std::ranges::find(
        claim_names, text.substr(0, colon), [](const auto& p) { return p.second; });
    if (claim == claim_names.end()) {
        return fail(Errc::invalid, "a rule begins with email, domain, group or subject");
    }
    auto role = parse_role(text.substr(equals + 1));
    if (!role) return fail(std::move(role.error()));
    return RoleRule{claim->first, std::string{text.substr(colon + 1, equals - colon - 1)}, *role};
}

std::string to_text(const RoleRule& rule) {
    const auto* const claim =
        std::ranges::find(claim_names, rule.claim, [](const auto& p) { return p.first; });
    return fmt::format("{}:{}={}", claim->second, rule.value, name_of(rule.role));
}

std::optional<Role> role_for(const Identity& identity, const SignInRules& rules) {
    const auto rule = std::ranges::find_if(
        rules.roles, [&](const RoleRule& candidate) { return fits(candidate, identity); });
    return rule != rules.roles.end() ? std::optional{rule->role} : rules.otherwise;
}

Result<std::string> person_of(const Identity& identity, std::string_view provider) {
    constexpr std::size_t person_max = 200; // the audit log takes 255
    std::string person = verified_email(identity);
    if (person.empty()) person = fmt::format("{}:{}", provider, identity.subject);
    if (printable(person, person_max) != person) {
        return fail(Errc::denied, "the identity provider's name for the person cannot be used");
    }
    return person;
}

} // namespace hive::accounts
