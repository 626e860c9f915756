#pragma once

#include "bus/layout.hpp"
#include "controller/guard_post.hpp"
#include "controller/order.hpp"
#include "controller/template.hpp"
#include "controller/topology.hpp"
#include "kernel/clock.hpp"
#include "plan/timeline.hpp"
#include "wire/envelope.hpp"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace hive::controller {

// The defaults of seed and contract; every one may be set.
struct Settings {
    Duration provision_each = std::chrono::seconds{120};
    Duration start_each = std::chrono::seconds{60};
    Duration start_all = std::chrono::minutes{3};
    Duration stop_each = std::chrono::seconds{30};
    Duration config_within = std::chrono::seconds{60};
    Duration send_again = std::chrono::seconds{3};    // until a bee acknowledges
    Duration silent_after = std::chrono::seconds{15}; // then it is asked for its status
    Duration stale_after = std::chrono::seconds{5};   // after having been asked
    Duration delta_every = std::chrono::seconds{10};
    Duration inspect_every = std::chrono::seconds{2};    // queues, while there are bees
    Duration rejected_quiet = std::chrono::minutes{1};   // then a rejected message is news again
    Duration restart_settled = std::chrono::minutes{10}; // who lived so long has not failed before
    std::size_t errors_kept = 10;
    bool buffer_guards = true; // the switch for all of them
};

enum class Phase : std::uint8_t {
    empty, // no template yet
    provisioning,
    ready,
    starting,
    running,
    stopping,
    stopped,
    failed, // everything is kept for inspection
    removing,
    removed,
};
std::string_view name_of(Phase phase) noexcept; // as in `context.swarmStatus`

enum class Contact : std::uint8_t { never, fresh, asked, stale };

struct Bee {
    BeeSpec spec;
    std::size_t rank = 0;
    json::object config{};                 // wanted; a bee that starts anew is given all of it
    std::optional<json::object> applied{}; // acknowledged; goes on when the bee refuses the wanted
    bool wanted = false;                   // whether its workload is to run

    bool launched = false;
    TimePoint launched_at{};
    TimePoint provision_by{};       // its own deadline, from its launch
    std::string trouble{};          // why it could not be launched, how it exited, what it refused
    std::vector<std::string> log{}; // the last lines of its output, with the trouble
    bool ending = false;            // it was told to end: its exit is no news
    bool gone = false;              // it does not run, and nobody has launched it since
    std::optional<TimePoint> launch_at{}; // it ended and is launched again then
    std::uint32_t failures = 0;           // in a row
    std::uint32_t restarts = 0;           // in all

    bool initialised = false;             // has acknowledged its bootstrap configuration
    json::object message{};               // what it has to acknowledge
    std::vector<std::string> sent{};      // ids under which that was sent; empty: not yet
    std::vector<std::string> asked_for{}; // ids of the swarm's config-updates that are part of it
    TimePoint sent_at{};
    bool acknowledged = false;
    std::string refused{}; // the newest of those ids that the bee did not want
    std::string useless{}; // why it will never acknowledge

    Contact contact = Contact::never;
    TimePoint heard_at{};
    TimePoint asked_at{};
    std::string asked_as{}; // the id of that status-request
    Timestamp said_at{};    // of its newest status; older ones are ignored
    Timestamp started_at{};
    bool enabled = false;
    std::uint64_t tps = 0;
    std::string full_for{}; // the config-update that its newest full status reflects
};

// A lifecycle command under way. Attempts that ask for the same join it; each gets its outcome.
struct Work {
    wire::Command command = wire::Command::swarm_start;
    std::vector<wire::Attempt> attempts{};
    std::size_t rank = 0; // that is being started or stopped
    TimePoint rank_deadline{};
    TimePoint deadline{};
};

struct PendingConfig {
    wire::Attempt attempt;
    TimePoint deadline{};
};

struct ErrorSummary {
    std::string subject; // role/instance
    std::string reason;
    std::string correlation_id;
};

// What a removal waits for, one after the other.
enum class Removal : std::uint8_t { workload, bees, objects };

struct State {
    SwarmId swarm;
    InstanceId instance;
    Timestamp started_at{};
    std::string life{}; // unique to this life; begins the ids of what it sends

    Phase phase = Phase::empty;
    Removal removal = Removal::workload;
    bool templated = false; // every bee has been healthy, configured and disabled
    bool planned = false;
    bool paused = false;
    json::object template_text{};
    json::object plan{}; // as it was sent
    plan::Timeline timeline{};
    // What a ramp began with, by its step and the bee.
    std::map<std::pair<std::string, std::string>, double> ramps_from{};
    std::vector<GuardPost> guards{};
    std::size_t spikes_known_for = 0; // steps of the plan that had begun when guards were told
    Template layout{};
    StartOrder order{};
    std::vector<Bee> bees{};
    std::optional<Work> work{};
    std::vector<PendingConfig> configs{};

    std::uint64_t next_id = 1;
    Timestamp last_sent{};                     // signals carry strictly increasing times
    std::map<std::string, Timestamp> newest{}; // newest lifecycle signal of each sender
    std::deque<std::string> answered{};
    std::string accepted{}; // the newest command that was taken on: the sender's first reaction
    std::deque<ErrorSummary> errors{};
    std::optional<TimePoint> rejected_at{}; // when the newest message was no message
    wire::Wiring control_wiring{};          // its control queue and the keys it hears
    std::string health{"Unknown"};
    std::map<std::string, std::optional<wire::QueueDepth>> queues{}; // none: it is missing
    bool queues_missing = false;                                     // and it has been told
    TimePoint next_inspection{};
    TimePoint next_delta{};
    TimePoint remove_again{};
};

struct Moment {
    TimePoint now{};
    Timestamp wall{};
};

struct Started {};
struct Heard {
    wire::Envelope envelope;
};
struct Launched {
    InstanceId instance;
};
struct LaunchFailed {
    InstanceId instance;
    std::string reason;
    std::vector<std::string> last_lines{}; // of its log, the newest last
};
struct Exited {
    InstanceId instance;
    std::string cause;
    bool failed = true; // false: it said that all is well
    std::vector<std::string> last_lines{};
};
struct QueuesInspected { // by the broker's name; none: there is no such queue
    std::map<std::string, std::optional<wire::QueueDepth>> queues;
};
struct QueuesSampled { // by the broker's name; none: nobody knows
    std::map<std::string, std::optional<std::uint64_t>> queues;
};
struct Rejected { // a message that does not follow the contract
    std::string key;
    std::string reason;
};
struct BeesGone {}; // the runtime has none of this swarm any more
struct ObjectsRemoved {};
struct Tick {};
using Event = std::variant<
    Started, Heard, Launched, LaunchFailed, Exited, QueuesInspected, QueuesSampled, Rejected,
    BeesGone, ObjectsRemoved, Tick>;

struct Publish {
    wire::Envelope envelope;
};
struct Declare { // before any bee is launched
    bus::Layout layout;
};
struct Launch { // harmless when the bee lives; answered by Launched or LaunchFailed
    BeeSpec bee;
};
struct StopBee { // it did not stop in time; answered by Exited
    InstanceId instance;
};
// Every bee the runtime has of this swarm, also those that only an earlier life of the controller
// knew. Answered by BeesGone; repeated until then.
struct StopAllBees {};
struct RemoveObjects { // answered by ObjectsRemoved; repeated until then
    BrokerObjects objects;
};
struct InspectQueues { // answered by QueuesInspected; not at all when the broker is away
    std::vector<std::string> queues;
};
struct SampleQueues { // answered by QueuesSampled, and soon: also when the broker is away
    std::vector<std::string> queues;
};
using Command = std::variant<
    Publish, Declare, Launch, StopBee, StopAllBees, RemoveObjects, InspectQueues, SampleQueues>;

struct Decision {
    State next;
    std::vector<Command> commands{};
    std::optional<TimePoint> wake_at{}; // something is due before the next usual tick
};

} // namespace hive::controller
