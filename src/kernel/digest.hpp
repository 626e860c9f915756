#pragma once

#include "kernel/bytes.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

struct evp_md_ctx_st;

namespace hive {

inline constexpr std::size_t digest_size = 32;
using Digest = std::array<std::uint8_t, digest_size>; // SHA-256

// SHA-256 of input that arrives in pieces. Usable again after finish().
class Sha256 {
public:
    Sha256();
    Sha256& update(ByteView bytes);
    Digest finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const noexcept;
    };
    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

// SHA-256 of the parts one after another; nothing marks where one ends.
Digest sha256(std::initializer_list<ByteView> parts);
inline Digest sha256(ByteView bytes) {
    return sha256({bytes});
}

// MD5, for systems that ask for it; broken as proof of anything.
std::array<std::uint8_t, 16> md5(ByteView bytes);

Digest hmac_sha256(ByteView key, ByteView message);

// Takes the same time wherever the first difference is; only the sizes may show.
bool equal_in_constant_time(ByteView a, ByteView b) noexcept;

// The CRC of zip and Ethernet (reflected 0xEDB88320): finds typing errors, proves nothing.
std::uint32_t crc32(ByteView bytes) noexcept;

} // namespace hive
