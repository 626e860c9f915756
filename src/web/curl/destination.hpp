#pragma once

#include "kernel/result.hpp"

#include <string>

namespace hive::web::curl {

// Where a request goes, as errors name it: a URL may hold a password or a token, so it is never
// shown whole.
struct Destination {
    std::string host;
    std::string port;

    std::string text() const { return host + ':' + port; }
};

// Errc::invalid for what is not an http or https URL.
Result<Destination> parse_destination(const std::string& url);

} // namespace hive::web::curl
