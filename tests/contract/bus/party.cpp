#include "tests/contract/bus/party.hpp"

#include "kernel/random.hpp"
#include "tests/contract/bus/broker.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <span>

namespace hive::contract {

std::string unique_name(std::string_view stem) {
    static const std::uint64_t process = Random::from_entropy()();
    static std::atomic<unsigned> next{0};
    return fmt::format("ph.test.{}.{:016x}-{}", stem, process, ++next);
}

wire::WorkItem item(std::string payload) {
    wire::WorkItem made;
    made.trace_id = "0af7651916cd43dd8448eb211c80319c";
    wire::Step step;
    step.payload = std::move(payload);
    step.by = {"tester", "tester-1"};
    made.steps.push_back(std::move(step));
    return made;
}

std::vector<wire::WorkItem> items(std::initializer_list<std::string_view> payloads) {
    std::vector<wire::WorkItem> made;
    for (const auto payload : payloads) made.push_back(item(std::string{payload}));
    return made;
}

std::vector<std::string> numbered(std::size_t count) {
    std::vector<std::string> made;
    for (std::size_t i = 0; i < count; ++i) made.push_back(std::to_string(i));
    return made;
}

bus::Route straight_to(const std::string& queue) {
    return {.exchange = "", .key = queue};
}

Party::Party() : connection_{broker().connect()} {
    REQUIRE(connection_ != nullptr);
}

Party::~Party() {
    // A test may have closed its connection; what it declared still has to go.
    std::unique_ptr<bus::Connection> cleaner = broker().connect();
    CHECK(connection_->close(patience).has_value());
    for (const auto& queue : queues_) {
        const auto removed = cleaner->topology().remove_queue(queue);
        CHECK_MESSAGE(removed.has_value(), queue);
    }
    for (const auto& exchange : exchanges_) {
        const auto removed = cleaner->topology().remove_exchange(exchange);
        CHECK_MESSAGE(removed.has_value(), exchange);
    }
    CHECK(cleaner->close(patience).has_value());
}

void Party::close() {
    const auto closed = connection_->close(patience);
    REQUIRE_MESSAGE(closed.has_value(), closed.error().detail);
}

std::string Party::declare_queue(bus::Queue settings) {
    if (settings.name.empty()) settings.name = unique_name("queue");
    const auto declared = topology().declare({.queues = {settings}});
    REQUIRE_MESSAGE(declared.has_value(), declared.error().detail);
    queues_.push_back(settings.name);
    return settings.name;
}

std::string Party::declare_exchange() {
    const std::string name = unique_name("exchange");
    const auto declared = topology().declare({.exchanges = {{.name = name}}});
    REQUIRE_MESSAGE(declared.has_value(), declared.error().detail);
    exchanges_.push_back(name);
    return name;
}

void Party::bind(const std::string& exchange, const std::string& key, const std::string& queue) {
    const auto bound = topology().bind({exchange, key, queue});
    REQUIRE_MESSAGE(bound.has_value(), bound.error().detail);
}

std::unique_ptr<bus::WorkSender> Party::open_sender(bus::SenderOptions options) {
    auto opened = work().open_sender(std::move(options));
    REQUIRE_MESSAGE(opened.has_value(), opened.error().detail);
    return std::move(*opened);
}

std::unique_ptr<bus::WorkReceiver> Party::open_receiver(bus::ReceiverOptions options) {
    auto opened = work().open_receiver(std::move(options));
    REQUIRE_MESSAGE(opened.has_value(), opened.error().detail);
    return std::move(*opened);
}

std::unique_ptr<bus::WorkReceiver> Party::open_receiver(const std::string& queue) {
    bus::ReceiverOptions options;
    options.queue = queue;
    return open_receiver(std::move(options));
}

void Party::send(const bus::Route& route, const Payloads& payloads) {
    const auto sender = open_sender();
    std::vector<wire::WorkItem> batch;
    for (const auto& payload : payloads) batch.push_back(item(payload));
    std::span<wire::WorkItem> left{batch};
    while (!left.empty()) {
        const auto taken = sender->send(route, left, patience);
        REQUIRE_MESSAGE(taken.has_value(), taken.error().detail);
        REQUIRE(*taken > 0);
        left = left.subspan(*taken);
    }
    const auto flushed = sender->flush(patience);
    REQUIRE_MESSAGE(flushed.has_value(), flushed.error().detail);
}

std::size_t Party::depth(const std::string& queue) {
    const auto stats = topology().inspect(queue);
    REQUIRE_MESSAGE(stats.has_value(), stats.error().detail);
    return stats->depth;
}

std::size_t Party::consumers(const std::string& queue) {
    const auto stats = topology().inspect(queue);
    REQUIRE_MESSAGE(stats.has_value(), stats.error().detail);
    return stats->consumers;
}

bool Party::exists(const std::string& queue) {
    const auto stats = topology().inspect(queue);
    if (!stats) REQUIRE(stats.error().code == Errc::not_found);
    return stats.has_value();
}

Payloads Batch::payloads() const {
    Payloads all;
    for (const auto& delivery : deliveries) all.emplace_back(delivery.item.payload());
    return all;
}

std::vector<std::uint64_t> Batch::tags() const {
    std::vector<std::uint64_t> all;
    for (const auto& delivery : deliveries) all.push_back(delivery.tag);
    return all;
}

Batch receive(bus::WorkReceiver& receiver, std::size_t count) {
    Batch batch;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (batch.deliveries.size() < count && std::chrono::steady_clock::now() < deadline) {
        const auto got = receiver.receive(count - batch.deliveries.size(), 100ms);
        REQUIRE_MESSAGE(got.has_value(), got.error().detail);
        batch.deliveries.insert(batch.deliveries.end(), got->begin(), got->end());
    }
    CHECK(batch.deliveries.size() == count);
    return batch;
}

Payloads take(bus::WorkReceiver& receiver, std::size_t count) {
    const Batch batch = receive(receiver, count);
    const auto acked = receiver.ack(batch.tags());
    REQUIRE_MESSAGE(acked.has_value(), acked.error().detail);
    return batch.payloads();
}

bool stays_empty(bus::WorkReceiver& receiver) {
    const auto got = receiver.receive(1, moment);
    REQUIRE_MESSAGE(got.has_value(), got.error().detail);
    return got->empty();
}

} // namespace hive::contract
