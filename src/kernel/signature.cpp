#include "kernel/signature.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <stdexcept>

namespace hive {
namespace {

constexpr std::size_t pem_max = 4096; // an Ed25519 key takes about 120 bytes

template <auto free_function>
struct Freed {
    template <class T>
    void operator()(T* object) const noexcept {
        free_function(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Freed<EVP_PKEY_free>>;
using Context = std::unique_ptr<EVP_MD_CTX, Freed<EVP_MD_CTX_free>>;
using Bio = std::unique_ptr<BIO, Freed<BIO_free_all>>;

// Only a broken OpenSSL installation or exhausted memory fails here: an outage, no caller's error.
template <class T>
T require(T value) {
    if (value) return value;
    ERR_clear_error();
    throw std::runtime_error{"OpenSSL cannot use Ed25519; check its installation"};
}

Bio reader_of(std::string_view text) {
    return require(Bio{BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))});
}

std::string text_in(BIO& bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(&bio, &data);
    return {data, static_cast<std::size_t>(size)};
}

// Without this OpenSSL would ask for the passphrase of an encrypted key on the terminal.
int no_passphrase(char*, int, int, void*) {
    return -1;
}

bool is_ed25519(const EVP_PKEY* key) {
    return key != nullptr && EVP_PKEY_is_a(key, "ED25519") == 1;
}

VerifyingKey::Raw public_half(const EVP_PKEY& key) {
    VerifyingKey::Raw raw{};
    std::size_t size = raw.size();
    require(EVP_PKEY_get_raw_public_key(&key, raw.data(), &size) == 1 && size == raw.size());
    return raw;
}

Key public_key(const VerifyingKey::Raw& raw) {
    return require(
        Key{EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw.data(), raw.size())});
}

} // namespace

Result<VerifyingKey> VerifyingKey::from_pem(std::string_view pem) {
    if (pem.size() > pem_max) return fail(Errc::limit, "a PEM key has at most 4096 bytes");
    const Bio bio = reader_of(pem);
    const Key key{PEM_read_bio_PUBKEY(bio.get(), nullptr, no_passphrase, nullptr)};
    ERR_clear_error();
    if (!is_ed25519(key.get())) {
        return fail(
            Errc::invalid, "not an Ed25519 public key in PEM form (-----BEGIN PUBLIC KEY-----)");
    }
    return VerifyingKey{public_half(*key)};
}

bool VerifyingKey::verify(ByteView message, ByteView signature) const {
    const Key key = public_key(raw_);
    const Context context = require(Context{EVP_MD_CTX_new()});
    require(EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1);
    const bool valid =
        EVP_DigestVerify(
            context.get(), signature.data(), signature.size(), message.data(), message.size()) == 1;
    ERR_clear_error();
    return valid;
}

std::string VerifyingKey::to_pem() const {
    const Key key = public_key(raw_);
    const Bio bio = require(Bio{BIO_new(BIO_s_mem())});
    require(PEM_write_bio_PUBKEY(bio.get(), key.get()) == 1);
    return text_in(*bio);
}

void SigningKey::Free::operator()(evp_pkey_st* key) const noexcept {
    EVP_PKEY_free(key); // wipes the private half
}

SigningKey SigningKey::from_seed(const Seed& seed) {
    return SigningKey{require(
        Handle{EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nullptr, seed.data(), seed.size())})};
}

Result<SigningKey> SigningKey::from_pem(std::string_view pem) {
    if (pem.size() > pem_max) return fail(Errc::limit, "a PEM key has at most 4096 bytes");
    const Bio bio = reader_of(pem);
    Handle key{PEM_read_bio_PrivateKey(bio.get(), nullptr, no_passphrase, nullptr)};
    ERR_clear_error();
    if (!is_ed25519(key.get())) {
        return fail(
            Errc::invalid, "not an unencrypted Ed25519 private key in PEM form "
                           "(-----BEGIN PRIVATE KEY-----)");
    }
    return SigningKey{std::move(key)};
}

Signature SigningKey::sign(ByteView message) const {
    const Context context = require(Context{EVP_MD_CTX_new()});
    require(EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1);
    Signature signature{};
    std::size_t size = signature.size();
    require(
        EVP_DigestSign(context.get(), signature.data(), &size, message.data(), message.size()) ==
        1);
    return signature;
}

VerifyingKey SigningKey::verifying_key() const {
    return VerifyingKey{public_half(*key_)};
}

std::string SigningKey::to_pem() const {
    const Bio bio = require(Bio{BIO_new(BIO_s_secmem())});
    require(
        PEM_write_bio_PKCS8PrivateKey(
            bio.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) == 1);
    return text_in(*bio);
}

} // namespace hive
