#include "call/headers.hpp"

#include <doctest/doctest.h>

using namespace hive::call;

TEST_CASE("fields that come in pieces are whole, in order, and found whatever their case") {
    Headers headers;
    headers.begin_field();
    headers.append_name("Content-");
    headers.append_name("Type");
    headers.append_value("text/");
    headers.append_value("plain");
    headers.begin_field();
    headers.append_name("X-Empty");
    REQUIRE(headers.size() == 2);
    CHECK(headers[0].name == "Content-Type");
    CHECK(headers.find("content-TYPE") == "text/plain");
    CHECK(headers[1].value.empty());
    CHECK(headers.find("Content").empty());
    headers.clear();
    CHECK(headers.empty());
    CHECK(headers.find("Content-Type").empty());
}
