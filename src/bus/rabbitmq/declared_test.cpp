#include "bus/rabbitmq/backoff.hpp"
#include "bus/rabbitmq/declared.hpp"
#include "bus/rabbitmq/link_state.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace hive;
using namespace hive::bus;
using namespace hive::bus::rabbitmq;
using namespace std::chrono_literals;

TEST_CASE("what was removed or unbound is not declared again") {
    Declared declared;
    declared.add(Exchange{.name = "x"});
    declared.add(Exchange{.name = "y"});
    for (const char* name : {"a", "b", "c"}) {
        declared.add(Queue{.name = name});
        declared.add(Binding{"x", "key", name});
        declared.add(Binding{"y", "key", name});
    }
    declared.remove_queue("a");
    declared.remove(Binding{"x", "key", "b"});
    declared.remove_exchange("y");
    const Layout layout = declared.layout();
    REQUIRE(layout.exchanges.size() == 1);
    CHECK(layout.exchanges[0].name == "x");
    CHECK(layout.queues == std::vector<Queue>{{.name = "b"}, {.name = "c"}});
    CHECK(layout.bindings == std::vector<Binding>{{"x", "key", "c"}});
}

TEST_CASE("an auto-delete queue without a consumer is not brought back") {
    Declared declared;
    declared.add(Queue{.name = "tap", .auto_delete = true});
    declared.add(Binding{"x", "#", "tap"});
    declared.add(Queue{.name = "work"});
    declared.forget_auto_delete("tap");
    declared.forget_auto_delete("work");
    CHECK(declared.layout().queues == std::vector<Queue>{{.name = "work"}});
    CHECK(declared.layout().bindings.empty());
}

TEST_CASE("waits between attempts double up to their bound and differ by chance") {
    Backoff backoff{100ms, 1s};
    Random random{5};
    for (const Duration most : {100ms, 200ms, 400ms, 800ms, 1000ms, 1000ms}) {
        const Duration wait = backoff.next(random);
        CHECK(wait <= most);
        CHECK(wait >= most / 2);
    }
    backoff.reset();
    CHECK(backoff.next(random) <= 100ms);
}

TEST_CASE("the link is as bad as the worse side and each change is told once") {
    std::vector<std::string> told;
    LinkState link{[&](Link state, std::string_view why) {
        told.push_back(std::string{name_of(state)} + ": " + std::string{why});
    }};
    using Side = LinkState::Side;
    link.set(Side::publish, Link::up, "first");
    link.set(Side::publish, Link::blocked, "alarm");
    link.set(Side::consume, Link::away, "lost");
    link.set(Side::publish, Link::away, "lost too");
    link.set(Side::consume, Link::up, "back");
    link.set(Side::publish, Link::up, "all back");
    link.close("done");
    link.set(Side::publish, Link::away, "late");
    CHECK(
        told ==
        std::vector<std::string>{"blocked: alarm", "away: lost", "up: all back", "closed: done"});
    CHECK(link.get() == Link::closed);
}
