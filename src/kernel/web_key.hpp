#pragma once

#include "kernel/bytes.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

struct evp_pkey_st;

namespace hive {

// The signature algorithms of RFC 7518 that identity providers use. `none` and the shared-secret
// ones are not here on purpose: a token could otherwise choose how it is checked.
enum class WebAlgorithm : std::uint8_t { rs256, es256, eddsa };

Result<WebAlgorithm> parse_web_algorithm(std::string_view text);

// One public key of a JSON Web Key Set (RFC 7517): RSA of 2048 to 8192 bits, P-256, Ed25519.
class WebKey {
public:
    static Result<WebKey> from_jwk(const json::object& jwk);

    const std::string& id() const noexcept { return id_; }
    // False as well when the key is of another kind than the algorithm needs.
    bool verify(WebAlgorithm algorithm, ByteView message, ByteView signature) const;

private:
    WebKey(std::string id, std::shared_ptr<evp_pkey_st> key)
        : id_{std::move(id)}, key_{std::move(key)} {}

    std::string id_;
    std::shared_ptr<evp_pkey_st> key_; // shared: copies of the set are handed to verifying threads
};

// Keys that are not for signatures or of a kind we do not use are left out; at most 64 are read.
Result<std::vector<WebKey>> parse_web_keys(std::string_view document);

} // namespace hive
