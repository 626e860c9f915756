#include "kernel/random.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/swarm_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <cstdlib>
#include <thread>
#include <unordered_map>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using orchestrator::Wish;
using wire::OutcomeStatus;

namespace {

// HIVE_DELIVERY_ITEMS=1000000 makes it the large one.
std::size_t items_wanted() {
    const char* given = std::getenv("HIVE_DELIVERY_ITEMS"); // NOLINT: nobody writes it
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 20'000;
}

json::object chain_that_comes_back(int bees) {
    json::object text = chain_of(bees);
    for (auto& bee : text["bees"].as_array()) {
        bee.as_object()["restart"] = {
            {"policy", "on-failure"}, {"backoff", "100ms"}, {"max", 1000}};
    }
    return text;
}

class Delivery {
public:
    explicit Delivery(SwarmScene& scene) : scene_{scene} {}

    // In batches, each confirmed by the broker before it counts as sent.
    void send(std::size_t count) {
        auto sender = scene_.outside().work().open_sender({.window = 1024});
        REQUIRE(sender);
        std::vector<wire::WorkItem> batch;
        for (std::size_t i = 0; i < count;) {
            batch.clear();
            for (; batch.size() < 500 && i < count; ++i) {
                wire::WorkItem item{.trace_id = fmt::format("item-{}", i), .swarm_id = "alpha"};
                item.add_step({.payload = "x", .by = {"test", "test-1"}}, {});
                batch.push_back(std::move(item));
            }
            std::span<wire::WorkItem> left{batch};
            while (!left.empty()) {
                const auto sent = (*sender)->send({"", "ph.work.alpha.in"}, left, 30s);
                REQUIRE_MESSAGE(sent, (sent ? "" : sent.error().detail));
                left = left.subspan(*sent);
            }
        }
        REQUIRE((*sender)->flush(60s));
    }

    // What has come out at the other end; says whether something did.
    bool collect() {
        if (!receiver_) {
            auto receiver = scene_.outside().work().open_receiver({.queue = "ph.work.alpha.out"});
            if (!receiver) return false;
            receiver_ = *std::move(receiver);
        }
        const auto items = receiver_->receive(256, 100ms);
        if (!items || items->empty()) return false;
        std::vector<std::uint64_t> tags;
        for (const auto& delivered : *items) {
            ++seen_[delivered.item.trace_id];
            tags.push_back(delivered.tag);
        }
        CHECK(receiver_->ack(tags));
        return true;
    }
    std::size_t unique() const { return seen_.size(); }
    std::size_t duplicates() const {
        std::size_t more = 0;
        for (const auto& [id, times] : seen_) more += times - 1;
        return more;
    }

private:
    SwarmScene& scene_;
    std::unique_ptr<bus::WorkReceiver> receiver_{};
    std::unordered_map<std::string, std::size_t> seen_{};
};

void kill_one_bee(SwarmScene& scene, Random& random) {
    const auto name = fmt::format("alpha-echo-{}", random.below(4) + 1);
    for (const auto& one : scene.running()) {
        if (one.name.instance.text() == name && one.pid) ::kill(*one.pid, SIGKILL);
    }
}

} // namespace

TEST_CASE("items through four bees on RabbitMQ: none is lost, whoever is killed on the way") {
    RabbitServer broker;
    SwarmScene scene{{.broker = broker.url()}};
    const auto created = scene.create("alpha", chain_that_comes_back(4));
    REQUIRE_MESSAGE(created.status == OutcomeStatus::ready, created.reason);
    REQUIRE(scene.wish("alpha", Wish::running).status == OutcomeStatus::running);
    const std::size_t wanted = items_wanted();
    Delivery delivery{scene};
    delivery.send(wanted);

    Random random{7};
    const std::size_t kills = 6;
    auto deadline = std::chrono::steady_clock::now() + 120s;
    for (std::size_t killed = 0; delivery.unique() < wanted;) {
        const bool moved = delivery.collect();
        if (moved) deadline = std::chrono::steady_clock::now() + 120s;
        REQUIRE_MESSAGE(
            std::chrono::steady_clock::now() < deadline,
            delivery.unique() << " of " << wanted << " after " << killed << " kills");
        // Spread over the run, the broker once in the middle.
        if (killed < kills && delivery.unique() * (kills + 1) >= wanted * (killed + 1)) {
            ++killed;
            if (killed == kills / 2) {
                broker.stop();
                broker.start();
            } else {
                kill_one_bee(scene, random);
            }
        }
    }
    CHECK(delivery.unique() == wanted);
    MESSAGE(wanted, " items, ", delivery.duplicates(), " came more than once");
    CHECK(scene.wish("alpha", Wish::removed).status == OutcomeStatus::removed);
    for (const auto& wrong : scene.spy().violations()) CHECK_MESSAGE(false, wrong);
}
