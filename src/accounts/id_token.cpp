#include "accounts/id_token.hpp"

#include "accounts/claims.hpp"
#include "kernel/encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace hive::accounts {
namespace {

constexpr std::size_t token_max = 16 * 1024;

struct Parts {
    std::string_view header;
    std::string_view claims;
    std::string_view signature;
    std::string_view signed_text; // header.claims
};

std::optional<Parts> split(std::string_view token) {
    const std::size_t first = token.find('.');
    if (first == token.npos) return std::nullopt;
    const std::size_t second = token.find('.', first + 1);
    if (second == token.npos || token.find('.', second + 1) != token.npos) return std::nullopt;
    return Parts{
        token.substr(0, first), token.substr(first + 1, second - first - 1),
        token.substr(second + 1), token.substr(0, second)};
}

std::optional<json::object> object_in(std::string_view part) {
    const auto bytes = from_base64(part, Base64::url);
    if (!bytes) return std::nullopt;
    auto value = parse_json(text_of(*bytes), {.bytes = token_max, .depth = 8});
    if (!value || !value->is_object()) return std::nullopt;
    return std::move(value->get_object());
}

std::optional<Timestamp> time_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    const double seconds = value->to_number<double>();
    constexpr double furthest = 9e9; // year 2255: beyond it nanoseconds overflow
    if (!(seconds >= 0 && seconds <= furthest)) return std::nullopt;
    return Timestamp{std::chrono::seconds{static_cast<std::int64_t>(seconds)}};
}

// Tries the key the token names; a token without `kid` is tried with every key.
Status
check_signature(const Parts& parts, const json::object& header, const std::vector<WebKey>& keys) {
    const auto algorithm = parse_web_algorithm(text_at(header, "alg"));
    if (!algorithm) return fail(algorithm.error());
    const auto signature = from_base64(parts.signature, Base64::url);
    if (!signature) return fail(Errc::denied, "the signature of the ID token is not base64url");
    const std::string id = text_at(header, "kid");
    const bool valid = std::ranges::any_of(keys, [&](const WebKey& key) {
        return (id.empty() || key.id() == id) &&
               key.verify(*algorithm, bytes_of(parts.signed_text), *signature);
    });
    if (!valid)
        return fail(Errc::denied, "the signature of the ID token fits no key of the issuer");
    return {};
}

Status check_claims(const json::object& claims, const TokenExpectation& expected, Timestamp now) {
    if (text_at(claims, "iss") != expected.issuer) {
        return fail(Errc::denied, fmt::format("the ID token is not from {}", expected.issuer));
    }
    const auto audience = texts_at(claims, "aud");
    const std::string party = text_at(claims, "azp");
    const bool ours = std::ranges::find(audience, expected.audience) != audience.end() &&
                      (party.empty() ? audience.size() == 1 : party == expected.audience);
    if (!ours) return fail(Errc::denied, "the ID token is for another client");
    const auto expires = time_at(claims, "exp");
    if (!expires || *expires + expected.leeway <= now) {
        return fail(Errc::denied, "the ID token has expired");
    }
    const auto issued = time_at(claims, "iat");
    const auto from = time_at(claims, "nbf");
    if (!issued || *issued - expected.leeway > now || (from && *from - expected.leeway > now)) {
        return fail(Errc::denied, "the ID token is from the future; compare the clocks");
    }
    if (expected.nonce.empty() || text_at(claims, "nonce") != expected.nonce) {
        return fail(Errc::denied, "the ID token answers another login");
    }
    if (text_at(claims, "sub").empty()) return fail(Errc::denied, "the ID token names nobody");
    return {};
}

Identity identity_in(const json::object& claims) {
    Identity identity{
        .subject = text_at(claims, "sub"),
        .name = {},
        .email = text_at(claims, "email"),
        .email_verified = is_true_at(claims, "email_verified"),
        .groups = texts_at(claims, "groups")};
    for (const char* claim : {"preferred_username", "email", "name", "sub"}) {
        if (identity.name.empty()) identity.name = text_at(claims, claim);
    }
    return identity;
}

} // namespace

Result<Identity> verify_id_token(
    std::string_view token, const std::vector<WebKey>& keys, const TokenExpectation& expected,
    Timestamp now) {
    const auto parts = token.size() <= token_max ? split(token) : std::nullopt;
    const auto header = parts ? object_in(parts->header) : std::nullopt;
    const auto claims = parts ? object_in(parts->claims) : std::nullopt;
    if (!header || !claims) return fail(Errc::denied, "the ID token is not a JSON Web Token");
    // A critical extension we do not know changes what the token means (RFC 7515, 4.1.11).
    if (header->contains("crit")) {
        return fail(Errc::denied, "the ID token needs an extension this program does not have");
    }
    if (auto ok = check_signature(*parts, *header, keys); !ok) return fail(ok.error());
    if (auto ok = check_claims(*claims, expected, now); !ok) return fail(ok.error());

    return identity_in(*claims);
}

bool has_key_for(std::string_view token, const std::vector<WebKey>& keys) {
    const auto parts = token.size() <= token_max ? split(token) : std::nullopt;
    const auto header = parts ? object_in(parts->header) : std::nullopt;
    if (!header) return true;
    const std::string id = text_at(*header, "kid");
    return !id.empty() && std::ranges::any_of(keys, [&](const WebKey& k) { return k.id() == id; });
}

Result<Identity> userinfo_identity(std::string_view document, std::string_view subject) {
    const auto claims = parse_json(document, {.bytes = 256 * 1024, .depth = 16});
    if (!claims || !claims->is_object()) {
        return fail(Errc::unavailable, "the identity provider's answer is not JSON");
    }
    // Otherwise one person's token could be traded for another's claims (Core 5.3.2).
    if (text_at(claims->get_object(), "sub") != subject) {
        return fail(Errc::denied, "the identity provider speaks about another person");
    }
    return identity_in(claims->get_object());
}

} // namespace hive::accounts
