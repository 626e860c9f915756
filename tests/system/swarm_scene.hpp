#pragma once

#include "bus/connection.hpp"
#include "cli/swarm_host.hpp"
#include "kernel/log_capture.hpp"
#include "tests/support/memory_keeper.hpp"
#include "tests/support/schema_validator.hpp"
#include "tests/support/scratch_directory.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace hive::tests {

// Everything that is said on the control plane, checked against the contract.
class ControlSpy {
public:
    explicit ControlSpy(std::unique_ptr<bus::Connection> connection);
    ~ControlSpy();

    std::size_t heard() const;
    std::vector<std::string> violations(); // of everything heard so far
    std::vector<wire::Envelope> alerts(const std::string& code) const;
    // What the newest status of a bee says of its work; empty: nothing yet.
    json::object work_of(const std::string& instance) const;
    // The newest full status of a component; empty: none yet.
    json::object full_status_of(const std::string& instance) const;
    // How many outcomes each correlation id had.
    std::map<std::string, int> outcomes() const;
    bool connected() const { return connection_->link() == bus::Link::up; }

private:
    mutable std::mutex mutex_;
    std::vector<bus::ControlMessage> messages_;
    std::unique_ptr<bus::Connection> connection_;
    Subscription subscription_;
};

struct SceneOptions {
    std::optional<std::string> broker{}; // none: all of it in this process
    bool allow_shell = false;
    std::map<std::string, std::string> programs{}; // by role, for bees that are processes
};

// A hive without its server: queen, marshals and bees, with short heartbeats.
class SwarmScene {
public:
    explicit SwarmScene(SceneOptions options = {});
    ~SwarmScene();

    orchestrator::Queen& queen() { return host_->queen(); }
    cli::SwarmHost& host() { return *host_; }
    ControlSpy& spy() { return *spy_; }
    MemoryKeeper& keeper() { return keeper_; }

    // Ends the queen and what lives in this process, at once, and starts her again.
    void restart();

    // Asks, and waits for the end.
    orchestrator::Ended
    create(const std::string& id, const json::object& text, const json::object& plan = {});
    orchestrator::Ended wish(const std::string& id, orchestrator::Wish wish);
    orchestrator::Ended configure(const wire::Scope& target, const json::object& patch);
    // Whether it was taken on.
    Status ask(orchestrator::Queen::Ask ask, orchestrator::RiderPtr rider = nullptr);

    orchestrator::Phase phase(const std::string& id);
    json::object aggregate(const std::string& id);
    bool eventually(const std::function<bool()>& holds);
    bool reaches(const std::string& id, orchestrator::Phase phase);
    // Whether what the test itself speaks and listens with has found the broker (again). Each
    // connection comes back in its own time, up to the longest pause between two tries.
    bool connected() { return outside_->link() == bus::Link::up && spy_->connected(); }

    // A connection that may do anything, for what bees do not do.
    bus::Connection& outside() { return *outside_; }
    void send(const std::string& queue, int items);
    std::vector<wire::WorkItem> take(const std::string& queue, std::size_t items);
    bool is_there(const std::string& queue);
    std::vector<runtime::Running> running();

private:
    orchestrator::Ended finish(orchestrator::Queen::Ask ask, const std::string& correlation);
    std::string next_id();

    SystemClock clock_;
    LogCapture captured_;
    LogLevels levels_;
    ScratchDirectory directory_;
    SceneOptions options_;
    MemoryKeeper keeper_;
    int asked_ = 0;
    std::unique_ptr<cli::SwarmHost> host_;
    std::unique_ptr<bus::Connection> outside_;
    std::unique_ptr<ControlSpy> spy_;
};

SwarmId swarm_id(const std::string& text);

cli::SwarmConfig quick_heartbeats(); // the cadences of a scene

// Echo bees one after another: the first reads `in`, the last writes `out`.
json::object chain_of(int bees);

} // namespace hive::tests
