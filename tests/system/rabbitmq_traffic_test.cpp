// Traffic from several producers to several consumers while the broker misbehaves: no confirmed
// item is lost, and every unacknowledged one comes back.
#include "tests/system/rabbitmq_traffic.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::tests;

TEST_CASE("nothing is lost while all connections are dropped again and again") {
    Traffic traffic{{.producers = 3, .consumers = 3, .items_each = 10'000}};
    for (std::size_t drop = 1; drop <= 8; ++drop) {
        REQUIRE(traffic.reaches(drop * traffic.total() / 12));
        shared_server().close_connections();
    }
    traffic.finish_and_check();
}

TEST_CASE("nothing is lost while the broker is restarted in mid-traffic") {
    Traffic traffic{{.producers = 2, .consumers = 2, .items_each = 10'000}};
    REQUIRE(traffic.reaches(traffic.total() / 4));
    shared_server().stop();
    shared_server().start();
    traffic.finish_and_check();
}

TEST_CASE("nothing that was confirmed is lost when the broker is killed in mid-traffic") {
    Traffic traffic{{.producers = 2, .consumers = 2, .items_each = 10'000}};
    REQUIRE(traffic.reaches(traffic.total() / 4));
    // The broker writes down a moment later that there is a queue: killed before that, it would
    // forget the queue with all that is in it.
    CHECK(shared_server().eval("mnesia:sync_log().") == "{ok, ok}");
    shared_server().kill();
    shared_server().start();
    traffic.finish_and_check();
}
