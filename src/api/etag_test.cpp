#include "api/etag.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::api;

namespace {

struct Asking : http::Request {
    Asking(std::string_view name, std::string_view value) { headers = {{name, value}}; }
};

unsigned status(const std::optional<Problem>& problem) {
    return problem ? problem->status : 200;
}

} // namespace

TEST_CASE("If-None-Match knows lists, stars and weak tags") {
    const std::string tag = etag_of_revision(7);
    CHECK(tag == "\"r7\"");
    CHECK(is_not_modified(Asking{"If-None-Match", "\"r6\", \"r7\""}, tag));
    CHECK(is_not_modified(Asking{"If-None-Match", "W/\"r7\""}, tag));
    CHECK(is_not_modified(Asking{"If-None-Match", "*"}, tag));
    CHECK_FALSE(is_not_modified(Asking{"If-None-Match", "\"r70\""}, tag));
    CHECK_FALSE(is_not_modified(Asking{"X", "\"r7\""}, tag));
}

TEST_CASE("If-Match protects a change from what the client has not seen") {
    const std::string tag = etag_of_revision(7);
    CHECK(status(Precondition{Asking{"If-Match", "\"r7\""}}.check(tag, IfMatch::required)) == 200);
    CHECK(status(Precondition{Asking{"If-Match", "\"r6\""}}.check(tag, IfMatch::required)) == 412);
    CHECK(
        status(Precondition{Asking{"If-Match", "W/\"r7\""}}.check(tag, IfMatch::optional)) == 412);
    CHECK(status(Precondition{Asking{"X", ""}}.check(tag, IfMatch::required)) == 428);
    CHECK(status(Precondition{Asking{"X", ""}}.check(tag, IfMatch::optional)) == 200);
}

TEST_CASE("If-Match takes a list, and a star for anything that is there") {
    const std::string tag = etag_of_revision(7);
    CHECK(status(Precondition{Asking{"If-Match", "W/\"r1\", \"r7\""}}.check(tag)) == 200);
    CHECK(status(Precondition{Asking{"If-Match", "*"}}.check(tag)) == 200);
    CHECK(status(Precondition{Asking{"If-Match", ""}}.check(tag)) == 412);
}

TEST_CASE("an answer carries its tag, and is not sent to who has it") {
    const http::Response answer =
        with_etag({}, {.content_type = "text/plain", .body = std::string{"a"}});
    CHECK(answer.headers.find("ETag") == etag_of_content("a"));
    const http::Response again =
        with_etag(Asking{"If-None-Match", etag_of_content("a")}, {.body = std::string{"a"}});
    CHECK(again.status == 304);
    CHECK(http::view_of(again.body).empty());
    CHECK_FALSE(with_etag({}, {.status = 404}).headers.find("ETag"));
}

TEST_CASE("a content tag follows the content") {
    CHECK(etag_of_content("a") == etag_of_content("a"));
    CHECK(etag_of_content("a") != etag_of_content("b"));
    CHECK(hex_sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
