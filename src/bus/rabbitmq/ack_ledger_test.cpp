#include "bus/rabbitmq/ack_ledger.hpp"
#include "kernel/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

using namespace hive;
using namespace hive::bus::rabbitmq;

namespace {

using Acks = std::vector<AckLedger::Ack>;

AckLedger::Plan acknowledge(AckLedger& ledger, const std::vector<std::uint64_t>& serials) {
    return ledger.acknowledge(serials);
}

void record(AckLedger& ledger, std::uint64_t first, std::uint64_t last) {
    for (auto tag = first; tag <= last; ++tag) ledger.record(tag);
}

} // namespace

TEST_CASE("a run of deliveries is acknowledged with one frame") {
    AckLedger ledger;
    record(ledger, 1, 10);
    CHECK(acknowledge(ledger, {1, 2, 3, 4}).acks == Acks{{4, true}});
    CHECK(acknowledge(ledger, {6, 5}).acks == Acks{{6, true}});
    CHECK(ledger.unsettled() == 4);
}

TEST_CASE("what is beyond a gap is held until the gap closes, and then needs no frame of its own") {
    AckLedger ledger;
    record(ledger, 1, 6);
    CHECK(acknowledge(ledger, {1, 5, 3}).acks == Acks{{1, true}});
    CHECK(ledger.held() == 2);
    CHECK(acknowledge(ledger, {2}).acks == Acks{{3, true}});
    CHECK(acknowledge(ledger, {4, 6}).acks == Acks{{6, true}});
    CHECK(ledger.held() == 0);
    CHECK(ledger.unsettled() == 0);
}

TEST_CASE("what is held can be acknowledged all the same, each by itself") {
    AckLedger ledger;
    record(ledger, 1, 6);
    CHECK(acknowledge(ledger, {1, 3, 5}).acks == Acks{{1, true}});
    CHECK(ledger.release() == Acks{{3, false}, {5, false}});
    CHECK(ledger.release().empty());
    // 3 is acknowledged, so the broker no longer knows it: the multiple ack names 2.
    CHECK(acknowledge(ledger, {2}).acks == Acks{{2, true}});
    CHECK(acknowledge(ledger, {4, 6}).acks == Acks{{6, true}});
    CHECK(ledger.unsettled() == 0);
}

TEST_CASE("what was held when its session was lost is not acknowledged in the next") {
    AckLedger ledger;
    record(ledger, 1, 3);
    CHECK(acknowledge(ledger, {3}).acks.empty());
    ledger.begin_session();
    CHECK(ledger.held() == 0);
    record(ledger, 1, 3); // the same three again
    CHECK(acknowledge(ledger, {4}).acks == Acks{{1, true}});
    CHECK(ledger.release().empty());
}

TEST_CASE("settling twice and unknown deliveries send nothing") {
    AckLedger ledger;
    record(ledger, 1, 2);
    CHECK(acknowledge(ledger, {1}).acks.size() == 1);
    CHECK(acknowledge(ledger, {1, 9}).acks.empty());
    CHECK(!ledger.refuse(1));
    CHECK(ledger.refuse(2) == 2U);
    CHECK(!ledger.refuse(2));
    CHECK(acknowledge(ledger, {2}).acks.empty());
}

TEST_CASE("a refused delivery does not hold up the run behind it") {
    AckLedger ledger;
    record(ledger, 1, 3);
    CHECK(ledger.refuse(1) == 1U);
    CHECK(acknowledge(ledger, {2, 3}).acks == Acks{{3, true}});
}

TEST_CASE("deliveries of an earlier session are stale and their tags start over") {
    AckLedger ledger;
    record(ledger, 1, 5);
    ledger.begin_session();
    CHECK(ledger.record(1) == 6);
    CHECK(ledger.record(2) == 7);
    const auto plan = acknowledge(ledger, {2, 5, 6, 7});
    CHECK(plan.stale == 2);
    CHECK(plan.acks == Acks{{2, true}});
    CHECK(!ledger.refuse(3));
}

TEST_CASE("whatever the order of settling, each tag is outstanding when it is named") {
    Random random{11};
    for (int round = 0; round < 200; ++round) {
        AckLedger ledger;
        std::set<std::uint64_t> outstanding; // as the broker sees it
        std::vector<std::uint64_t> held;
        std::uint64_t next = 1;
        for (int step = 0; step < 100; ++step) {
            for (auto count = random.below(4); count > 0; --count, ++next) {
                ledger.record(next);
                outstanding.insert(next);
                held.push_back(next);
            }
            std::vector<std::uint64_t> batch;
            while (!held.empty() && random.chance(0.6)) {
                const auto at =
                    held.begin() + static_cast<std::ptrdiff_t>(random.below(held.size()));
                batch.push_back(*at);
                held.erase(at);
            }
            auto acks = ledger.acknowledge(batch).acks;
            if (random.chance(0.3)) std::ranges::copy(ledger.release(), std::back_inserter(acks));
            for (const auto& ack : acks) {
                REQUIRE(outstanding.contains(ack.tag));
                outstanding.erase(
                    ack.multiple ? outstanding.begin() : outstanding.find(ack.tag),
                    std::next(outstanding.find(ack.tag)));
            }
            // Nothing is acknowledged before its time, and what is settled is at most held.
            for (const auto serial : held) REQUIRE(outstanding.contains(serial));
            REQUIRE(outstanding.size() == held.size() + ledger.held());
        }
    }
}
