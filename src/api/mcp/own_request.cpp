#include "api/mcp/own_request.hpp"

namespace hive::mcp {

OwnRequest::OwnRequest(const http::Request& caller, const RestCall& call)
    : method_{call.method}, target_{call.path} {
    request_.method = http::method_of(method_);
    request_.method_text = method_;
    request_.target = target_;
    const std::string_view target{target_};
    const std::size_t mark = target.find('?');
    request_.path = target.substr(0, mark);
    if (mark != target.npos) request_.query = target.substr(mark + 1);
    // No cookie: what a browser adds by itself speaks for nobody here.
    for (const auto* name : {"Authorization", "Host", "User-Agent", "traceparent"}) {
        if (const auto value = caller.header(name)) request_.headers.push_back({name, *value});
    }
    if (call.body) {
        request_.body = to_text(*call.body);
        request_.content_length = request_.body.size();
        request_.headers.push_back({"Content-Type", "application/json"});
    }
    request_.peer = caller.peer;
}

} // namespace hive::mcp
