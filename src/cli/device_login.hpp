#pragma once

#include "cli/client_config.hpp"
#include "cli/host.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

namespace hive::cli {

// Asks for a key that a person approves in a browser (RFC 8628), and waits until they do.
// Errc::denied: they said no. Errc::timeout: nobody answered in time. Errc::closed: interrupted.
Result<Secret> log_in_device(const Connection& connection, Host& host);

} // namespace hive::cli
