#include "accounts/permission.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace hive::accounts {
namespace {

constexpr std::array<std::string_view, 4> role_names{"admin", "human", "bee", "readonly"};
constexpr std::array<std::string_view, area_count> area_names{
    "swarms", "scenarios", "tasks", "channels", "bees",  "approvals",
    "costs",  "webhooks",  "audit", "keys",     "system"};
constexpr std::array<std::string_view, 4> level_names{"none", "read", "write", "admin"};

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view text) {
    const auto at = std::ranges::find(names, text);
    if (at == names.end()) return std::nullopt;
    return static_cast<Enum>(at - names.begin());
}

constexpr Area area_at(std::size_t i) {
    return static_cast<Area>(i);
}

// `tasks:write`; the area may be `*`. A problem is told, not thrown away.
std::optional<std::string> add_scope(Scopes& scopes, std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto area_text = text.substr(0, colon);
    const auto level_text = colon == text.npos ? std::string_view{} : text.substr(colon + 1);
    const auto level = find_name<Level>(level_names, level_text);
    const auto area = find_name<Area>(area_names, area_text);
    if (!level || *level == Level::none || (!area && area_text != "*")) {
        return fmt::format(
            "'{}' is not AREA:LEVEL (areas {} or *; levels read, write, admin)", text.substr(0, 40),
            fmt::join(area_names, ", "));
    }
    for (std::size_t i = 0; i < area_count; ++i) {
        if (!area || *area == area_at(i)) scopes.grant(area_at(i), *level);
    }
    return std::nullopt;
}

} // namespace

std::string_view name_of(Role role) noexcept {
    return role_names[static_cast<std::size_t>(role)];
}
std::string_view name_of(Area area) noexcept {
    return area_names[static_cast<std::size_t>(area)];
}
std::string_view name_of(Level level) noexcept {
    return level_names[static_cast<std::size_t>(level)];
}

Result<Role> parse_role(std::string_view text) {
    if (const auto role = find_name<Role>(role_names, text)) return *role;
    return fail(
        Errc::invalid, fmt::format(
                           "'{}' is not a role; choose one of {}", text.substr(0, 40),
                           fmt::join(role_names, ", ")));
}

Scopes Scopes::everything() {
    Scopes scopes;
    scopes.levels_.fill(Level::admin);
    return scopes;
}

Result<Scopes> Scopes::parse(const std::vector<std::string>& texts) {
    Scopes scopes;
    std::vector<std::string> problems;
    for (const auto& text : texts) {
        if (auto problem = add_scope(scopes, text)) problems.push_back(std::move(*problem));
    }
    if (!problems.empty()) return fail(Errc::invalid, fmt::format("{}", fmt::join(problems, "; ")));
    return scopes;
}

Scopes Scopes::of(Role role) {
    switch (role) {
    case Role::admin: return everything();
    case Role::human: {
        // People run and decide; keys, webhooks and the system stay with admins.
        Scopes scopes = of(Role::readonly);
        for (const Area area :
             {Area::swarms, Area::scenarios, Area::tasks, Area::channels, Area::bees,
              Area::approvals, Area::costs}) {
            scopes.grant(area, Level::write);
        }
        return scopes;
    }
    case Role::bee: {
        // A bee works on tasks and talks; it sees swarms but does not steer them.
        Scopes scopes;
        for (const Area area : {Area::swarms, Area::scenarios, Area::approvals}) {
            scopes.grant(area, Level::read);
        }
        for (const Area area : {Area::tasks, Area::channels, Area::bees, Area::costs}) {
            scopes.grant(area, Level::write);
        }
        return scopes;
    }
    case Role::readonly: {
        Scopes scopes;
        for (std::size_t i = 0; i < area_count; ++i) scopes.grant(area_at(i), Level::read);
        // Who holds which key and how the server is set up is not for every reader.
        scopes.levels_[static_cast<std::size_t>(Area::keys)] = Level::none;
        scopes.levels_[static_cast<std::size_t>(Area::webhooks)] = Level::none;
        return scopes;
    }
    }
    std::abort();
}

Scopes& Scopes::grant(Area area, Level level) noexcept {
    auto& current = levels_[static_cast<std::size_t>(area)];
    current = std::max(current, level);
    return *this;
}

Scopes Scopes::narrowed_by(const Scopes& other) const noexcept {
    Scopes both;
    for (std::size_t i = 0; i < area_count; ++i) {
        both.levels_[i] = std::min(levels_[i], other.levels_[i]);
    }
    return both;
}

bool Scopes::includes(const Scopes& other) const noexcept {
    return narrowed_by(other) == other;
}

std::vector<std::string> Scopes::texts() const {
    std::vector<std::string> out;
    const Level everywhere = *std::ranges::min_element(levels_);
    if (everywhere != Level::none) out.push_back(fmt::format("*:{}", name_of(everywhere)));
    for (std::size_t i = 0; i < area_count; ++i) {
        if (levels_[i] > everywhere) {
            out.push_back(fmt::format("{}:{}", area_names[i], name_of(levels_[i])));
        }
    }
    return out;
}

} // namespace hive::accounts
