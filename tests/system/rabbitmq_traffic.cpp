#include "tests/system/rabbitmq_traffic.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>

namespace hive::tests {
namespace {

constexpr std::size_t batch_size = 64;
constexpr int held_back_one_in = 50;

bool holds_back(const std::string& id) {
    return std::hash<std::string>{}(id) % held_back_one_in == 0;
}

} // namespace

Traffic::Traffic(TrafficPlan plan) : plan_{plan}, queue_{unique_name("traffic")} {
    owner_.declare({.queues = {{.name = queue_}}});
    for (std::size_t i = 0; i < plan_.consumers + plan_.producers; ++i) {
        clients_.push_back(std::make_unique<Client>());
    }
    for (std::size_t i = 0; i < plan_.consumers; ++i) {
        consumers_.emplace_back([this, i] { consume(*clients_[i]); });
    }
    for (std::size_t i = 0; i < plan_.producers; ++i) {
        producers_.emplace_back([this, i] { produce(i); });
    }
}

Traffic::~Traffic() {
    consuming_ = false;
    for (auto& thread : producers_) {
        if (thread.joinable()) thread.join();
    }
    for (auto& thread : consumers_) {
        if (thread.joinable()) thread.join();
    }
    CHECK(owner_->topology().remove_queue(queue_).has_value());
}

std::size_t Traffic::handled() const {
    const std::lock_guard lock{mutex_};
    return handled_.size();
}

bool Traffic::reaches(std::size_t handled_count) const {
    return eventually([&] { return handled() >= handled_count; });
}

void Traffic::produce(std::size_t number) {
    auto opened = (*clients_[plan_.consumers + number])->work().open_sender({});
    auto& sender = **opened;
    std::vector<wire::WorkItem> batch;
    for (std::size_t next = 0; next < plan_.items_each;) {
        batch.clear();
        const auto count = std::min(batch_size, plan_.items_each - next);
        for (std::size_t i = 0; i < count; ++i) {
            batch.push_back(item(fmt::format("{}-{}", number, next + i)));
        }
        for (std::span<wire::WorkItem> rest{batch}; !rest.empty();) {
            const auto sent = sender.send(straight_to(queue_), rest, patience);
            if (!sent || *sent == 0) {
                const std::lock_guard lock{mutex_};
                failures_.push_back(sent ? "no room for a minute" : sent.error().detail);
                return;
            }
            rest = rest.subspan(*sent);
        }
        next += count;
    }
    if (const auto flushed = sender.flush(patience); !flushed) {
        const std::lock_guard lock{mutex_};
        failures_.push_back(flushed.error().detail);
    }
    confirmed_ += sender.confirmed();
}

void Traffic::consume(Client& client) {
    auto opened = client->work().open_receiver({.queue = queue_, .prefetch = 200});
    while (consuming_) {
        const auto items = (*opened)->receive(batch_size, 50ms);
        if (!items) {
            const std::lock_guard lock{mutex_};
            failures_.push_back(items.error().detail);
            return;
        }
        handle(**opened, *items);
    }
}

void Traffic::handle(bus::WorkReceiver& receiver, std::span<bus::Delivered> items) {
    std::vector<std::uint64_t> done;
    {
        const std::lock_guard lock{mutex_};
        for (const auto& each : items) {
            const auto& id = *each.item.message_id;
            const int times = ++deliveries_[id];
            if (consuming_ && times == 1 && holds_back(id)) {
                ++held_back_;
                continue;
            }
            if (++handled_[id] > 1) ++duplicates_;
            done.push_back(each.tag);
        }
    }
    const auto acked = receiver.ack(done);
    if (acked) return;
    const std::lock_guard lock{mutex_};
    failures_.push_back(acked.error().detail);
}

// Closing the consumers returned what they held: it is all in the queue now.
void Traffic::sweep() {
    const auto receiver = open_receiver(owner_, {.queue = queue_, .prefetch = 200});
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (handled() < total() && std::chrono::steady_clock::now() < deadline) {
        const auto items = receiver->receive(batch_size, 50ms);
        REQUIRE_MESSAGE(items.has_value(), items.error().detail);
        handle(*receiver, *items);
    }
}

void Traffic::finish_and_check() {
    for (auto& thread : producers_) thread.join();
    CHECK(eventually([&] { return owner_->link() == bus::Link::up; }));
    consuming_ = false;
    for (auto& thread : consumers_) thread.join();
    CHECK(eventually([&] { return owner_->topology().inspect(queue_).has_value(); }));
    sweep();
    for (const auto& failure : failures_) FAIL_CHECK(failure);
    CHECK(confirmed_ == total());
    CHECK(handled() == total());
    CHECK(held_back_ > 0);
    for (std::size_t producer = 0; producer < plan_.producers; ++producer) {
        for (std::size_t i = 0; i < plan_.items_each; ++i) {
            const auto id = fmt::format("{}-{}", producer, i);
            if (handled_.contains(id)) continue;
            FAIL_CHECK(
                "item ", id, " is lost: delivered ", deliveries_[id], " times, held back ",
                holds_back(id));
        }
    }
    std::uint64_t reconnects = 0;
    std::uint64_t resent = 0;
    std::uint64_t stale = 0;
    for (const auto& client : clients_) {
        reconnects += client->counters().reconnects;
        resent += client->counters().resent;
        stale += client->counters().stale_acks;
    }
    MESSAGE(
        total(), " items confirmed and handled; ", held_back_.load(), " held back and returned; ",
        duplicates_.load(), " handled twice; ", reconnects, " reconnects, ", resent,
        " sent again, ", stale, " stale acknowledgements");
}

} // namespace hive::tests
