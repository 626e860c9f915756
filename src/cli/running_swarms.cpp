#include "cli/running_swarms.hpp"

#include "api/rest/swarm_routes.hpp"

#include <cstdlib>
#include <utility>

namespace hive::cli {
namespace {

constexpr Duration goodbye = std::chrono::seconds{2};
constexpr Duration look_every = std::chrono::seconds{1}; // at processes while they live

Status state_of(bus::Link link) {
    switch (link) {
    case bus::Link::up: return {};
    case bus::Link::blocked:
        return fail(Errc::unavailable, "the broker takes no messages for now: memory or disk");
    case bus::Link::away:
        return fail(Errc::unavailable, "the broker is away; the server keeps trying to reach it");
    case bus::Link::closed: return fail(Errc::closed, "the connection to the broker is closed");
    }
    std::abort();
}

} // namespace

RunningSwarms::RunningSwarms(const ServerConfig& config, HiveId hive, Parts parts)
    : parts_{std::move(parts)}, feed_{parts_.clock, config.swarm.orchestrator.silent_after},
      hive_{std::move(hive)} {}

Result<std::unique_ptr<RunningSwarms>>
RunningSwarms::start(const ServerConfig& config, const HiveId& hive, Parts parts) {
    std::unique_ptr<RunningSwarms> swarms{new RunningSwarms{config, hive, std::move(parts)}};
    if (auto ok = swarms->open(config); !ok) return fail(ok.error());
    return swarms;
}

Status RunningSwarms::open(const ServerConfig& config) {
    auto host = SwarmHost::open(
        {.broker = config.broker,
         .data = config.data.text,
         .log_level = config.log_level,
         .swarm = config.swarm},
        parts_.clock, parts_.log);
    if (!host) return fail(host.error());
    host_ = *std::move(host);
    auto queen = InstanceId::parse(config.swarm.queen);
    if (!queen) return fail(queen.error());
    keeper_ = std::make_unique<rest::SwarmKeeper>(
        rest::KeeperOptions{
            .life = new_life(*queen),
            .retention = config.swarm.retention,
            .sweep_every = config.swarm.sweep_every},
        rest::KeeperParts{
            .database = parts_.database,
            .hive = hive_,
            .clock = parts_.clock,
            .loop = loop_,
            .log = parts_.log.for_area("journal"),
            .announce = [this](const auto& announcement) { feed_.announced(announcement); },
            .outbox = parts_.outbox});
    book_ = std::make_unique<rest::RunBook>(
        parts_.clock, "orchestrator:" + queen->text(),
        [this](orchestrator::JournalEntry entry) { keep(std::move(entry)); });
    auto started = host_->start_queen(
        *keeper_, {.on_change =
                       [this](const auto& report) {
                           feed_.changed(report);
                           book_->changed(report);
                           note_end(report);
                       },
                   .on_entry = [this](const auto& entry) { feed_.entered(entry); }});
    if (!started) return started;
    court_ = std::make_unique<rest::QueenCourt>(host_->queen());
    auto observer = host_->connect(bus::Grants::orchestrator(*queen), queen->text() + "-observer");
    if (!observer) return fail(observer.error());
    observer_ = *std::move(observer);
    taps_ = std::make_unique<rest::TapDesk>(*observer_, parts_.clock);
    auto mirror =
        rest::ControlMirror::start(*observer_, [this](std::string_view key, std::string_view body) {
            feed_.control(key, body);
            book_->control(key, body);
        });
    if (!mirror) return fail(mirror.error());
    mirror_ = *std::move(mirror);
    looks_ = std::make_unique<loop::Strand>(loop_);
    looks_->every(look_every, [this] { host_->look_at_cpu(); });
    return {};
}

// What a run measured is told like the rest of its journal, once it is kept.
void RunningSwarms::keep(orchestrator::JournalEntry entry) {
    keeper_->keep({.entries = {entry}}, [this, entry](const Status& kept) {
        if (kept) feed_.entered(entry);
    });
}

RunningSwarms::~RunningSwarms() {
    looks_.reset();
    mirror_.reset();
    if (book_) book_->close();
    taps_.reset();
    if (observer_) {
        if (auto ok = observer_->close(goodbye); !ok) {
            parts_.log.warn("the broker did not say goodbye", {{"reason", ok.error().detail}});
        }
    }
    court_.reset();
    host_.reset(); // before the keeper, which still takes what she leaves behind
}

void RunningSwarms::note_end(const orchestrator::SwarmReport& report) {
    const auto& swarm = report.swarm;
    if (swarm.phase != orchestrator::Phase::removed) return;
    runs_->ended(swarm.run, swarm.id.text(), host_->take_cpu(swarm.id));
}

void RunningSwarms::offer(
    rest::HiveParts& parts, scenario::Shelf& scenarios, rest::ColonyParts& colony) {
    gate_ = std::make_unique<rest::SwarmGate>(colony);
    parts.more.push_back(
        rest::swarm_routes({*court_, *taps_, *book_, rest::orders_from(scenarios), gate_.get()}));
    const auto courier = std::make_shared<rest::SwarmCourier>(*court_, parts_.clock, hive_);
    parts.chores.push_back(rest::SwarmCourier::chore(courier, colony));
    parts.chores.push_back(rest::RunBooker::chore(runs_, hive_, colony));
    parts.snapshots.push_back(rest::swarm_snapshot(*court_, parts_.clock));
    parts.metrics.push_back([this] { return host_->metrics().text(); });
    parts.health.emplace_back("broker", [bus = observer_.get()] { return state_of(bus->link()); });
}

} // namespace hive::cli
