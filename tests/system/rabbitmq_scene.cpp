#include "tests/system/rabbitmq_scene.hpp"

#include "kernel/random.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>

namespace hive::tests {

RabbitServer& shared_server() {
    static RabbitServer server{{.tls = true}};
    return server;
}

Absence::Absence() {
    shared_server().eval("rabbit_maintenance:suspend_all_client_listeners().");
    shared_server().close_connections();
}

Absence::~Absence() {
    shared_server().eval("rabbit_maintenance:resume_all_client_listeners().");
}

std::string unique_name(std::string_view stem) {
    static std::atomic<unsigned> next{0};
    return fmt::format("ph.test.{}.{}", stem, ++next);
}

wire::WorkItem item(std::string id) {
    wire::WorkItem made;
    made.trace_id = "0af7651916cd43dd8448eb211c80319c";
    made.message_id = id;
    wire::Step step;
    step.payload = std::move(id);
    step.by = {"tester", "tester-1"};
    made.steps.push_back(std::move(step));
    return made;
}

bus::Route straight_to(const std::string& queue) {
    return {.exchange = "", .key = queue};
}

bus::LinkListener LinkLog::listener() {
    return [this](bus::Link link, std::string_view why) {
        const std::lock_guard lock{mutex_};
        heard_.emplace_back(link, why);
    };
}

bool LinkLog::heard(bus::Link link) const {
    return count(link) > 0;
}

std::size_t LinkLog::count(bus::Link link) const {
    const std::lock_guard lock{mutex_};
    return static_cast<std::size_t>(
        std::ranges::count(heard_, link, [](const auto& each) { return each.first; }));
}

std::string LinkLog::last_reason(bus::Link link) const {
    const std::lock_guard lock{mutex_};
    std::string reason;
    for (const auto& [heard, why] : heard_) {
        if (heard == link) reason = why;
    }
    return reason;
}

void LinkLog::forget() {
    const std::lock_guard lock{mutex_};
    heard_.clear();
}

Client::Client(const std::string& url, bus::rabbitmq::Options options)
    : counters_{std::make_shared<bus::rabbitmq::Counters>()},
      notices_{std::make_shared<Notices>()} {
    auto endpoint = bus::rabbitmq::parse_endpoint(url);
    REQUIRE(endpoint.has_value());
    options.endpoint = std::move(*endpoint);
    options.backoff_first = 20ms;
    options.backoff_max = 200ms;
    options.on_notice = [notices = notices_](std::string_view text) {
        const std::lock_guard lock{notices->mutex};
        notices->texts.emplace_back(text);
    };
    options.counters = counters_;
    auto connected = bus::rabbitmq::connect(std::move(options), links.listener());
    REQUIRE_MESSAGE(connected.has_value(), connected.error().detail);
    connection_ = std::move(*connected);
}

void Client::declare(const bus::Layout& layout) {
    const auto declared = connection_->topology().declare(layout);
    REQUIRE_MESSAGE(declared.has_value(), declared.error().detail);
}

void Client::send(const std::string& queue, const std::vector<std::string>& ids) {
    const auto sender = open_sender(*this);
    for (const auto& id : ids) {
        std::array batch{item(id)};
        const auto sent = sender->send(straight_to(queue), batch, patience);
        REQUIRE_MESSAGE(sent.has_value(), sent.error().detail);
        REQUIRE(*sent == 1);
    }
    const auto flushed = sender->flush(patience);
    REQUIRE_MESSAGE(flushed.has_value(), flushed.error().detail);
}

std::size_t Client::depth(const std::string& queue) {
    Result<bus::QueueStats> stats{};
    eventually([&] {
        stats = connection_->topology().inspect(queue);
        return stats.has_value() || stats.error().code == Errc::not_found;
    });
    REQUIRE_MESSAGE(stats.has_value(), stats.error().detail);
    return stats->depth;
}

bool Client::reconnected(std::uint64_t times) {
    return eventually(
        [&] { return counters_->reconnects >= 2 * times && connection_->link() == bus::Link::up; });
}

std::vector<std::string> Client::notices() const {
    const std::lock_guard lock{notices_->mutex};
    return notices_->texts;
}

std::unique_ptr<bus::WorkSender> open_sender(Client& client, bus::SenderOptions options) {
    auto opened = client->work().open_sender(std::move(options));
    REQUIRE_MESSAGE(opened.has_value(), opened.error().detail);
    return std::move(*opened);
}

std::unique_ptr<bus::WorkReceiver> open_receiver(Client& client, bus::ReceiverOptions options) {
    auto opened = client->work().open_receiver(std::move(options));
    REQUIRE_MESSAGE(opened.has_value(), opened.error().detail);
    return std::move(*opened);
}

std::vector<bus::Delivered> receive(bus::WorkReceiver& receiver, std::size_t count) {
    std::vector<bus::Delivered> all;
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (all.size() < count && std::chrono::steady_clock::now() < deadline) {
        const auto got = receiver.receive(count - all.size(), 100ms);
        REQUIRE_MESSAGE(got.has_value(), got.error().detail);
        all.insert(all.end(), got->begin(), got->end());
    }
    REQUIRE(all.size() == count);
    return all;
}

Error refused(const std::string& url) {
    auto endpoint = bus::rabbitmq::parse_endpoint(url);
    REQUIRE_MESSAGE(endpoint.has_value(), endpoint.error().detail);
    const auto connected = bus::rabbitmq::connect({.endpoint = std::move(*endpoint)}, {});
    REQUIRE(!connected.has_value());
    return connected.error();
}

} // namespace hive::tests
