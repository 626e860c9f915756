#include "accounts/github_login.hpp"

#include "accounts/claims.hpp"

namespace hive::accounts {

Provider github_provider(const GitHubAddresses& addresses) {
    return {
        .issuer = addresses.web,
        .authorization_endpoint = addresses.web + "/login/oauth/authorize",
        .token_endpoint = addresses.web + "/login/oauth/access_token",
        .keys_uri = {},
        .device_endpoint = {}};
}

Result<Identity> github_identity(std::string_view user, std::string_view emails) {
    const auto person = parse_json(user, {.bytes = 256 * 1024, .depth = 16});
    const auto addresses = parse_json(emails, {.bytes = 256 * 1024, .depth = 16});
    if (!person || !person->is_object() || !addresses || !addresses->is_array()) {
        return fail(Errc::unavailable, "GitHub's answer about the person is not what it promises");
    }
    const auto* number = person->get_object().if_contains("id");
    if (number == nullptr || !(number->is_int64() || number->is_uint64())) {
        return fail(Errc::denied, "GitHub names nobody");
    }
    Identity identity{
        .subject = hive::to_text(*number), .name = text_at(person->get_object(), "login")};
    if (identity.name.empty()) identity.name = identity.subject;
    for (const auto& element : addresses->get_array()) {
        if (!element.is_object()) continue;
        const auto& address = element.get_object();
        if (!is_true_at(address, "primary") || !is_true_at(address, "verified")) continue;
        identity.email = text_at(address, "email");
        identity.email_verified = !identity.email.empty();
    }
    return identity;
}

} // namespace hive::accounts
