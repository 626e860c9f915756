#pragma once

#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::importer {

struct RequestUrl {
    std::string base{};      // http://host:port
    std::string path = "/";  // with the query, without a fragment
    std::string user_info{}; // of http://user:password@host
};
// Of http and https only.
Result<RequestUrl> parse_request_url(std::string_view url);

// `get-orders-42` of GET /orders/42?x=1: short, and fit for a file and a threshold.
std::string call_name(std::string_view method, std::string_view path);
std::string name_from(std::string_view text); // letters, digits and single '-'; may be empty

std::string percent_encoded(std::string_view text); // all but letters, digits and -._~

} // namespace hive::importer
