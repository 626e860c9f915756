#include "api/page.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

namespace {

std::string next_link(std::string_view path, std::string_view query) {
    http::Request request;
    request.path = path;
    request.query = query;
    http::Response page;
    NextPage{request}.link(page, "c2");
    return std::string{page.headers.find("Link").value_or("")};
}

} // namespace

TEST_CASE("the next page is this question with another cursor") {
    CHECK(next_link("/api/v1/runs", "") == "</api/v1/runs?cursor=c2>; rel=\"next\"");
    CHECK(
        next_link("/api/v1/runs", "limit=2&cursor=c1&swarm=a") ==
        "</api/v1/runs?limit=2&swarm=a&cursor=c2>; rel=\"next\"");
}

TEST_CASE("what somebody asked cannot break out of the header") {
    CHECK(
        next_link("/x", "swarm=a>;b\"\r\nX: y") ==
        "</x?swarm=a%3E;b%22%0D%0AX:%20y&cursor=c2>; rel=\"next\"");
}
