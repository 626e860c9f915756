#pragma once

#include "kernel/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::accounts {

enum class Role : std::uint8_t { admin, human, bee, readonly };

std::string_view name_of(Role role) noexcept;
Result<Role> parse_role(std::string_view text);

// What a route or message touches.
enum class Area : std::uint8_t {
    swarms,
    scenarios,
    tasks,
    channels,
    bees,
    approvals,
    costs,
    webhooks,
    audit,
    keys,
    system,
};
inline constexpr std::size_t area_count = 11;

// Each level includes those before it.
enum class Level : std::uint8_t { none, read, write, admin };

std::string_view name_of(Area area) noexcept;
std::string_view name_of(Level level) noexcept;

// A level per area, written as `tasks:write` or `*:read`.
class Scopes {
public:
    Scopes() = default;
    static Scopes everything();
    static Result<Scopes> parse(const std::vector<std::string>& texts); // all problems in one error
    static Scopes of(Role role); // what the role may do when a key is not narrowed further

    Level level(Area area) const noexcept { return levels_[static_cast<std::size_t>(area)]; }
    bool allows(Area area, Level needed) const noexcept { return level(area) >= needed; }
    Scopes& grant(Area area, Level level) noexcept; // never lowers

    // What both allow: a key never does more than its role.
    Scopes narrowed_by(const Scopes& other) const noexcept;
    bool includes(const Scopes& other) const noexcept;
    std::vector<std::string> texts() const; // the shortest spelling that parses back
    bool operator==(const Scopes&) const = default;

private:
    std::array<Level, area_count> levels_{};
};

} // namespace hive::accounts
