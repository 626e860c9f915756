#include "bus/memory/hub.hpp"
#include "kernel/clock.hpp"
#include "kernel/random.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

using namespace hive;
using namespace hive::bus;
using namespace std::chrono_literals;

namespace {

constexpr int producers = 3;
constexpr int consumers = 3;
constexpr std::size_t per_producer = 20'000;

// Which items were acknowledged how often, over all consumers.
class Ledger {
public:
    void add(const std::vector<std::size_t>& numbers) {
        const std::lock_guard lock{mutex_};
        for (const std::size_t number : numbers) ++seen_[number];
        total_ += numbers.size();
    }
    std::size_t total() const { return total_; }
    bool each_once() const {
        const std::lock_guard lock{mutex_};
        for (const int count : seen_) {
            if (count != 1) return false;
        }
        return true;
    }

private:
    mutable std::mutex mutex_;
    std::vector<int> seen_ = std::vector<int>(producers * per_producer);
    std::atomic<std::size_t> total_{0};
};

void produce(Connection& connection, std::size_t first) {
    auto sender = connection.work().open_sender({}).value();
    Random random{first};
    for (std::size_t sent = 0; sent < per_producer;) {
        std::vector<wire::WorkItem> batch(
            std::min<std::size_t>(1 + random.below(100), per_producer - sent));
        for (std::size_t i = 0; i < batch.size(); ++i) {
            batch[i].trace_id = std::to_string(first + sent + i);
            batch[i].steps.emplace_back();
        }
        std::span<wire::WorkItem> left{batch};
        while (!left.empty()) left = left.subspan(sender->send({"", "q"}, left, 10s).value());
        sent += batch.size();
    }
}

// Acknowledges most, returns or retries some, and now and then goes away with its hands full.
void consume(Connection& connection, Ledger& ledger, std::uint64_t seed) {
    Random random{seed};
    while (ledger.total() < producers * per_producer) {
        auto receiver =
            connection.work()
                .open_receiver({.queue = "q", .prefetch = 200, .max_attempts = 1'000'000})
                .value();
        for (int round = 0; round < 50; ++round) {
            const auto got = receiver->receive(1 + random.below(100), 5ms).value();
            std::vector<std::uint64_t> tags;
            std::vector<std::size_t> numbers;
            for (const auto& delivered : got) {
                if (random.chance(0.02)) {
                    const auto verdict = random.chance(0.5) ? Verdict::requeue : Verdict::retry;
                    CHECK(receiver->settle(delivered.tag, verdict, "again"));
                } else if (!random.chance(0.01)) {
                    tags.push_back(delivered.tag);
                    numbers.push_back(std::stoul(delivered.item.trace_id));
                }
            }
            CHECK(receiver->ack(tags));
            ledger.add(numbers);
        }
    }
}

} // namespace

TEST_CASE("under crowded traffic every item is acknowledged exactly once") {
    SystemClock clock;
    memory::Hub hub{clock};
    const auto connection = hub.connect(Grants::everything());
    REQUIRE(connection->topology().declare({.queues = {{.name = "q", .max_length = 1000}}}));
    Ledger ledger;
    {
        std::vector<std::jthread> threads;
        threads.reserve(producers + consumers);
        for (std::size_t i = 0; i < producers; ++i) {
            threads.emplace_back([&, i] { produce(*connection, i * per_producer); });
        }
        for (std::uint64_t i = 0; i < consumers; ++i) {
            threads.emplace_back([&, i] { consume(*connection, ledger, 100 + i); });
        }
    }
    CHECK(ledger.each_once());
    CHECK(connection->topology().inspect("q")->depth == 0);
}

TEST_CASE("bindings, removals and closes in the middle of traffic harm nobody") {
    SystemClock clock;
    memory::Hub hub{clock};
    const auto connection = hub.connect(Grants::everything());
    auto& topology = connection->topology();
    const Layout layout{
        .exchanges = {{.name = "x"}},
        .queues = {{.name = "q", .max_length = 500}},
        .bindings = {{"x", "k", "q"}}};
    REQUIRE(topology.declare(layout));
    std::atomic<bool> done{false};
    std::jthread consumer{[&] {
        auto receiver = connection->work().open_receiver({.queue = "q"}).value();
        while (!done) {
            const auto got = receiver->receive(64, 5ms).value();
            std::vector<std::uint64_t> tags;
            for (const auto& delivered : got) tags.push_back(delivered.tag);
            CHECK(receiver->ack(tags));
        }
    }};
    std::jthread tapper{[&] {
        for (int round = 0; round < 300; ++round) {
            const auto party = hub.connect(Grants::everything());
            CHECK(party->topology().declare(
                {.queues =
                     {{.name = "tap",
                       .durable = false,
                       .exclusive = true,
                       .max_length = 50,
                       .overflow = Overflow::drop_oldest}},
                 .bindings = {{"x", "#", "tap"}}}));
            auto receiver = party->work().open_receiver({.queue = "tap"}).value();
            const auto got = receiver->receive(10, 1ms);
            CHECK(got.has_value());
        }
        done = true;
    }};
    auto sender = connection->work().open_sender({}).value();
    while (!done) {
        std::vector<wire::WorkItem> batch(20);
        for (auto& item : batch) item.steps.emplace_back();
        CHECK(sender->send({"x", "k"}, batch, 10s).has_value());
    }
}
