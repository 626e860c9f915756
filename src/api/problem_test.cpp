#include "api/problem.hpp"
#include "kernel/json.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

TEST_CASE("each kind of error has its status, and says whether to try again") {
    struct Case {
        Errc code;
        unsigned status;
        bool retryable;
    };
    for (const auto& [code, status, retryable] : std::vector<Case>{
             {Errc::invalid, 400, false},
             {Errc::not_found, 404, false},
             {Errc::conflict, 409, false},
             {Errc::denied, 403, false},
             {Errc::limit, 429, true},
             {Errc::timeout, 504, true},
             {Errc::unavailable, 503, true},
             {Errc::closed, 503, true}}) {
        const Problem problem = problem_of(Error{code, "why"});
        CHECK(problem.status == status);
        CHECK(problem.retryable == retryable);
        CHECK(problem.code == name_of(code));
    }
}

TEST_CASE("a problem document has what RFC 9457 asks for and what programs need") {
    const Problem problem{
        .status = 400,
        .code = "invalid-input",
        .detail = "no \"name\"",
        .errors = {{"/a", "is b"}}};
    const auto response = to_response(problem, "/api/v1/x", "r1");
    CHECK(response.status == 400);
    CHECK(response.content_type == "application/problem+json");
    CHECK(
        *parse_json(http::view_of(response.body)) ==
        json::value{
            {"type", "urn:hive:problem:invalid-input"},
            {"title", "Bad Request"},
            {"status", 400},
            {"code", "invalid-input"},
            {"detail", "no \"name\""},
            {"retryable", false},
            {"instance", "/api/v1/x"},
            {"requestId", "r1"},
            {"errors", {{{"pointer", "/a"}, {"detail", "is b"}}}}});
}

TEST_CASE("the words of an exception do not leave the house") {
    CHECK(
        problem_of(http::Refusal{500, "internal-error", "secret"}).detail.find("secret") ==
        std::string::npos);
    CHECK(problem_of(http::Refusal{431, "head-too-large", "why"}).detail == "why");
}
