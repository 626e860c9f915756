#pragma once

#include "api/rest/swarm_routes.hpp"
#include "bus/grants.hpp"
#include "bus/memory/hub.hpp"
#include "tests/system/server_scene.hpp"
#include "wire/names.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hive::test {

using orchestrator::SwarmReport;
using orchestrator::SwarmReportPtr;

inline const SwarmId alpha = SwarmId::parse("alpha").value();

// Says what it is told to say: for the shapes of refusals and of answers that do not come. What it
// is asked for it keeps nowhere.
class ScriptedCourt final : public rest::SwarmCourt {
public:
    void
    ask(orchestrator::Queen::Ask ask, orchestrator::RiderPtr rider,
        std::function<void(Status)> answered) override {
        Status said;
        {
            const std::lock_guard lock{mutex};
            asks.push_back(std::move(ask));
            riders += rider ? 1U : 0U;
            said = answer;
        }
        if (said && keep) return keep(std::move(rider), std::move(answered));
        answered(said);
    }
    Subscription when_ended(
        const std::string& id, std::function<void(const orchestrator::Ended&)> tell) override {
        const std::lock_guard lock{mutex};
        if (ended) {
            ended->asked.correlation_id = id;
            tell(*ended);
        }
        return Subscription{};
    }
    std::vector<SwarmReportPtr> swarms() const override { return reports; }
    SwarmReportPtr find(const SwarmId& swarm) const override {
        for (const auto& report : reports) {
            if (report->swarm.id == swarm) return report;
        }
        return nullptr;
    }
    void request_status(const wire::Scope& target) override {
        const std::lock_guard lock{mutex};
        requested.push_back(to_text(target));
    }
    const orchestrator::Settings& settings() const override { return settings_; }

    // How what is asked from now on ends; none: it does not.
    void set_ended(std::optional<orchestrator::Ended> with) {
        const std::lock_guard lock{mutex};
        ended = std::move(with);
    }

    // For who learns of an answer from another process, which orders nothing between threads.
    std::vector<orchestrator::Queen::Ask> asked_so_far() {
        const std::lock_guard lock{mutex};
        return asks;
    }

    std::mutex mutex;
    Status answer{};
    std::optional<orchestrator::Ended> ended{};
    std::vector<SwarmReportPtr> reports;
    std::vector<orchestrator::Queen::Ask> asks;
    std::vector<std::string> requested;
    std::size_t riders = 0;
    // When there is one, it keeps the riders of what is not refused.
    std::function<void(orchestrator::RiderPtr, std::function<void(Status)>)> keep{};

private:
    orchestrator::Settings settings_;
};

inline const char* const template_text =
    R"({"bees":[{"role":"generator","work":{"out":{"out":"raw"}}},)"
    R"({"role":"processor","replicas":2,"work":{"in":{"in":"raw"}}}]})";

inline SwarmReportPtr report(
    const std::string& id, orchestrator::Phase phase = orchestrator::Phase::running,
    orchestrator::Wish wish = orchestrator::Wish::running) {
    const auto swarm = SwarmId::parse(id).value();
    return std::make_shared<const SwarmReport>(SwarmReport{
        .swarm =
            {.id = swarm,
             .marshal = wire::controller_instance(swarm).value(),
             .text = parsed(template_text).as_object(),
             .run = "run-1",
             .wish = wish,
             .phase = phase,
             .create = {.attempt = {.correlation_id = "c-1"}}},
        .aggregate = {{"health", "Healthy"}},
        .aggregate_at = SystemClock{}.wall()});
}

class Swarms {
public:
    Swarms()
        : hive{
              {.more = {rest::swarm_routes({court, taps, book})},
               .snapshots = {rest::swarm_snapshot(court, clock)}}} {}

    Answer post(const std::string& path, const std::string& body = "", std::string headers = "") {
        return hive.send("POST", "/api/v1" + path, admin() + headers, body);
    }
    Answer get(const std::string& path) { return hive.get("/api/v1" + path, admin()); }
    const std::string& admin() {
        if (admin_.empty()) admin_ = hive.key_for(accounts::Role::admin);
        return admin_;
    }

    // The exchange and the queue `raw` of a swarm, as long as the connection is there.
    std::unique_ptr<bus::Connection> declare_work(const std::string& id) {
        auto everything = broker.connect(bus::Grants::everything());
        const auto swarm = SwarmId::parse(id).value();
        const std::string exchange = wire::work_exchange(swarm);
        const std::string queue = wire::work_queue(swarm, QueueName::parse("raw").value());
        REQUIRE(everything->topology().declare(
            {.exchanges = {{exchange}},
             .queues = {{.name = queue}},
             .bindings = {{exchange, queue, queue}}}));
        return everything;
    }

    SystemClock clock;
    ScriptedCourt court;
    bus::memory::Hub broker{clock};
    std::unique_ptr<bus::Connection> bus =
        broker.connect(bus::Grants::orchestrator(InstanceId::parse("queen").value()));
    rest::TapDesk taps{*bus, clock};
    rest::RunBook book{clock, "orchestrator:queen", [](const auto&) {}};
    HiveUnderTest hive;

private:
    std::string admin_;
};

} // namespace hive::test
