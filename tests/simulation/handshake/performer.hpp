#pragma once

#include "kernel/clock.hpp"
#include "tests/simulation/handshake/message.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace hive::simulation::handshake {

// Mistakes that people make. The simulator is there to find them.
enum class Flaw : std::uint8_t {
    none,
    acks_before_it_persists,
    performs_every_delivery,
    announces_before_it_persists,
};

struct Working {
    TimePoint due;
};
struct Performed {
    std::uint64_t entry;
};
struct Announced {
    std::uint64_t entry;
};
struct Job {
    std::string key;
    std::variant<Working, Performed, Announced> stage;
};

struct PerformerState {
    std::vector<std::string> ledger; // the keys performed, in order
    std::map<std::string, Job> jobs; // by correlation id
};

struct CommandArrived {
    Attempt attempt;
};
struct Confirmed { // the broker has the outcome
    std::string correlation;
};
struct PerformerTick {};
using PerformerEvent = std::variant<CommandArrived, Confirmed, PerformerTick>;

struct SaveJob {
    std::string correlation;
};
struct SaveLedger {};
struct Acknowledge {};
struct React {
    Attempt attempt;
};
struct Announce {
    Outcome outcome;
};
using PerformerEffect = std::variant<SaveJob, SaveLedger, Acknowledge, React, Announce>;

struct PerformerDecision {
    PerformerState next;
    std::vector<PerformerEffect> effects{}; // carried out in this order
};

struct PerformerSettings {
    Duration work_takes = std::chrono::milliseconds{800};
    Flaw flaw = Flaw::none;
};

PerformerDecision decide(
    PerformerState state, const PerformerEvent& event, TimePoint now,
    const PerformerSettings& settings);

} // namespace hive::simulation::handshake
