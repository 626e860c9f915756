// The RabbitMQ adapter beside a bare librabbitmq loop: same broker, same settings, interleaved
// rounds. One producer, one queue, one consumer; confirms, prefetch, acknowledgements in batches.
#include "bus/rabbitmq/connect.hpp"
#include "tests/support/rabbit_server.hpp"
#include "wire/work_codec.hpp"

#include <amqp.h>
#include <amqp_tcp_socket.h>
#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace hive;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

struct Setting {
    bool persistent;
    std::size_t window;
    std::size_t messages;
};

constexpr std::size_t prefetch = 1000;
constexpr std::size_t ack_every = 50;
constexpr std::size_t batch = 64; // items per send() and receive()
constexpr int rounds = 5;

[[noreturn]] void give_up(const std::string& what) {
    throw std::runtime_error(what);
}

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
    step.by = {.service = "generator", .instance = "alpha-generator-1"};
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

class BareLink {
public:
    explicit BareLink(int port) : connection_{amqp_new_connection()} {
        amqp_socket_t* socket = amqp_tcp_socket_new(connection_);
        if (amqp_socket_open(socket, "127.0.0.1", port) != 0) give_up("bare: no connection");
        amqp_login(connection_, "/", 0, 131072, 0, AMQP_SASL_METHOD_PLAIN, "guest", "guest");
        amqp_channel_open(connection_, 1);
        check("open a channel");
    }
    ~BareLink() {
        amqp_connection_close(connection_, AMQP_REPLY_SUCCESS);
        amqp_destroy_connection(connection_);
    }
    BareLink(const BareLink&) = delete;
    BareLink& operator=(const BareLink&) = delete;

    void check(const char* what) const {
        if (amqp_get_rpc_reply(connection_).reply_type != AMQP_RESPONSE_NORMAL) give_up(what);
    }
    // One frame; false when none came within the time.
    bool frame(amqp_frame_t& out, timeval wait) const {
        const int status = amqp_simple_wait_frame_noblock(connection_, &out, &wait);
        if (status == AMQP_STATUS_TIMEOUT) return false;
        if (status != AMQP_STATUS_OK) give_up(amqp_error_string2(status));
        return true;
    }
    amqp_connection_state_t raw() const { return connection_; }

private:
    amqp_connection_state_t connection_;
};

void bare_publish(int port, const std::string& queue, const Setting& setting) {
    const BareLink link{port};
    amqp_confirm_select(link.raw(), 1);
    link.check("select confirms");
    const std::string text = body();
    amqp_basic_properties_t properties{};
    properties._flags = AMQP_BASIC_DELIVERY_MODE_FLAG | AMQP_BASIC_CONTENT_TYPE_FLAG;
    properties.delivery_mode = setting.persistent ? 2 : 1;
    properties.content_type = amqp_cstring_bytes("application/json");
    std::uint64_t sent = 0;
    std::uint64_t confirmed = 0;
    while (confirmed < setting.messages) {
        while (sent < setting.messages && sent - confirmed < setting.window) {
            const int status = amqp_basic_publish(
                link.raw(), 1, amqp_empty_bytes, amqp_cstring_bytes(queue.c_str()), 1, 0,
                &properties, {text.size(), const_cast<char*>(text.data())});
            if (status != AMQP_STATUS_OK) give_up(amqp_error_string2(status));
            if (++sent % batch == 0) break;
        }
        amqp_frame_t frame;
        const bool full = sent == setting.messages || sent - confirmed >= setting.window;
        for (bool wait = full; link.frame(frame, {wait ? 10 : 0, 0}); wait = false) {
            if (frame.payload.method.id != AMQP_BASIC_ACK_METHOD) give_up("bare: no ack");
            const auto* ack = static_cast<amqp_basic_ack_t*>(frame.payload.method.decoded);
            confirmed = ack->multiple != 0 ? std::max(confirmed, ack->delivery_tag) : confirmed + 1;
        }
        amqp_maybe_release_buffers(link.raw());
    }
}

void bare_consume(int port, const std::string& queue, const Setting& setting) {
    const BareLink link{port};
    amqp_basic_qos(link.raw(), 1, 0, prefetch, 0);
    link.check("set the prefetch");
    amqp_basic_consume(
        link.raw(), 1, amqp_cstring_bytes(queue.c_str()), amqp_empty_bytes, 0, 0, 0,
        amqp_empty_table);
    link.check("consume");
    for (std::size_t got = 1; got <= setting.messages; ++got) {
        amqp_maybe_release_buffers(link.raw());
        amqp_envelope_t envelope;
        const auto reply = amqp_consume_message(link.raw(), &envelope, nullptr, 0);
        if (reply.reply_type != AMQP_RESPONSE_NORMAL) give_up("bare: no delivery");
        const auto tag = envelope.delivery_tag;
        amqp_destroy_envelope(&envelope);
        if (got % ack_every == 0 || got == setting.messages) {
            amqp_basic_ack(link.raw(), 1, tag, 1);
        }
    }
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
            setting, [&] { bare_publish(server.port(), queue, setting); },
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
