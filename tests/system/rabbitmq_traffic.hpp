#pragma once

#include "tests/system/rabbitmq_scene.hpp"

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace hive::tests {

struct TrafficPlan {
    std::size_t producers = 3;
    std::size_t consumers = 3;
    std::size_t items_each = 10'000; // per producer
};

// Producers and consumers on one durable queue, each with a connection of its own. Consumers leave
// one item in fifty unsettled when they first see it: the broker must bring it back.
class Traffic {
public:
    explicit Traffic(TrafficPlan plan);
    ~Traffic();

    std::size_t total() const { return plan_.producers * plan_.items_each; }
    std::size_t handled() const; // different items acknowledged so far
    bool reaches(std::size_t handled_count) const;
    // Waits until every item is confirmed, takes what is left unsettled, and checks that nothing is
    // missing. Prints how many deliveries were duplicates.
    void finish_and_check();

private:
    void produce(std::size_t number);
    void consume(Client& client);
    void handle(bus::WorkReceiver& receiver, std::span<bus::Delivered> items);
    void sweep();

    TrafficPlan plan_;
    std::string queue_;
    Client owner_;
    std::vector<std::unique_ptr<Client>> clients_;
    std::atomic<bool> consuming_{true};
    std::atomic<std::size_t> confirmed_{0};
    std::atomic<std::size_t> duplicates_{0};
    std::atomic<std::size_t> held_back_{0};
    mutable std::mutex mutex_;
    std::map<std::string, int, std::less<>> deliveries_; // by item
    std::map<std::string, int, std::less<>> handled_;
    std::vector<std::string> failures_; // of the threads; doctest's checks stay on the main one
    std::vector<std::thread> producers_;
    std::vector<std::thread> consumers_;
};

} // namespace hive::tests
