#pragma once

#include "bus/connection.hpp"
#include "bus/rabbitmq/connect.hpp"
#include "tests/support/rabbit_server.hpp"
#include "wire/work_item.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace hive::tests {

using namespace std::chrono_literals;

inline constexpr Duration patience = 60s; // only a failing test waits that long

// The server that the tests of this binary share; each leaves it running and without an alarm.
RabbitServer& shared_server(); // with a TLS listener that asks for no client certificate

// While it lives the shared server is away: its connections are closed and new ones refused. To a
// client the same as a stopped server, without the seconds of a restart.
class Absence {
public:
    Absence();
    ~Absence();
    Absence(const Absence&) = delete;
    Absence& operator=(const Absence&) = delete;
};

template <class Condition>
bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

std::string unique_name(std::string_view stem);
wire::WorkItem item(std::string id); // the id is its message id and payload
bus::Route straight_to(const std::string& queue);

// What a listener heard, from any thread.
class LinkLog {
public:
    bus::LinkListener listener();
    bool heard(bus::Link link) const;
    std::size_t count(bus::Link link) const;
    std::string last_reason(bus::Link link) const;
    void forget();

private:
    mutable std::mutex mutex_;
    std::vector<std::pair<bus::Link, std::string>> heard_;
};

// One connection to the shared server, with its notices and counters. Reconnects quickly.
class Client {
public:
    Client() : Client{shared_server().url()} {}
    explicit Client(const std::string& url, bus::rabbitmq::Options options = {});

    bus::Connection* operator->() { return connection_.get(); }
    void reset() { connection_.reset(); }
    void declare(const bus::Layout& layout);
    void send(const std::string& queue, const std::vector<std::string>& ids);
    std::size_t depth(const std::string& queue); // waits while the broker is away
    bool reconnected(std::uint64_t times);       // both AMQP connections, that many times at least

    LinkLog links;
    bus::rabbitmq::Counters& counters() { return *counters_; }
    std::vector<std::string> notices() const;

private:
    struct Notices {
        std::mutex mutex;
        std::vector<std::string> texts;
    };
    std::shared_ptr<bus::rabbitmq::Counters> counters_;
    std::shared_ptr<Notices> notices_; // also held by the connection's callbacks
    std::unique_ptr<bus::Connection> connection_;
};

std::unique_ptr<bus::WorkSender> open_sender(Client& client, bus::SenderOptions options = {});
std::unique_ptr<bus::WorkReceiver> open_receiver(Client& client, bus::ReceiverOptions options);
// Receives until `count` items are there; copies, unsettled.
std::vector<bus::Delivered> receive(bus::WorkReceiver& receiver, std::size_t count);

// The error of a connection attempt that must fail.
Error refused(const std::string& url);

} // namespace hive::tests
