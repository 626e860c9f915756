// The RabbitMQ adapter beside a bare librabbitmq loop: same broker, same settings, interleaved
// rounds. One producer, one queue, one consumer; confirms, prefetch, acknowledgements in batches.
#include "bench/bare_rabbitmq.hpp"
#include "bus/rabbitmq/connect.hpp"
#include "tests/support/rabbit_server.hpp"
#include "wire/work_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using namespace hive::bench;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr int rounds = 5;

void require(const Status& status) {
    if (!status) give_up(status.error().detail);
}

template <class T>
T require(Result<T> result) {
    if (!result) give_up(result.error().detail);
    return std::move(*result);
}

wire::WorkItem work_item() {
    wire::WorkItem item;
    item.trace_id = "0af7651916cd43dd8448eb211c80319c";
    wire::Step step;
    step.by = {"generator", "alpha-generator-1"};
    std::string encoded;
    do { // until the document has about 200 bytes, like the bare loop's bodies
        step.payload += 'x';
        item.steps = {step};
        encoded.clear();
        wire::encode(item, encoded);
    } while (encoded.size() < 200);
    return item;
}

std::string body() {
    std::string encoded;
    wire::encode(work_item(), encoded);
    return encoded;
}

std::unique_ptr<bus::Connection> open_bus(const tests::RabbitServer& server) {
    return require(bus::rabbitmq::connect(
        {.endpoint = require(bus::rabbitmq::parse_endpoint(server.url()))}, {}));
}

void adapter_publish(bus::Connection& bus, const std::string& queue, const Setting& setting) {
    const auto sender = require(
        bus.work().open_sender({.window = setting.window, .persistent = setting.persistent}));
    const auto model = work_item();
    std::vector<wire::WorkItem> items;
    const bus::Route route{"", queue};
    for (std::size_t left = setting.messages; left > 0;) {
        items.assign(std::min(batch, left), model);
        for (std::span<wire::WorkItem> rest{items}; !rest.empty();) {
            const auto count = require(sender->send(route, rest, 10s));
            if (count == 0) give_up("adapter: no room");
            rest = rest.subspan(count);
            left -= count;
        }
    }
    require(sender->flush(30s));
}

void adapter_consume(bus::Connection& bus, const std::string& queue, const Setting& setting) {
    const auto receiver = require(bus.work().open_receiver({.queue = queue, .prefetch = prefetch}));
    std::vector<std::uint64_t> tags;
    for (std::size_t got = 0; got < setting.messages;) {
        const auto items = require(receiver->receive(batch, 10s));
        if (items.empty()) give_up("adapter: no delivery");
        got += items.size();
        tags.clear();
        for (const auto& item : items) tags.push_back(item.tag);
        require(receiver->ack(tags));
    }
}

template <class Publish, class Consume>
double rate(const Setting& setting, Publish publish, Consume consume) {
    const auto begin = SteadyClock::now();
    std::thread consumer{consume};
    publish();
    consumer.join();
    const std::chrono::duration<double> took = SteadyClock::now() - begin;
    return static_cast<double>(setting.messages) / took.count();
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void compare(const tests::RabbitServer& server, const Setting& setting) {
    const auto bus = open_bus(server);
    const std::string queue = "bench";
    require(bus->topology().declare({.queues = {{.name = queue}}}));
    std::vector<double> bare;
    std::vector<double> adapter;
    for (int round = 0; round < rounds; ++round) {
        bare.push_back(rate(
            setting, [&] { bare_publish(server.port(), {"", queue}, body(), setting); },
            [&] { bare_consume(server.port(), queue, setting); }));
        adapter.push_back(rate(
            setting, [&] { adapter_publish(*bus, queue, setting); },
            [&] { adapter_consume(*bus, queue, setting); }));
    }
    std::vector<double> ratios;
    ratios.reserve(bare.size());
    for (std::size_t i = 0; i < bare.size(); ++i) ratios.push_back(adapter[i] / bare[i]);
    fmt::print(
        "{:<10} window {:>4}  bare {:>7.0f}/s  adapter {:>7.0f}/s  ratio {:.2f} (median of {} "
        "rounds, {:.2f}..{:.2f})\n",
        setting.persistent ? "persistent" : "transient", setting.window, median(bare),
        median(adapter), median(ratios), rounds, *std::ranges::min_element(ratios),
        *std::ranges::max_element(ratios));
    require(bus->topology().remove_queue(queue));
    require(bus->close(10s));
}

} // namespace

int main(int argc, char** argv) {
    const std::size_t messages = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 100'000;
    try {
        const tests::RabbitServer server;
        fmt::print(
            "RabbitMQ, one producer and one consumer, {}-byte bodies, prefetch {}, ack every {}, "
            "{} messages a round\n",
            body().size(), prefetch, ack_every, messages);
        for (const bool persistent : {false, true}) {
            for (const std::size_t window : {256U, 1000U}) {
                compare(server, {persistent, window, messages});
            }
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench: {}\n", error.what());
        return 1;
    }
}
