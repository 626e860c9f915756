#pragma once

#include "kernel/bytes.hpp"
#include "kernel/result.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct evp_pkey_st;

namespace hive {

// Ed25519 (RFC 8032): the same key and message always give the same signature.
using Signature = std::array<std::uint8_t, 64>;

// The public half: a plain value.
class VerifyingKey {
public:
    using Raw = std::array<std::uint8_t, 32>;

    explicit VerifyingKey(const Raw& raw) noexcept : raw_{raw} {}
    static Result<VerifyingKey> from_pem(std::string_view pem); // "BEGIN PUBLIC KEY"

    bool verify(ByteView message, ByteView signature) const;
    std::string to_pem() const;
    const Raw& raw() const noexcept { return raw_; }
    bool operator==(const VerifyingKey&) const = default;

private:
    Raw raw_;
};

// The private half: moved, never copied, wiped when it ends.
class SigningKey {
public:
    using Seed = std::array<std::uint8_t, 32>;

    // The whole key follows from the seed, which must be secret and unguessable.
    static SigningKey from_seed(const Seed& seed);
    static Result<SigningKey> from_pem(std::string_view pem); // PKCS #8, not encrypted

    Signature sign(ByteView message) const;
    VerifyingKey verifying_key() const;
    std::string to_pem() const; // a secret: for a file that only its owner can read

private:
    struct Free {
        void operator()(evp_pkey_st* key) const noexcept;
    };
    using Handle = std::unique_ptr<evp_pkey_st, Free>;
    explicit SigningKey(Handle key) noexcept : key_{std::move(key)} {}

    Handle key_;
};

} // namespace hive
