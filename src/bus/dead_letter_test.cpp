#include "bus/dead_letter.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace hive;
using namespace hive::bus;

TEST_CASE("a dead item carries the reason as text and the attempts as a number") {
    wire::WorkItem item;
    mark_dead(item, "no answer", 3);
    mark_dead(item, "refused", 4);
    CHECK(item.headers.text(error_header) == "refused");
    REQUIRE(item.headers.find(attempts_header) != nullptr);
    CHECK(*item.headers.find(attempts_header) == wire::HeaderValue::json("4"));
    CHECK(item.headers.size() == 2);
}

TEST_CASE("a long reason is cut, and never within a character") {
    wire::WorkItem item;
    mark_dead(item, std::string(5000, 'x'), 1);
    CHECK(item.headers.text(error_header).size() == error_bytes_max);

    std::string accents = "x";
    while (accents.size() <= error_bytes_max) accents += "\xc3\xa9";
    mark_dead(item, accents, 1);
    CHECK(item.headers.text(error_header) == accents.substr(0, error_bytes_max - 1));
}
