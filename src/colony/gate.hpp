#pragma once

#include "colony/moment.hpp"
#include "colony/refusal.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace hive::colony {

// Something that is about to be done and that a rule may hold back.
struct Act {
    std::string what; // `task.complete`, `channel.post`, `swarm.start`
    std::string entity_type{};
    std::string entity_id{};
    json::object facts{}; // what rules look at (tags, priority, channel) and people (note, content)
    json::object command{}; // enough to carry it out later, when it was approved

    bool operator==(const Act&) const = default;
};

struct Free {};
struct Held {
    std::string approval; // the request that was made for it, or that is open already
};
struct Denied {
    std::string reason;
    std::string code = "denied-by-rule";
};
using Verdict = std::variant<Free, Held, Denied>;

// Asked inside the transaction of the act. Asking may open a request for approval.
class Gate {
public:
    virtual ~Gate() = default;
    virtual Result<Verdict> ask(const Act& act, Moment& moment) = 0;
    // Is any rule about acts of this kind? Cheap: most acts are nobody's business.
    virtual Result<bool> cares(std::string_view what) = 0;
    // Would it hold the act back or deny it? Opens nothing.
    virtual Result<bool> minds(const Act& act, const Actor& who) = 0;
};

// Where there are no rules.
class OpenGate final : public Gate {
public:
    Result<Verdict> ask(const Act& /*act*/, Moment& /*moment*/) override { return Free{}; }
    Result<bool> cares(std::string_view /*what*/) override { return false; }
    Result<bool> minds(const Act& /*act*/, const Actor& /*who*/) override { return false; }
};

// True: a rule holds it back, as the moment now says. A rule that denies it is a refusal.
Outcome<bool> is_held(Gate& gate, const Act& act, Moment& moment);

} // namespace hive::colony
