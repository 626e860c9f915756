#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/json.hpp"
#include "orchestrator/journal.hpp"
#include "wire/envelope.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hive::orchestrator {

struct Settings {
    Duration ready_within = std::chrono::minutes{5};
    Duration start_within = std::chrono::minutes{3};
    Duration stop_within = std::chrono::minutes{3};
    Duration remove_within = std::chrono::minutes{3};
    Duration config_within = std::chrono::seconds{60};
    Duration send_again = std::chrono::seconds{5};    // until the first reaction
    Duration silent_after = std::chrono::seconds{25}; // then a controller is asked for its status
    Duration lost_after = std::chrono::seconds{10};   // after having been asked: launched again
    Duration launch_again = std::chrono::seconds{1};  // doubles with each exit
    Duration launch_again_max = std::chrono::seconds{30};
    Duration launch_settled =
        std::chrono::minutes{1};    // who lived so long starts with a clean slate
    std::uint32_t launches_max = 5; // of a controller that never reports, until its creation fails
    Duration forget_after = std::chrono::minutes{10}; // a removed swarm; its journal stays
    std::size_t removed_kept = 200;                   // at most
};

// What people want; survives every restart.
enum class Wish : std::uint8_t { stopped, running, removed };
std::string_view name_of(Wish wish) noexcept;

enum class Phase : std::uint8_t {
    creating,
    ready,
    starting,
    running,
    stopping,
    stopped,
    failed, // resources are kept
    removing,
    removed,
};
std::string_view name_of(Phase phase) noexcept; // as in seed 001 §5.1

// The one command that the orchestrator itself answers.
struct Creation {
    wire::Attempt attempt;
    std::optional<wire::OutcomeStatus> decided{};
    Timestamp decided_at{}; // said again it must be the same outcome
    std::string reason{};
    bool announced = false; // the broker has it
};

// One command under way to a controller or bee. Sent again with a new correlation id and the same
// key until something shows that it arrived.
struct Tracked {
    wire::Command command;
    wire::Scope target;
    json::object data{};
    std::string key;
    std::vector<std::string> correlations{}; // of each attempt, the newest last
    std::string first{};                     // correlation id of the first attempt, if asked for
    TimePoint sent_at{};
    TimePoint deadline{};
    bool reacted = false;
};

// What somebody asked for and has not been told the end of.
struct Ask {
    wire::Attempt attempt;
    wire::Command command;
    TimePoint deadline{};
    bool sent = false;     // under this id, so that its target owes the answer
    bool answered = false; // and has given it
};

// The record of what somebody asked for, kept from the asking to its end.
struct AskRecord {
    wire::Attempt attempt;
    wire::Command command;
    wire::Target<SwarmId> swarm;
    std::string who{};
    Timestamp asked_at{};
    json::object patch{};               // of a config-update
    std::vector<wire::Scope> targets{}; // of a config-update: each of them answers
};

// A config-update under way to one or several components; ends when each has answered.
struct ConfigOrder {
    wire::Attempt asked;
    wire::Target<SwarmId> swarm;
    TimePoint deadline{};
    std::vector<Tracked> parts{};                              // that have not answered
    wire::OutcomeStatus status = wire::OutcomeStatus::applied; // the worst answer so far
    std::string reason{};
    json::object answers{}; // of each component
    bool answered = false;  // somebody did under the id that was asked with
};

struct KnownBee {
    Role role;
    InstanceId instance;
};

// The newest aggregate of a swarm's controller.
struct Observed {
    std::string life{};
    std::string status{};
    std::string accepted{};
    std::string health{};
    bool initialised = false;
    bool pending = false;
    Timestamp said_at{};
    TimePoint heard_at{};
    std::vector<KnownBee> bees{}; // of its newest full status
};

// Whether the controller is heard; a lost one is launched again, which is harmless if it lives.
enum class Contact : std::uint8_t { fresh, asked, lost };

enum class Sweep : std::uint8_t { none, components, objects };

struct Swarm {
    // Stored.
    SwarmId id;
    InstanceId marshal;
    json::object text; // the template as the controller gets it
    json::object plan{};
    std::string run{};      // of this creation: its journal is kept under it
    Timestamp created_at{}; // what was said before is about an earlier swarm of this name
    Wish wish = Wish::stopped;
    Phase phase = Phase::creating;
    std::string trouble{}; // why it failed, or how its controller ended; empty: nothing known
    Creation create;

    // Rebuilt after a restart.
    bool launched = false; // the runtime was asked to
    TimePoint launched_at{};
    TimePoint launch_at{};   // not before
    std::uint32_t exits = 0; // in a row
    Contact contact = Contact::fresh;
    TimePoint contact_at{}; // when it was asked or launched again
    TimePoint wished_at{};
    std::vector<Ask> asks{}; // start, stop, remove; the end of a creation is in `create`
    std::optional<Observed> observed{};
    std::optional<wire::Attempt> asked{}; // of the newest wish, until it was sent
    std::optional<Tracked> command{};
    bool halted = false; // the newest command failed; the next one is for people to give
    Sweep sweep = Sweep::none;
    TimePoint sweep_again{};
    TimePoint ask_again{};
    TimePoint removed_at{};
};

struct State {
    InstanceId instance; // `queen`
    std::string life{};  // begins the ids of what it sends
    std::map<SwarmId, Swarm> swarms{};
    std::vector<ConfigOrder> configs{};
    std::uint64_t next_id = 1;
    Timestamp last_sent{};
};

struct Moment {
    TimePoint now{};
    Timestamp wall{};
};

struct Restarted {                 // its swarms are those of the store
    std::vector<AskRecord> open{}; // what was asked before and has not ended, the oldest first
};
struct CreateAsked {
    SwarmId swarm;
    json::object text;
    json::object plan;
    wire::Attempt attempt;
    std::string who{};
    std::string run{};
};
struct WishAsked { // start, stop, remove
    SwarmId swarm;
    Wish wish;
    wire::Attempt attempt;
    std::string who{};
};
// To a swarm, a role, an instance or a controller; to every controller when the swarm is ALL.
struct ConfigAsked {
    wire::Scope target;
    json::object patch;
    wire::Attempt attempt;
    std::string who{};
};
struct Heard {
    wire::Envelope envelope;
};
struct MarshalFailed { // it could not be launched
    SwarmId swarm;
    std::string reason;
};
struct MarshalExited { // nobody had told it to
    SwarmId swarm;
    std::string cause;
    std::vector<std::string> last_lines{};
};
struct ComponentsGone {
    SwarmId swarm;
};
struct ObjectsGone {
    SwarmId swarm;
};
struct OutcomeSafe { // the broker has the outcome of the creation
    SwarmId swarm;
};
struct Tick {};
using Event = std::variant<
    Restarted, CreateAsked, WishAsked, ConfigAsked, Heard, MarshalFailed, MarshalExited,
    ComponentsGone, ObjectsGone, OutcomeSafe, Tick>;

struct Publish {
    wire::Envelope envelope;
};
struct AnnounceCreated { // published, and OutcomeSafe once the broker has it
    SwarmId swarm;
    wire::Envelope envelope;
};
struct Save { // before anything that follows
    SwarmId swarm;
};
struct KeepAsk { // likewise
    AskRecord record;
};
struct LaunchMarshal { // harmless when it lives
    SwarmId swarm;
    InstanceId instance;
};
struct RemoveComponents { // whatever the runtime still has of this swarm; then ComponentsGone
    SwarmId swarm;
};
struct RemoveObjects { // whatever the broker still has of this swarm; then ObjectsGone
    SwarmId swarm;
    json::object text;
    InstanceId marshal;
};
struct Forget { // a removed swarm is no longer kept; its journal is
    SwarmId swarm;
};
struct Record {
    JournalEntry entry;
};
struct Refuse { // an answer to who asked; nothing has changed
    wire::Attempt attempt;
    Errc code;
    std::string reason;
};
// What somebody asked for has come to its end: exactly once for each attempt that was not refused,
// whichever of its re-sent attempts was answered, and also when nobody answered. Kept with the rest
// of the decision, so that it is known after a restart.
struct Ended {
    wire::Attempt asked;
    wire::Target<SwarmId> swarm;
    wire::Command command;
    std::optional<wire::OutcomeStatus> status{}; // none: timed out, or a newer wish overtook it
    std::string reason{};
    json::object context{};
};
using Command = std::variant<
    Publish, AnnounceCreated, Save, KeepAsk, Forget, LaunchMarshal, RemoveComponents, RemoveObjects,
    Record, Refuse, Ended>;

struct Decision {
    State next;
    std::vector<Command> commands{};
};

} // namespace hive::orchestrator
