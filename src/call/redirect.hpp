#pragma once

#include "call/target.hpp"
#include "call/url.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::call {

bool is_redirect(unsigned status) noexcept; // 301, 302, 303, 307, 308

struct Redirect {
    Url url;
    std::string request;
    bool same_origin = true;
};

// The request that follows an answer with that status and Location, by the rules of curl: 303 asks
// with GET, so do 301 and 302 after a POST, the others repeat the request. Credentials do not go to
// another origin.
Result<Redirect>
follow(const Target& from, std::string_view request, unsigned status, std::string_view location);

} // namespace hive::call
