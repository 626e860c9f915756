#include "cli/event_lines.hpp"

#include <doctest/doctest.h>

using namespace hive;
using hive::cli::EventLines;

TEST_CASE("events come out whole, in whatever pieces their bytes came") {
    const std::string_view stream =
        ": hello\n\nid: 7\ndata: {\"data\":{\"event\":\"task.created\"}}\n\nid: 8\r\n"
        "data: {\"data\":{\"a\":1,\r\ndata: \"b\":2}}\r\n\r\ndata: not json\n\n"
        "data: {\"type\":\"gap\"}\n\n";
    for (std::size_t size = 1; size < stream.size(); ++size) {
        json::array seen;
        EventLines lines{[&](const json::object& event) { seen.push_back(event); }};
        for (std::size_t at = 0; at < stream.size(); at += size)
            lines.take(stream.substr(at, size));
        REQUIRE(seen.size() == 2);
        CHECK(seen[0].at("event") == "task.created");
        CHECK(seen[1].at("b") == 2);
        CHECK(lines.last() == 8);
    }
}
