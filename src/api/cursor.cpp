#include "api/cursor.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>

namespace hive::api {
namespace {

constexpr std::size_t signature_bytes = 16;
constexpr std::size_t cursor_max = 1024;
constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

std::string to_base64url(std::string_view bytes) {
    std::string out;
    unsigned bits = 0;
    unsigned held = 0;
    for (const char c : bytes) {
        bits = (bits << 8U) | static_cast<unsigned char>(c);
        for (held += 8; held >= 6; held -= 6) out += alphabet[(bits >> (held - 6)) & 0x3fU];
    }
    if (held > 0) out += alphabet[(bits << (6 - held)) & 0x3fU];
    return out;
}

// Empty when a character is not of the alphabet.
std::string from_base64url(std::string_view text) {
    std::string out;
    unsigned bits = 0;
    unsigned held = 0;
    for (const char c : text) {
        const std::size_t value = alphabet.find(c);
        if (value == alphabet.npos) return {};
        bits = (bits << 6U) | static_cast<unsigned>(value);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        out += static_cast<char>((bits >> held) & 0xffU);
    }
    return out;
}

} // namespace

std::string CursorCodec::sign(std::string_view listing, std::string_view position) const {
    std::string text = std::to_string(listing.size());
    text += ':';
    text += listing;
    text += position;
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    HMAC(
        EVP_sha256(), key_.data(), static_cast<int>(key_.size()),
        reinterpret_cast<const unsigned char*>(text.data()), text.size(), digest.data(), &size);
    return {reinterpret_cast<const char*>(digest.data()), signature_bytes};
}

std::string CursorCodec::encode(std::string_view listing, std::string_view position) const {
    return to_base64url(sign(listing, position) + std::string{position});
}

Result<std::string> CursorCodec::decode(std::string_view listing, std::string_view cursor) const {
    const std::string bytes = cursor.size() > cursor_max ? "" : from_base64url(cursor);
    if (bytes.size() >= signature_bytes) {
        std::string position = bytes.substr(signature_bytes);
        const std::string expected = sign(listing, position);
        const bool ours =
            CRYPTO_memcmp(expected.data(), bytes.data(), signature_bytes) == 0 &&
            encode(listing, position) == cursor; // one spelling only: no stray bits at the end
        if (ours) return position;
    }
    return fail(
        Errc::invalid, "the cursor is not one of ours, or belongs to another listing; start again "
                       "without it");
}

} // namespace hive::api
