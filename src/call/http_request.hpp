#pragma once

#include "call/target.hpp"
#include "kernel/result.hpp"

#include <span>
#include <string>
#include <string_view>

namespace hive::call {

struct RequestField {
    std::string_view name;
    std::string_view value;
};

struct RequestParts {
    std::string_view method = "GET";
    std::string_view path = "/"; // with the query
    std::span<const RequestField> headers{};
    std::string_view body{};
    bool keep_alive = true;
};

// Appends the request as it is sent. Host and Content-Length are added where the headers do not
// say them; a Content-Length that is not the body's, Transfer-Encoding, line breaks and whatever
// else would make two messages of one are refused.
Status append_request(std::string& out, const Target& target, const RequestParts& parts);

} // namespace hive::call
