#pragma once

#include "api/rest/oidc_config.hpp"
#include "cli/server_config.hpp"

#include <string>

namespace hive::cli {

// The provider of the settings; Errc::invalid with everything that is wrong with them.
Result<rest::OidcConfig> oidc_config_of(const SignInConfig& config, const std::string& public_url);

} // namespace hive::cli
