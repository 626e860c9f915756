#include "run/standard_swarm.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::run;
using namespace std::chrono_literals;

TEST_SUITE("run") {
    TEST_CASE("four bees call a URL as often as they are told") {
        const auto swarm = standard_swarm(
            {.url = "http://host:81/a?b=1#c",
             .method = "POST",
             .headers = {{"X", "y"}},
             .body = "z"},
            {.per_sec = 50, .length = 3s, .connections = 7});
        REQUIRE(swarm);
        CHECK(swarm->planned == 150);
        const json::array& bees = swarm->text.at("bees").as_array();
        const json::object& generator = bees[0].at("config").as_object();
        CHECK(generator.at("message").at("path") == "/a?b=1");
        CHECK(generator.at("message").at("body") == "z");
        CHECK(generator.at("inputs").at("scheduler").at("maxMessages") == 150);
        CHECK(bees[2].at("config").at("baseUrl") == "http://host:81");
        CHECK(bees[2].at("config").at("threadCount") == 7);
        CHECK(
            standard_swarm({.url = "https://host"}, {})
                ->text.at("bees")
                .as_array()[0]
                .at("config")
                .at("message")
                .at("path") == "/");
        CHECK(!standard_swarm({.url = "ftp://host/"}, {}));
        CHECK(!standard_swarm({.url = "host"}, {}));
    }
}
