#pragma once

#include "api/colony/run_booker.hpp"
#include "api/colony/swarm_courier.hpp"
#include "api/colony/swarm_gate.hpp"
#include "api/rest/control_mirror.hpp"
#include "api/rest/hive_server.hpp"
#include "api/rest/queen_court.hpp"
#include "api/rest/run_book.hpp"
#include "api/rest/swarm_feed.hpp"
#include "api/rest/swarm_keeper.hpp"
#include "api/rest/tap_desk.hpp"
#include "cli/server_config.hpp"
#include "cli/swarm_host.hpp"
#include "scenario/shelf.hpp"

#include <memory>

namespace hive::cli {

// The swarms of a server: what runs them, where they are kept, and what the API needs of them.
class RunningSwarms {
public:
    struct Parts { // all outlive this
        store::Database& database;
        const Clock& clock;
        Logger log;
        rest::Outbox* outbox = nullptr; // who is told outside
    };
    static Result<std::unique_ptr<RunningSwarms>>
    start(const ServerConfig& config, const HiveId& hive, Parts parts);
    ~RunningSwarms();

    // Before the server starts: its routes and snapshots. Afterwards: its listeners.
    void offer(rest::HiveParts& parts, scenario::Shelf& scenarios, rest::ColonyParts& colony);
    const rest::SwarmCourt& court() const { return *court_; }
    void attach(api::EventHub& hub) { feed_.attach(hub); }
    void detach() { feed_.detach(); } // before the server goes

private:
    RunningSwarms(const ServerConfig& config, HiveId hive, Parts parts);
    Status open(const ServerConfig& config);
    void keep(orchestrator::JournalEntry entry);
    void note_end(const orchestrator::SwarmReport& report); // of a run

    Parts parts_;
    rest::SwarmFeed feed_;
    loop::Loop loop_{1}; // the keeper's
    std::unique_ptr<rest::SwarmKeeper> keeper_;
    std::unique_ptr<rest::RunBook> book_;
    std::unique_ptr<SwarmHost> host_;
    std::unique_ptr<bus::Connection> observer_;
    std::unique_ptr<rest::ControlMirror> mirror_;
    std::unique_ptr<rest::TapDesk> taps_;
    std::unique_ptr<rest::QueenCourt> court_;
    std::unique_ptr<rest::SwarmGate> gate_;
    HiveId hive_;
    std::unique_ptr<loop::Strand> looks_; // at the CPU time of processes
    std::shared_ptr<rest::RunBooker> runs_ = std::make_shared<rest::RunBooker>();
};

} // namespace hive::cli
