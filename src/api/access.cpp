#include "api/access.hpp"

#include <fmt/format.h>

namespace hive::api {

std::string Access::scope() const {
    if (kind_ != Kind::scoped) return {};
    return fmt::format("{}:{}", name_of(area_), name_of(level_));
}

bool Access::admits(Role role) const noexcept {
    return kind_ != Kind::scoped || accounts::Scopes::of(role).allows(area_, level_);
}

std::optional<Problem> Access::deny(const Principal* who) const {
    if (kind_ == Kind::open) return std::nullopt;
    if (who == nullptr) {
        Problem problem{
            .status = 401,
            .code = "not-signed-in",
            .detail = "this needs a key: send `Authorization: Bearer <key>`, or sign in"};
        problem.headers.add("WWW-Authenticate", "Bearer");
        return problem;
    }
    if (kind_ == Kind::signed_in || who->may(area_, level_)) return std::nullopt;
    if (!admits(who->role)) {
        return Problem{
            .status = 403,
            .code = "role-not-allowed",
            .detail = fmt::format("the role {} may not do this", name_of(who->role))};
    }
    return Problem{
        .status = 403,
        .code = "scope-missing",
        .detail = fmt::format("this needs the scope {}, which the key does not have", scope())};
}

} // namespace hive::api
