#pragma once

#include "api/http/request.hpp"
#include "api/http/response.hpp"
#include "api/problem.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

std::string etag_of_revision(std::uint64_t revision);  // `"r42"`
std::string etag_of_content(std::string_view content); // of its SHA-256

// If-None-Match: does the client have this already? (RFC 9110 §13.1.2: weak comparison)
bool is_not_modified(const http::Request& request, std::string_view etag);

// The answer with the tag of its content; 304 when the client has it already.
http::Response with_etag(const http::Request& request, http::Response response);

// If-Match on a change: 412 when the client saw another state, 428 when it must say and did not.
enum class IfMatch : bool { optional, required };

// What a request says in If-Match, for work that may outlive it.
class Precondition {
public:
    explicit Precondition(const http::Request& request);
    std::optional<Problem> check(std::string_view etag, IfMatch rule = IfMatch::optional) const;

private:
    std::vector<std::string> tags_;
    bool given_ = false;
};

std::string hex_sha256(std::string_view content);

} // namespace hive::api
