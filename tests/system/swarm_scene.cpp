#include "tests/system/swarm_scene.hpp"

#include "tests/support/places.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <array>
#include <future>
#include <thread>

namespace hive::tests {
namespace {

constexpr const char* spy_queue = "ph.debug.spy";

using namespace std::chrono_literals;

constexpr auto patience = 30s;

} // namespace

cli::SwarmConfig quick_heartbeats() {
    cli::SwarmConfig config;
    config.components.bee.delta_every = 300ms;
    auto& marshal = config.components.marshal;
    marshal.silent_after = 1500ms;
    marshal.stale_after = 700ms;
    marshal.send_again = 500ms;
    marshal.delta_every = 500ms;
    marshal.stop_each = 3s;
    marshal.provision_each = 20s;
    config.orchestrator.send_again = 1s;
    config.orchestrator.silent_after = 3s;
    config.orchestrator.lost_after = 2s;
    return config;
}

SwarmId swarm_id(const std::string& text) {
    return SwarmId::parse(text).value();
}

json::object chain_of(int bees) {
    json::array all;
    for (int i = 0; i < bees; ++i) {
        const auto in = i == 0 ? std::string{"in"} : fmt::format("q{}", i);
        const auto out = i + 1 == bees ? std::string{"out"} : fmt::format("q{}", i + 1);
        all.push_back(
            {{"id", fmt::format("bee{}", i + 1)},
             {"role", "echo"},
             {"work", {{"in", {{"in", in}}}, {"out", {{"out", out}}}}},
             {"config", {{"text", fmt::format(".{}", i + 1)}}}});
    }
    return {{"bees", all}};
}

ControlSpy::ControlSpy(std::unique_ptr<bus::Connection> connection)
    : connection_{std::move(connection)} {
    const std::string exchange{wire::control_exchange};
    // Durable, so that it also hears what is said right after a broker has come back.
    REQUIRE(connection_->topology().declare(
        {.exchanges = {{exchange}},
         .queues = {{.name = spy_queue}},
         .bindings = {{exchange, "#", spy_queue}}}));
    auto subscription = connection_->control().consume(
        spy_queue,
        [this](bus::ControlDelivery delivery) {
            const std::lock_guard lock{mutex_};
            messages_.push_back(delivery.message());
            delivery.ack();
        },
        256);
    REQUIRE(subscription);
    subscription_ = *std::move(subscription);
}

ControlSpy::~ControlSpy() {
    subscription_.reset();
    CHECK(connection_->topology().remove_queue(spy_queue));
}

std::size_t ControlSpy::heard() const {
    const std::lock_guard lock{mutex_};
    return messages_.size();
}

std::vector<std::string> ControlSpy::violations() {
    SchemaValidator schema{hive::tests::in_source("docs/spec/control-events.schema.json")};
    const std::lock_guard lock{mutex_};
    std::vector<std::string> found;
    for (const auto& [key, body] : messages_) {
        if (auto wrong = schema.violations(body); !wrong.empty()) {
            found.push_back(key + ": " + wrong);
        }
        const auto envelope = wire::decode_envelope(body);
        if (!envelope) {
            found.push_back(key + ": " + envelope.error().detail);
        } else if (to_text(wire::routing_key_of(*envelope)) != key) {
            found.push_back(key + ": came by a key that is not its own");
        }
    }
    return found;
}

std::vector<wire::Envelope> ControlSpy::alerts(const std::string& code) const {
    const std::lock_guard lock{mutex_};
    std::vector<wire::Envelope> found;
    for (const auto& message : messages_) {
        auto envelope = wire::decode_envelope(message.body);
        if (!envelope) continue;
        const auto* alert = std::get_if<wire::Alert>(&envelope->body);
        if (alert != nullptr && alert->code == code) found.push_back(*std::move(envelope));
    }
    return found;
}

json::object ControlSpy::work_of(const std::string& instance) const {
    const std::lock_guard lock{mutex_};
    for (auto message = messages_.rbegin(); message != messages_.rend(); ++message) {
        const std::string& key = message->routing_key;
        if (!key.starts_with("event.metric.") || !key.ends_with(instance)) continue;
        const auto envelope = wire::decode_envelope(message->body);
        if (!envelope) continue;
        const auto* full = std::get_if<wire::StatusFull>(&envelope->body);
        const auto* delta = std::get_if<wire::StatusDelta>(&envelope->body);
        const auto& context = full != nullptr ? full->context : delta->context;
        const auto* work = context ? context->if_contains("work") : nullptr;
        return work != nullptr ? work->as_object() : json::object{};
    }
    return {};
}

json::object ControlSpy::full_status_of(const std::string& instance) const {
    const std::lock_guard lock{mutex_};
    for (auto message = messages_.rbegin(); message != messages_.rend(); ++message) {
        const std::string& key = message->routing_key;
        if (!key.starts_with("event.metric.status-full.") || !key.ends_with(instance)) continue;
        return parse_json(message->body).value().at("data").as_object();
    }
    return {};
}

std::map<std::string, int> ControlSpy::outcomes() const {
    const std::lock_guard lock{mutex_};
    std::map<std::string, int> count;
    for (const auto& message : messages_) {
        const auto envelope = wire::decode_envelope(message.body);
        if (envelope && std::holds_alternative<wire::Outcome>(envelope->body)) {
            ++count[envelope->correlation_id.value()];
        }
    }
    return count;
}

SwarmScene::SwarmScene(SceneOptions options) : options_{std::move(options)} {
    restart();
}

SwarmScene::~SwarmScene() {
    // What a test left behind must not outlive it.
    for (const auto& report : queen().swarms()) {
        std::promise<void> gone;
        host_->runtime().stop_all(
            report->swarm.id, runtime::Which::everything, 1s,
            [&](const Status&) { gone.set_value(); });
        gone.get_future().wait_for(patience);
    }
    spy_.reset();
    outside_.reset();
}

void SwarmScene::restart() {
    spy_.reset();
    outside_.reset();
    host_.reset();
    cli::SwarmHostOptions options{
        .data = directory_.path().string(),
        .program = hive::tests::hive_program(),
        .swarm = quick_heartbeats()};
    options.swarm.components.allow_shell = options_.allow_shell;
    options.swarm.components.programs = options_.programs;
    if (options_.broker) options.broker = Url::parse(*options_.broker).value();
    const Logger log{captured_, clock_, levels_, "hive"};
    auto host = cli::SwarmHost::open(std::move(options), clock_, log);
    REQUIRE_MESSAGE(host, (host ? "" : host.error().detail));
    host_ = *std::move(host);
    outside_ = host_->connect(bus::Grants::everything(), "outside").value();
    spy_ = std::make_unique<ControlSpy>(host_->connect(bus::Grants::everything(), "spy").value());
    REQUIRE(host_->start_queen(keeper_, {}));
}

std::string SwarmScene::next_id() {
    return fmt::format("ask-{}", ++asked_);
}

Status SwarmScene::ask(orchestrator::Queen::Ask ask, orchestrator::RiderPtr rider) {
    std::promise<Status> answered;
    auto answer = answered.get_future();
    queen().ask(
        std::move(ask), std::move(rider), [&](Status status) { answered.set_value(status); });
    REQUIRE(answer.wait_for(patience) == std::future_status::ready);
    return answer.get();
}

orchestrator::Ended
SwarmScene::finish(orchestrator::Queen::Ask asked, const std::string& correlation) {
    auto told = std::make_shared<std::promise<orchestrator::Ended>>();
    auto end = told->get_future();
    const auto waiting = queen().when_ended(
        correlation, [told](const orchestrator::Ended& ended) { told->set_value(ended); });
    const auto taken = ask(std::move(asked));
    REQUIRE_MESSAGE(taken, (taken ? "" : taken.error().detail));
    if (end.wait_for(patience) != std::future_status::ready) {
        for (const auto& line : captured_.lines()) MESSAGE(line);
        FAIL("no end of " << correlation);
    }
    return end.get();
}

orchestrator::Ended
SwarmScene::create(const std::string& id, const json::object& text, const json::object& plan) {
    const auto correlation = next_id();
    return finish(
        orchestrator::CreateAsked{
            .swarm = swarm_id(id),
            .text = text,
            .plan = plan,
            .attempt = {correlation, correlation},
            .who = "human:ada",
            .run = id + "-run"},
        correlation);
}

orchestrator::Ended SwarmScene::wish(const std::string& id, orchestrator::Wish wish) {
    const auto correlation = next_id();
    return finish(
        orchestrator::WishAsked{
            .swarm = swarm_id(id),
            .wish = wish,
            .attempt = {correlation, correlation},
            .who = "human:ada"},
        correlation);
}

orchestrator::Ended SwarmScene::configure(const wire::Scope& target, const json::object& patch) {
    const auto correlation = next_id();
    return finish(
        orchestrator::ConfigAsked{
            .target = target,
            .patch = patch,
            .attempt = {correlation, correlation},
            .who = "human:ada"},
        correlation);
}

orchestrator::Phase SwarmScene::phase(const std::string& id) {
    const auto report = queen().find(swarm_id(id));
    return report ? report->swarm.phase : orchestrator::Phase::removed;
}

json::object SwarmScene::aggregate(const std::string& id) {
    const auto report = queen().find(swarm_id(id));
    return report ? report->aggregate : json::object{};
}

bool SwarmScene::eventually(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!holds()) {
        if (std::chrono::steady_clock::now() >= end) {
            for (const auto& line : captured_.lines()) MESSAGE(line);
            return false;
        }
        std::this_thread::sleep_for(5ms);
    }
    return true;
}

bool SwarmScene::reaches(const std::string& id, orchestrator::Phase wanted) {
    return eventually([&] {
        const auto report = queen().find(swarm_id(id));
        if (wanted == orchestrator::Phase::removed) return phase(id) == wanted;
        // What a restarted queen remembers is not what she has seen.
        return report && report->swarm.observed && report->swarm.phase == wanted;
    });
}

void SwarmScene::send(const std::string& queue, int items) {
    auto sender = outside_->work().open_sender({}).value();
    for (int i = 0; i < items; ++i) {
        std::array item{wire::WorkItem{
            .steps = {{.payload = std::to_string(i), .by = {"test", "test"}}},
            .trace_id = std::to_string(i)}};
        const auto sent = sender->send({"", queue}, item, 5s);
        REQUIRE(sent);
        REQUIRE(*sent == 1);
    }
    REQUIRE(sender->flush(10s));
}

std::vector<wire::WorkItem> SwarmScene::take(const std::string& queue, std::size_t items) {
    auto receiver = outside_->work().open_receiver({.queue = queue}).value();
    std::vector<wire::WorkItem> taken;
    const auto end = std::chrono::steady_clock::now() + patience;
    while (taken.size() < items && std::chrono::steady_clock::now() < end) {
        const auto some = receiver->receive(items - taken.size(), 200ms);
        REQUIRE(some);
        for (auto& delivered : *some) {
            taken.push_back(delivered.item);
            REQUIRE(receiver->ack(std::array{delivered.tag}));
        }
    }
    return taken;
}

bool SwarmScene::is_there(const std::string& queue) {
    const auto stats = outside_->topology().inspect(queue);
    if (!stats) REQUIRE(stats.error().code == Errc::not_found);
    return stats.has_value();
}

std::vector<runtime::Running> SwarmScene::running() {
    return host_->runtime().running().value();
}

} // namespace hive::tests
