#pragma once

#include "api/rest/oidc_config.hpp"
#include "api/rest/session_routes.hpp"
#include "kernel/log.hpp"
#include "web/client.hpp"

#include <functional>
#include <vector>

namespace hive::rest {

// What signing in through an identity provider works with; outlives the server.
struct OidcServices {
    web::Client& web;
    const Clock& clock;
    Logger log;
};

// For HiveParts::more: /auth/login and /auth/callback, which begin sessions of this server, record
// them and count failures as its other ways in do. The config has passed check().
std::function<std::vector<api::Route>(const SessionParts&)>
oidc_routes(OidcConfig config, OidcServices services);

} // namespace hive::rest
