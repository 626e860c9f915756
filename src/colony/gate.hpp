#pragma once

#include "colony/moment.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>
#include <variant>

namespace hive::colony {

// Something that is about to be done and that a rule may hold back.
struct Act {
    std::string what; // `task.complete`, `channel.post`, `swarm.start`
    std::string entity_type;
    std::string entity_id;
    json::object facts{};   // what rules look at: tags, priority, channel
    json::object command{}; // enough to carry it out later, when it was approved
};

struct Free {};
struct Held {
    std::string approval; // the request that was made for it, or that is open already
};
struct Denied {
    std::string reason;
};
using Verdict = std::variant<Free, Held, Denied>;

// Asked inside the transaction of the act. Asking may open a request for approval.
class Gate {
public:
    virtual ~Gate() = default;
    virtual Result<Verdict> ask(const Act& act, Moment& moment) = 0;
};

// Where there are no rules.
class OpenGate final : public Gate {
public:
    Result<Verdict> ask(const Act& /*act*/, Moment& /*moment*/) override { return Free{}; }
};

} // namespace hive::colony
