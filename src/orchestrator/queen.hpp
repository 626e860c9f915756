#pragma once

#include "bus/connection.hpp"
#include "kernel/log.hpp"
#include "kernel/subscription.hpp"
#include "loop/loop.hpp"
#include "orchestrator/keeper.hpp"
#include "orchestrator/state.hpp"
#include "runtime/runtime.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hive::orchestrator {

// One swarm as people see it.
struct SwarmReport {
    Swarm swarm;
    // The controller's newest full status: `data.context` with workers, bindings, queue statistics.
    json::object aggregate{};
    std::optional<Timestamp> aggregate_at{};
};
using SwarmReportPtr = std::shared_ptr<const SwarmReport>;

struct QueenOptions {
    InstanceId instance;
    std::string life; // unique to this start
    Settings settings{};
    Duration tick = std::chrono::seconds{1};
    Duration stop_grace = std::chrono::seconds{10}; // of a marshal that is told to end
    // What a marshal is told at its start besides who it is, such as where the broker is.
    std::map<std::string, std::string> marshal_environment{};
};

struct QueenParts { // all outlive her
    bus::Connection& bus;
    runtime::Runtime& runtime;
    loop::Loop& loop;
    Keeper& keeper;
    const Clock& clock;
    Logger log;
    // Called on her strand, in order; must not block.
    std::function<void(const SwarmReport&)> on_change{}; // phase, wish or aggregate
    std::function<void(const JournalEntry&)> on_entry{}; // once it is on its way to the keeper
};

// The orchestrator as it lives: carries out what its decisions say, one turn after another.
class Queen {
public:
    static Result<std::unique_ptr<Queen>> start(QueenOptions options, QueenParts parts);
    ~Queen(); // lets go of everything and stops nothing: swarms live on
    Queen(const Queen&) = delete;
    Queen& operator=(const Queen&) = delete;

    using Ask = std::variant<CreateAsked, WishAsked, ConfigAsked>;
    // `answered` comes once the wish is kept, together with its rider, or refused: Errc::not_found,
    // Errc::conflict, Errc::invalid. From any thread.
    void ask(Ask ask, RiderPtr rider, std::function<void(Status)> answered);

    // The end of what was asked with this correlation id: told once, at once when it ended lately.
    Subscription
    when_ended(const std::string& correlation_id, std::function<void(const Ended&)> tell);

    // Swarms by id, removed ones included until they are forgotten. From any thread, never waits.
    std::vector<SwarmReportPtr> swarms() const;
    SwarmReportPtr find(const SwarmId& swarm) const; // null: there is none

    // Asks for a status: of every controller, of one swarm's, or of one component.
    void request_status(const wire::Scope& target);

    const Settings& settings() const noexcept;

private:
    class Shell;
    explicit Queen(std::unique_ptr<Shell> shell);

    std::unique_ptr<Shell> shell_;
};

} // namespace hive::orchestrator
