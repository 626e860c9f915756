#pragma once

#include "kernel/bytes.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <array>
#include <string>
#include <string_view>

namespace hive::colony::webhooks {

// Signatures as Standard Webhooks 1.0 has them: HMAC-SHA256 over `id.seconds.body`.

inline constexpr std::size_t secret_bytes = 32;
Secret make_secret(const std::array<std::uint8_t, secret_bytes>& bytes); // `whsec_<base64>`

// The key of a secret: 24 to 64 bytes in base64 after `whsec_`.
Result<Bytes> key_of(const Secret& secret);

struct Signed {
    std::string_view id;
    Timestamp at{};
    std::string_view body;
};
// `v1,<base64>`
Result<std::string> sign(const Secret& secret, const Signed& message);
std::int64_t seconds_of(Timestamp at);

} // namespace hive::colony::webhooks
