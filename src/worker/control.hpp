#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "wire/envelope.hpp"

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hive::worker {

struct Identity {
    SwarmId swarm;
    Role role;
    InstanceId instance;

    wire::Scope scope() const { return {swarm, role, instance}; }
    wire::Origin origin() const { return {role, instance}; }
};

struct ControlSettings {
    Duration delta_every = std::chrono::seconds{5};
    Duration rejected_quiet = std::chrono::minutes{1}; // then a rejected message is news again
    // Whether the role can work with this configuration; pure. The error is for people to read.
    std::function<Status(const json::object& merged)> validate{};
    // The configuration as others may see it; none: as it is.
    std::function<json::object(const json::object& config)> shown{};
};

// The newest config-update was refused; nothing of it was applied.
struct ConfigError {
    std::string correlation_id;
    std::string reason;
};

struct ControlState {
    Identity self;
    Timestamp started_at{};
    json::object config{};
    bool enabled = false;
    std::string last_config{}; // correlation id of the newest config-update; empty: none yet
    std::optional<ConfigError> config_error{};
    std::uint64_t tps = 0;
    json::object details{};        // of the workload
    wire::Wiring work_wiring{};    // for people: which queues it reads and writes
    wire::Wiring control_wiring{}; // its control queue and the keys it hears
    wire::IoState io_state{.work = wire::Flow{}};
    // What was alerted and has not recovered; `ok` when nothing was.
    wire::InputState input_alarm = wire::InputState::ok;
    wire::OutputState output_alarm = wire::OutputState::ok;
    bool failing_alarm = false;
    std::optional<TimePoint> rejected_at{};    // when the newest message was no message
    std::map<std::string, Timestamp> newest{}; // when each sender's newest signal was sent
    std::deque<std::string> answered{};        // bounded; a repeated delivery changes nothing
    TimePoint next_delta{};
};

struct Started {};
struct SignalHeard {
    wire::Envelope signal;
};
struct WorkloadReport {
    std::uint64_t tps = 0;
    wire::Flow flow{};
    json::object details{}; // what its kind of bee has to tell
    std::string failing{};  // why items fail; empty: they do not
};
struct MessageRejected { // it does not follow the contract
    std::string key;
    std::string reason;
};
struct Tick {};
using ControlEvent = std::variant<Started, SignalHeard, WorkloadReport, MessageRejected, Tick>;

struct Publish {
    wire::Envelope envelope;
};
struct SetWorkload {
    bool enabled;
};
struct Reconfigure {
    json::object config; // the whole of it
};
using ControlCommand = std::variant<Publish, SetWorkload, Reconfigure>;

struct ControlDecision {
    ControlState next;
    std::vector<ControlCommand> commands{};
};

// `wall` is what messages say, `now` is what deadlines are measured with.
struct Moment {
    TimePoint now{};
    Timestamp wall{};
};

ControlDecision decide(
    ControlState state, const ControlEvent& event, Moment moment,
    const ControlSettings& settings = {});

} // namespace hive::worker
