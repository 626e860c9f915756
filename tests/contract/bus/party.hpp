#pragma once

#include "bus/connection.hpp"
#include "kernel/clock.hpp"
#include "wire/work_item.hpp"

#include <chrono>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace hive::contract {

using namespace std::chrono_literals;

// No wait of the suite is longer, and only a failing test waits that long.
inline constexpr Duration patience = 10s;
// How long a test watches for something that must not happen.
inline constexpr Duration moment = 150ms;

template <class Condition>
bool eventually(Condition condition) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

std::string unique_name(std::string_view stem);
wire::WorkItem item(std::string payload);
std::vector<wire::WorkItem> items(std::initializer_list<std::string_view> payloads);
std::vector<std::string> numbered(std::size_t count); // "0", "1", ...

bus::Route straight_to(const std::string& queue);

using Payloads = std::vector<std::string>;

// One side of a conversation: a connection with every right. It removes what it declared.
class Party {
public:
    Party();
    ~Party();
    Party(const Party&) = delete;
    Party& operator=(const Party&) = delete;

    bus::Connection& connection() { return *connection_; }
    bus::Topology& topology() { return connection_->topology(); }
    bus::ControlBus& control() { return connection_->control(); }
    bus::WorkBus& work() { return connection_->work(); }
    void close();

    std::string declare_queue(bus::Queue settings = {}); // under a unique name, which it returns
    std::string declare_exchange();
    void bind(const std::string& exchange, const std::string& key, const std::string& queue);

    std::unique_ptr<bus::WorkSender> open_sender(bus::SenderOptions options = {});
    std::unique_ptr<bus::WorkReceiver> open_receiver(bus::ReceiverOptions options);
    std::unique_ptr<bus::WorkReceiver> open_receiver(const std::string& queue);

    void send(const bus::Route& route, const Payloads& payloads); // all of them, confirmed
    std::size_t depth(const std::string& queue);
    std::size_t consumers(const std::string& queue);
    bool exists(const std::string& queue);

private:
    std::unique_ptr<bus::Connection> connection_;
    std::vector<std::string> queues_;
    std::vector<std::string> exchanges_;
};

// What a receiver handed out, still unsettled. Copies, so that they outlive the next receive.
struct Batch {
    std::vector<bus::Delivered> deliveries;

    Payloads payloads() const;
    std::vector<std::uint64_t> tags() const;
};

// Receives until `count` items are there or patience runs out.
Batch receive(bus::WorkReceiver& receiver, std::size_t count);
// As above, and acknowledges them.
Payloads take(bus::WorkReceiver& receiver, std::size_t count);
// Whether nothing arrives for a moment.
bool stays_empty(bus::WorkReceiver& receiver);

} // namespace hive::contract
