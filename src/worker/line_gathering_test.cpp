#include "tests/support/line_under_test.hpp"
#include "worker/line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <mutex>

using namespace hive;
using namespace hive::worker;
using namespace std::chrono_literals;
using tests::LineUnderTest;

namespace {

// A queue that a test fills; it rings for every item, as a broker does whose consumer is quick.
class Queue {
public:
    void put() {
        std::function<void()> ring;
        {
            const std::scoped_lock lock{mutex_};
            ++waiting_;
            ring = ring_;
        }
        ring();
    }
    std::size_t taken_at_once() { // how often something was taken
        const std::scoped_lock lock{mutex_};
        return turns_;
    }
    void on_items(std::function<void()> ring) {
        const std::scoped_lock lock{mutex_};
        ring_ = std::move(ring);
    }
    std::size_t take(std::size_t max) {
        const std::scoped_lock lock{mutex_};
        const std::size_t count = std::min(max, waiting_);
        waiting_ -= count;
        if (count > 0) ++turns_;
        return count;
    }

private:
    std::mutex mutex_;
    std::size_t waiting_ = 0;
    std::size_t turns_ = 0;
    std::function<void()> ring_;
};

class Receiver final : public bus::WorkReceiver {
public:
    explicit Receiver(Queue& queue) : queue_{queue} {}

    Result<std::span<bus::Delivered>> receive(std::size_t max, Duration /*wait*/) override {
        auto& batch = batches_.emplace_back(queue_.take(max));
        for (bus::Delivered& delivered : batch) {
            delivered.item.steps.push_back({.payload = "x", .by = {"x", "x-1"}});
            delivered.tag = ++tag_;
        }
        return std::span{batch};
    }
    Status ack(std::span<const std::uint64_t> /*tags*/) override { return {}; }
    Status
    settle(std::uint64_t /*tag*/, bus::Verdict /*verdict*/, std::string_view /*reason*/) override {
        return {};
    }

private:
    Queue& queue_;
    std::deque<std::vector<bus::Delivered>> batches_; // items stay where they were delivered
    std::uint64_t tag_ = 0;
};

class Bus final : public bus::WorkBus {
public:
    Bus(Queue& queue, bus::Gathering gathering) : queue_{queue}, gathering_{gathering} {}

    bus::Gathering gathering() const override { return gathering_; }
    Result<std::unique_ptr<bus::WorkSender>> open_sender(bus::SenderOptions /*options*/) override {
        return fail(Errc::not_found, "nothing goes out here");
    }
    Result<std::unique_ptr<bus::WorkReceiver>>
    open_receiver(bus::ReceiverOptions options) override {
        queue_.on_items(std::move(options.on_items));
        return std::make_unique<Receiver>(queue_);
    }

private:
    Queue& queue_;
    bus::Gathering gathering_;
};

// Items that come one by one, each once the bee has had its chance to take the one before.
std::size_t turns_for(std::size_t items, bus::Gathering gathering) {
    Queue queue;
    Bus bus{queue, gathering};
    LineUnderTest bee{LineUnderTest::Life{.bus = &bus}};
    bee.configure("{}");
    bee.enable(true);
    for (std::size_t i = 0; i < items; ++i) {
        queue.put();
        bee.report(); // after whatever the ring has led to
    }
    CHECK(bee.payloads(items).size() == items);
    return queue.taken_at_once();
}

} // namespace

TEST_SUITE("worker") {
    TEST_CASE("items that come in a crowd are taken together, though each of them rings") {
        CHECK(turns_for(50, {.per_ms = 0, .wait = 200ms}) < 25);
    }

    TEST_CASE("items that come one at a time are taken one at a time") {
        CHECK(turns_for(50, {.per_ms = 1e9, .wait = 1h}) == 50);
    }
}
