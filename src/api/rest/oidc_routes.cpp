#include "api/rest/oidc_routes.hpp"

#include "api/rest/oidc_sign_in.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

namespace hive::rest {
namespace {

asio::awaitable<http::Response> let_in(SessionParts sessions, api::Call call, SignedIn who) {
    sessions.gatekeeper.login_succeeded(*call.request().peer);
    co_return co_await arrive(
        sessions, call,
        {.person = std::move(who.person),
         .role = who.role,
         .by = fmt::format("oidc:{}", who.provider),
         .return_to = std::move(who.return_to)});
}

asio::awaitable<void>
note_failure(SessionParts sessions, Logger log, api::Call call, SignInFailure failure) {
    if (failure.outage) {
        // Nobody did anything wrong: no pause, and nothing for the audit log.
        log.warn("the identity provider cannot be used", {{"reason", failure.reason}});
    } else {
        sessions.gatekeeper.login_failed(*call.request().peer, cause_of(call), failure.reason);
    }
    co_return;
}

} // namespace

std::function<std::vector<api::Route>(const SessionParts&)>
oidc_routes(OidcConfig config, OidcServices services) {
    return [config = std::move(config), services](const SessionParts& sessions) {
        OidcParts parts{
            .web = services.web,
            .clock = services.clock,
            .on_signed_in =
                [sessions](api::Call call, SignedIn who) {
                    return let_in(sessions, call, std::move(who));
                },
            .on_failed =
                [sessions, log = services.log](api::Call call, SignInFailure failure) {
                    return note_failure(sessions, log, call, std::move(failure));
                },
            .admit =
                [sessions](const api::Call& call) {
                    return too_many_failures(sessions.gatekeeper, *call.request().peer);
                }};
        return sign_in_routes(std::make_shared<OidcSignIn>(config, std::move(parts)));
    };
}

} // namespace hive::rest
