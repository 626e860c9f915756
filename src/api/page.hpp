#pragma once

#include "api/http/request.hpp"
#include "api/http/response.hpp"
#include "kernel/json.hpp"

#include <string>
#include <string_view>

namespace hive::api {

// Where the page after this one is, as a Link header (RFC 8288). A copy of what it needs: pages are
// read by work that may outlive its request.
class NextPage {
public:
    explicit NextPage(const http::Request& request);
    // {"items":[...],"next":"..."}; an empty cursor means that this is the last page.
    http::Response page(json::array items, const std::string& cursor) const;
    void link(http::Response& page, std::string_view cursor) const;

private:
    std::string here_; // path and query without a cursor, ready for one more parameter
};

} // namespace hive::api
