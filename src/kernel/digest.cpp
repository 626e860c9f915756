#include "kernel/digest.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <climits>
#include <cstring>
#include <new>
#include <stdexcept>

namespace hive {
namespace {

// Only a broken OpenSSL installation or exhausted memory fails here: an outage, no caller's error.
void require(bool ok) {
    if (!ok) throw std::runtime_error{"OpenSSL cannot compute a digest; check its installation"};
}

// Fetching looks the algorithm up under a lock; once for the life of the process is enough.
const EVP_MD* algorithm() {
    static EVP_MD* const fetched = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    require(fetched != nullptr);
    return fetched;
}

constexpr std::array<std::uint32_t, 256> make_crc_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) {
            rest = (rest & 1U) != 0 ? (rest >> 1U) ^ 0xedb88320U : rest >> 1U;
        }
        table[byte] = rest;
    }
    return table;
}

constexpr std::array<std::uint32_t, 256> crc_table = make_crc_table();

} // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const noexcept {
    EVP_MD_CTX_free(context);
}

Sha256::Sha256() : context_{EVP_MD_CTX_new()} {
    if (!context_) throw std::bad_alloc{};
    require(EVP_DigestInit_ex(context_.get(), algorithm(), nullptr) == 1);
}

Sha256& Sha256::update(ByteView bytes) {
    require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()) == 1);
    return *this;
}

Digest Sha256::finish() {
    Digest digest{};
    require(EVP_DigestFinal_ex(context_.get(), digest.data(), nullptr) == 1);
    require(EVP_DigestInit_ex(context_.get(), nullptr, nullptr) == 1);
    return digest;
}

Digest sha256(std::initializer_list<ByteView> parts) {
    // Making a context costs as much as hashing 200 bytes; it is empty between calls.
    thread_local Sha256 hasher;
    // An update costs more than copying a small part, so small parts go together.
    std::array<std::uint8_t, 512> joined; // only the first `size` are set
    std::size_t size = 0;
    for (const ByteView part : parts) {
        if (part.size() > joined.size() - size) {
            hasher.update(ByteView{joined}.first(size)).update(part);
            size = 0;
        } else if (!part.empty()) {
            std::memcpy(&joined[size], part.data(), part.size());
            size += part.size();
        }
    }
    return hasher.update(ByteView{joined}.first(size)).finish();
}

std::array<std::uint8_t, 16> md5(ByteView bytes) {
    static EVP_MD* const fetched = EVP_MD_fetch(nullptr, "MD5", nullptr);
    require(fetched != nullptr);
    std::array<std::uint8_t, 16> digest{};
    require(EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, fetched, nullptr) == 1);
    return digest;
}

Digest hmac_sha256(ByteView key, ByteView message) {
    Digest digest{};
    require(key.size() <= INT_MAX);
    // OpenSSL takes a null key for "the key of last time".
    static constexpr std::uint8_t no_bytes = 0;
    const void* key_data = key.empty() ? &no_bytes : key.data();
    require(
        HMAC(
            algorithm(), key_data, static_cast<int>(key.size()), message.data(), message.size(),
            digest.data(), nullptr) != nullptr);
    return digest;
}

bool equal_in_constant_time(ByteView a, ByteView b) noexcept {
    return a.size() == b.size() && (a.empty() || CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0);
}

std::uint32_t crc32(ByteView bytes) noexcept {
    std::uint32_t rest = 0xffffffffU;
    for (const std::uint8_t byte : bytes) {
        rest = crc_table[(rest ^ byte) & 0xffU] ^ (rest >> 8U);
    }
    return ~rest;
}

} // namespace hive
