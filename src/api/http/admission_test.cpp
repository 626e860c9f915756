#include "api/http/admission.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace hive;
using namespace hive::http;

TEST_CASE("a peer with too many connections is told so, and others still come in") {
    const Limits limits{.connections = 4, .connections_per_peer = 2};
    Admission admission{limits};
    std::vector<Admission::Ticket> inside;
    for (int i = 0; i < 2; ++i) inside.push_back(std::move(*admission.admit("a")));
    const auto third = admission.admit("a");
    REQUIRE_FALSE(third);
    CHECK(third.error().code == Errc::limit);
    inside.push_back(std::move(*admission.admit("b")));
    inside.push_back(std::move(*admission.admit("")));
    CHECK(admission.admit("c").error().code == Errc::unavailable);
    CHECK(admission.count() == 4);
}

TEST_CASE("a place is given back when its ticket goes, once") {
    const Limits limits{.connections = 1, .connections_per_peer = 1};
    Admission admission{limits};
    {
        auto ticket = std::move(*admission.admit("a"));
        const auto moved = std::move(ticket);
        CHECK(admission.count() == 1);
    }
    CHECK(admission.count() == 0);
    CHECK(admission.admit("a"));
    CHECK(admission.wait_until_empty(std::chrono::steady_clock::now()));
}
