#pragma once

#include "api/http/request.hpp"
#include "api/mcp/tool.hpp"

#include <string>

namespace hive::mcp {

// A request of our own making in the name of whoever sent another one: with their key, from their
// address, in their trace. It stays where it was made.
class OwnRequest {
public:
    OwnRequest(const http::Request& caller, const RestCall& call);
    OwnRequest(const OwnRequest&) = delete;
    OwnRequest& operator=(const OwnRequest&) = delete;

    const http::Request& get() const noexcept { return request_; }

private:
    std::string method_;
    std::string target_;
    http::Request request_;
};

} // namespace hive::mcp
