#pragma once

#include "api/http/refusal.hpp"
#include "api/http/request.hpp"
#include "api/http/response.hpp"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hive::ws {

struct HandshakeOptions {
    std::vector<std::string> subprotocols{}; // what we speak, best first; empty: none is chosen
};

// The 101 that answers an upgrade request, or why there is none. Whether the Origin is welcome is
// for the caller to decide first.
tl::expected<http::Response, http::Refusal>
accept_upgrade(const http::Request& request, const HandshakeOptions& options = {});

std::string accept_key(std::string_view key);

} // namespace hive::ws
