#pragma once

#include "api/rest/control_mirror.hpp"
#include "cli/swarm_host.hpp"
#include "orchestrator/keeper.hpp"
#include "run/roster.hpp"
#include "run/stage.hpp"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::cli {

// A run outlives nobody: what the queen would keep is forgotten.
class NoKeeper final : public orchestrator::Keeper {
public:
    Result<orchestrator::Kept> load() override { return orchestrator::Kept{}; }
    void keep(orchestrator::Batch /*batch*/, std::function<void(Status)> done) override {
        done({});
    }
};

// A hive of one swarm for the time of a run: in this process, or on a broker with a process for
// each bee.
class LocalStage final : public run::Stage {
public:
    static Result<std::unique_ptr<LocalStage>>
    open(SwarmHostOptions options, const SwarmId& swarm, const Clock& clock, const Logger& log);
    ~LocalStage() override;

    Status create(const json::object& text, const json::object& plan) override;
    Status start() override;
    Status hold(bool hold) override;
    Result<run::Sight> look() override;
    std::string trouble() override;
    Status remove() override;
    void hurry(run::Patience left) override;

private:
    // Shared with the queen, who may answer when nobody waits any more.
    struct Heard {
        std::mutex mutex{};
        std::condition_variable changed{};
        run::Roster roster{};
        std::vector<run::GuardSight> guards{}; // as the controller said last
        std::string trouble{};
        run::Patience patience = run::Patience::full;
    };

    LocalStage(const SwarmId& swarm, const Clock& clock) : swarm_{swarm}, clock_{clock} {}

    Status ask(orchestrator::Queen::Ask asked, const std::string& id, wire::OutcomeStatus wanted);
    bool waits_for(wire::OutcomeStatus wanted) const; // with the mutex of what was heard
    Status wish(orchestrator::Wish wish, wire::OutcomeStatus wanted);
    std::string next_id() { return "run-" + std::to_string(++asked_); }
    void hear(std::string_view body);
    wire::Scope scope_of(const controller::BeeSpec& bee) const {
        return {swarm_, bee.role, bee.instance};
    }

    SwarmId swarm_;
    const Clock& clock_;
    controller::Template layout_{};
    int asked_ = 0;
    NoKeeper keeper_{};
    std::unique_ptr<SwarmHost> host_{};
    std::unique_ptr<bus::Connection> observer_{};

    std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
    std::unique_ptr<rest::ControlMirror> mirror_{}; // last: it calls hear()
};

} // namespace hive::cli
