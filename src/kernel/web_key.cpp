#include "kernel/web_key.hpp"

#include "kernel/encoding.hpp"

#include <fmt/format.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>

#include <algorithm>
#include <optional>

namespace hive {
namespace {

template <auto free_function>
struct Freed {
    template <class T>
    void operator()(T* object) const noexcept {
        free_function(object);
    }
};
using Number = std::unique_ptr<BIGNUM, Freed<BN_free>>;
using Builder = std::unique_ptr<OSSL_PARAM_BLD, Freed<OSSL_PARAM_BLD_free>>;
using Parameters = std::unique_ptr<OSSL_PARAM, Freed<OSSL_PARAM_free>>;
using KeyContext = std::unique_ptr<EVP_PKEY_CTX, Freed<EVP_PKEY_CTX_free>>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using EcSignature = std::unique_ptr<ECDSA_SIG, Freed<ECDSA_SIG_free>>;
using Key = std::shared_ptr<EVP_PKEY>;

constexpr std::size_t rsa_bytes_min = 256;
constexpr std::size_t rsa_bytes_max = 1024;
constexpr std::size_t p256_bytes = 32;

std::string_view text_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    return value->get_string();
}

std::optional<Bytes> number_at(const json::object& jwk, std::string_view name) {
    auto bytes = from_base64(text_at(jwk, name), Base64::url);
    if (!bytes || bytes->empty()) return std::nullopt;
    return std::move(*bytes);
}

Number number_of(const Bytes& bytes) {
    return Number{BN_bin2bn(bytes.data(), static_cast<int>(bytes.size()), nullptr)};
}

Key key_from(const char* type, OSSL_PARAM_BLD& builder) {
    const Parameters parameters{OSSL_PARAM_BLD_to_param(&builder)};
    const KeyContext context{EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr)};
    EVP_PKEY* key = nullptr;
    if (parameters && context && EVP_PKEY_fromdata_init(context.get()) == 1) {
        (void)EVP_PKEY_fromdata(context.get(), &key, EVP_PKEY_PUBLIC_KEY, parameters.get());
    }
    ERR_clear_error();
    return {key, EVP_PKEY_free};
}

Key rsa_key(const json::object& jwk) {
    const auto n = number_at(jwk, "n");
    const auto e = number_at(jwk, "e");
    if (!n || !e || n->size() < rsa_bytes_min || n->size() > rsa_bytes_max || e->size() > 8)
        return {};
    const Number modulus = number_of(*n);
    const Number exponent = number_of(*e);
    const Builder builder{OSSL_PARAM_BLD_new()};
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, modulus.get());
    OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, exponent.get());
    return key_from("RSA", *builder);
}

Key p256_key(const json::object& jwk) {
    const auto x = number_at(jwk, "x");
    const auto y = number_at(jwk, "y");
    if (text_at(jwk, "crv") != "P-256" || !x || !y) return {};
    if (x->size() != p256_bytes || y->size() != p256_bytes) return {};
    Bytes point{0x04}; // uncompressed
    point.insert(point.end(), x->begin(), x->end());
    point.insert(point.end(), y->begin(), y->end());
    const Builder builder{OSSL_PARAM_BLD_new()};
    OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "prime256v1", 0);
    OSSL_PARAM_BLD_push_octet_string(
        builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(), point.size());
    return key_from("EC", *builder);
}

Key ed25519_key(const json::object& jwk) {
    const auto x = number_at(jwk, "x");
    if (text_at(jwk, "crv") != "Ed25519" || !x || x->size() != 32) return {};
    return {
        EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, x->data(), x->size()),
        EVP_PKEY_free};
}

// JOSE writes r and s side by side; OpenSSL wants them in DER.
std::optional<Bytes> der_of(ByteView signature) {
    if (signature.size() != 2 * p256_bytes) return std::nullopt;
    const EcSignature parts{ECDSA_SIG_new()};
    BIGNUM* r = BN_bin2bn(signature.data(), p256_bytes, nullptr);
    BIGNUM* s = BN_bin2bn(signature.data() + p256_bytes, p256_bytes, nullptr);
    if (!parts || ECDSA_SIG_set0(parts.get(), r, s) != 1) return std::nullopt;
    Bytes der(static_cast<std::size_t>(i2d_ECDSA_SIG(parts.get(), nullptr)));
    unsigned char* at = der.data();
    i2d_ECDSA_SIG(parts.get(), &at);
    return der;
}

const char* kind_needed(WebAlgorithm algorithm) {
    switch (algorithm) {
    case WebAlgorithm::rs256: return "RSA";
    case WebAlgorithm::es256: return "EC";
    case WebAlgorithm::eddsa: return "ED25519";
    }
    std::abort();
}

} // namespace

Result<WebAlgorithm> parse_web_algorithm(std::string_view text) {
    if (text == "RS256") return WebAlgorithm::rs256;
    if (text == "ES256") return WebAlgorithm::es256;
    if (text == "EdDSA") return WebAlgorithm::eddsa;
    return fail(
        Errc::invalid,
        fmt::format("algorithm '{}' is not RS256, ES256 or EdDSA", text.substr(0, 16)));
}

Result<WebKey> WebKey::from_jwk(const json::object& jwk) {
    const auto kind = text_at(jwk, "kty");
    const Key key = kind == "RSA"   ? rsa_key(jwk)
                    : kind == "EC"  ? p256_key(jwk)
                    : kind == "OKP" ? ed25519_key(jwk)
                                    : Key{};
    if (!key) return fail(Errc::invalid, "not an RSA (2048+ bits), P-256 or Ed25519 public key");
    return WebKey{std::string{text_at(jwk, "kid")}, key};
}

bool WebKey::verify(WebAlgorithm algorithm, ByteView message, ByteView signature) const {
    if (EVP_PKEY_is_a(key_.get(), kind_needed(algorithm)) != 1) return false;
    Bytes der;
    if (algorithm == WebAlgorithm::es256) {
        auto converted = der_of(signature);
        if (!converted) return false;
        der = std::move(*converted);
        signature = der;
    }
    const DigestContext context{EVP_MD_CTX_new()};
    const EVP_MD* digest = algorithm == WebAlgorithm::eddsa ? nullptr : EVP_sha256();
    const bool valid =
        context && EVP_DigestVerifyInit(context.get(), nullptr, digest, nullptr, key_.get()) == 1 &&
        EVP_DigestVerify(
            context.get(), signature.data(), signature.size(), message.data(), message.size()) == 1;
    ERR_clear_error();
    return valid;
}

Result<std::vector<WebKey>> parse_web_keys(std::string_view document) {
    constexpr std::size_t keys_max = 64;
    const auto value = parse_json(document, {.bytes = 256 * 1024, .depth = 8});
    if (!value) return fail(value.error());
    const auto* object = value->if_object();
    const auto* keys = object != nullptr ? object->if_contains("keys") : nullptr;
    if (keys == nullptr || !keys->is_array()) {
        return fail(Errc::invalid, "a key set is an object with an array 'keys'");
    }
    std::vector<WebKey> usable;
    for (const auto& entry : keys->get_array()) {
        const auto* jwk = entry.if_object();
        if (jwk == nullptr || usable.size() == keys_max) continue;
        const auto use = text_at(*jwk, "use");
        if (!use.empty() && use != "sig") continue;
        if (auto key = WebKey::from_jwk(*jwk)) usable.push_back(std::move(*key));
    }
    return usable;
}

} // namespace hive
