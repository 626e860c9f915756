#include "colony/webhooks/signature.hpp"

#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"

#include <fmt/format.h>

#include <chrono>

namespace hive::colony::webhooks {
namespace {

constexpr std::string_view prefix = "whsec_";
constexpr std::size_t key_bytes_min = 24;
constexpr std::size_t key_bytes_max = 64;

} // namespace

Secret make_secret(const std::array<std::uint8_t, secret_bytes>& bytes) {
    return Secret{std::string{prefix} + to_base64(bytes)};
}

Result<Bytes> key_of(const Secret& secret) {
    const std::string_view text = secret.reveal();
    if (!text.starts_with(prefix)) {
        return fail(Errc::invalid, "a webhook secret begins with whsec_");
    }
    auto key = from_base64(text.substr(prefix.size()));
    if (!key || key->size() < key_bytes_min || key->size() > key_bytes_max) {
        return fail(
            Errc::invalid, "after whsec_ a webhook secret has 24 to 64 bytes in padded base64");
    }
    return key;
}

std::int64_t seconds_of(Timestamp at) {
    return std::chrono::floor<std::chrono::seconds>(at.time_since_epoch()).count();
}

Result<std::string> sign(const Secret& secret, const Signed& message) {
    const auto key = key_of(secret);
    if (!key) return fail(key.error());
    const std::string text =
        fmt::format("{}.{}.{}", message.id, seconds_of(message.at), message.body);
    return "v1," + to_base64(hmac_sha256(*key, bytes_of(text)));
}

} // namespace hive::colony::webhooks
