#pragma once

#include "orchestrator/state.hpp"

#include <string>
#include <utility>

namespace hive::orchestrator {

// One decision being made. The parts of decide() share it; nobody else includes this.
struct Step {
    State& state;
    Moment moment;
    const Settings& settings;
    std::vector<Command>& out;

    wire::Sender sender() const {
        return {{wire::orchestrator_role(), state.instance}, moment.wall};
    }
    void save(const Swarm& swarm) { out.emplace_back(Save{swarm.id}); }
    void keep(AskRecord record) { out.emplace_back(KeepAsk{std::move(record)}); }
};

// How something that was asked for ended; no status: timed out or overtaken.
struct End {
    std::optional<wire::OutcomeStatus> status{};
    std::string reason{};
    json::object context{};
    bool unheard = false; // nobody took it on, so nobody else answers
};

struct Request { // as the journal remembers it
    std::string swarm;
    std::string_view type;
    const wire::Attempt& attempt;
    const std::string& who;
};

// tracker.cpp
void send_attempt(Step& step, Tracked& tracked);
void send_again_if_due(Step& step, Tracked& tracked);
bool is_attempt_of(const Tracked& tracked, const std::string& correlation);
Duration time_for(const Settings& settings, wire::Command command);
void send_signal(Step& step, const wire::Scope& target, wire::Attempt attempt, wire::Signal signal);
void send_untracked(Step& step, const wire::Scope& target, wire::Signal signal);
void record(Step& step, JournalEntry entry);
void enter(Step& step, Swarm& swarm, Phase phase, const std::string& why = {});

// asks.cpp
void on_create(Step& step, const CreateAsked& asked);
void on_wish(Step& step, const WishAsked& asked);
wire::Command verb_of(Wish wish) noexcept;
void note_request(Step& step, const Request& request);
void track_again(Step& step, const AskRecord& record); // of an earlier life
std::string state_sentence(const Swarm& swarm);        // "swarm 'x' is Creating; possible now: ..."
void refuse(Step& step, const wire::Attempt& attempt, Errc code, std::string reason);
void end_ask(Step& step, Ended ended); // with a journal entry when nobody answered
// Those of one command, or all of them.
void end_asks(Step& step, Swarm& swarm, std::optional<wire::Command> which, const End& end);
void end_late_asks(Step& step, Swarm& swarm);
// The outcome of what nobody else answers, and the alert that follows a failure.
void answer_ourselves(Step& step, const Ended& ended);

// configs.cpp
void on_config(Step& step, const ConfigAsked& asked);
void track_config_again(Step& step, const AskRecord& record);
void config_answered(Step& step, const wire::Envelope& envelope, const wire::Outcome& outcome);
void config_accepted(Step& step, const std::string& correlation);
void watch_configs(Step& step);
void drop_configs(Step& step, const SwarmId& swarm); // it is being removed

// marshals.cpp
void launch_if_due(Step& step, Swarm& swarm);
void marshal_failed(Step& step, Swarm& swarm, const std::string& reason);
void marshal_exited(Step& step, Swarm& swarm, const MarshalExited& exited);
void marshal_heard(Step& step, Swarm& swarm);
void watch_marshal(Step& step, Swarm& swarm);

// observe.cpp
void hear(Step& step, const wire::Envelope& envelope);

// reconcile.cpp
void reconcile(Step& step, Swarm& swarm);
void decide_creation(Step& step, Swarm& swarm, wire::OutcomeStatus status, std::string reason);
// A command failed: everything is kept as it is until people ask for something.
void halt(Step& step, Swarm& swarm, const std::string& reason);

} // namespace hive::orchestrator
