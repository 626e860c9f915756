#include "api/access.hpp"
#include "api/authenticator.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace hive::api;

static_assert(!std::is_default_constructible_v<Access>, "a route cannot forget its rule");

namespace {

unsigned status(const Access& access, const Principal* who) {
    const auto denied = access.deny(who);
    return denied ? denied->status : 200;
}

} // namespace

TEST_CASE("each rule lets in whom it names and nobody else") {
    using hive::accounts::Scopes;
    const Principal bee{"b", Role::bee, *Scopes::parse({"tasks:read"})};
    const Principal admin{"a", Role::admin, Scopes::of(Role::admin)};
    const Principal reader{"r", Role::readonly, Scopes::of(Role::readonly)};
    CHECK(status(Access::open_to_all(), nullptr) == 200);
    CHECK(status(Access::signed_in(), nullptr) == 401);
    CHECK(status(Access::signed_in(), &reader) == 200);
    const Access write = Access::needs(Area::tasks, Level::write);
    CHECK(status(write, nullptr) == 401);
    CHECK(status(write, &admin) == 200);
    CHECK(write.deny(&bee)->code == "scope-missing"); // the role, but a narrower key
    CHECK(write.deny(&reader)->code == "role-not-allowed");
    CHECK(write.scope() == "tasks:write");
    CHECK(write.deny(nullptr)->headers.find("WWW-Authenticate") == "Bearer");
}

TEST_CASE("credentials come from the header, the cookie or the query") {
    hive::http::Request request;
    request.headers = {
        {"authorization", "bearer  key1 "}, {"Cookie", "a=b; hive_session=s1; hive_sessionx=no"}};
    request.query = "xtoken=no&token=t1&token=t2";
    const Credentials found = credentials_of(request);
    CHECK(found.bearer == "key1");
    CHECK(found.cookie == "s1");
    CHECK(found.ticket == "t1");
    request.headers = {{"Authorization", "Basic eDp5"}};
    request.query = {};
    CHECK(credentials_of(request).none());
}
