#pragma once

#include "api/access.hpp"
#include "api/http/eventually.hpp"
#include "api/http/request.hpp"

#include <string_view>

namespace hive::api {

// What a request brings to prove who sent it. Views into the request.
struct Credentials {
    std::string_view bearer; // Authorization: Bearer ...
    std::string_view cookie; // the session cookie
    std::string_view ticket; // ?token=... of a WebSocket or event stream

    bool none() const noexcept { return bearer.empty() && cookie.empty() && ticket.empty(); }
};

inline constexpr std::string_view session_cookie = "hive_session";

Credentials credentials_of(const http::Request& request);

// Null when there are no credentials; a problem when there are and they are no good (expired,
// revoked, replayed), which is an answer even on a route that is open to all.
using Authentication = tl::expected<Identity, Problem>;

// Port: knows keys, sessions and tickets. Called from every thread at the same time.
class Authenticator {
public:
    virtual ~Authenticator() = default;
    // The request (for peer, Origin and method: a cookie alone must not change state from another
    // site) stays valid until the result is there.
    virtual http::Eventually<Authentication>
    authenticate(const Credentials& credentials, const http::Request& request) = 0;
};

} // namespace hive::api
