#pragma once

#include "accounts/permission.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::accounts {

enum class Proof : std::uint8_t { api_key, session, ticket };

// Who is asking, once the proof has been checked.
struct Principal {
    std::string id; // the bee, person or service; what the audit names as actor
    Role role = Role::readonly;
    Scopes scopes{};
    Proof proof = Proof::api_key;
    std::string proof_id{}; // the key or session, for the audit and for revoking

    bool may(Area area, Level level) const noexcept { return scopes.allows(area, level); }
    bool operator==(const Principal&) const = default;
};

} // namespace hive::accounts
