#pragma once

#include "api/call.hpp"
#include "api/problem.hpp"

#include <string>
#include <string_view>

namespace hive::rest {

// A cookie of the request; empty when it is not there.
std::string_view cookie_of(const http::Request& request, std::string_view name);

// The answer to a browser on its way: neither kept nor, as its address holds a code, told to
// others.
void keep_private(http::Response& response);

// A problem document, or a small page with the same words for who asks for HTML.
http::Response explain(const api::Call& call, const api::Problem& problem);

} // namespace hive::rest
