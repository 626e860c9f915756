#pragma once

#include "accounts/principal.hpp"
#include "api/problem.hpp"

#include <memory>
#include <optional>
#include <string>

namespace hive::api {

using accounts::Area;
using accounts::Level;
using accounts::Principal;
using accounts::Role;

// Shared, because an authenticator keeps it and many requests use it at the same time. Null:
// nobody.
using Identity = std::shared_ptr<const Principal>;

// Who may use a route. There is no default: a route without a rule does not compile.
class Access {
public:
    static Access open_to_all() { return Access{Kind::open, Area::system, Level::none}; }
    static Access signed_in() { return Access{Kind::signed_in, Area::system, Level::none}; }
    static Access needs(Area area, Level level) { return Access{Kind::scoped, area, level}; }

    bool is_open() const noexcept { return kind_ == Kind::open; }
    std::string scope() const;             // `tasks:write`; empty when none is needed
    bool admits(Role role) const noexcept; // with a key that is not narrowed

    // Nothing when allowed; otherwise 401 for nobody, 403 for somebody else.
    std::optional<Problem> deny(const Principal* who) const;

private:
    enum class Kind : std::uint8_t { open, signed_in, scoped };
    Access(Kind kind, Area area, Level level) : kind_{kind}, area_{area}, level_{level} {}

    Kind kind_;
    Area area_;
    Level level_;
};

} // namespace hive::api
