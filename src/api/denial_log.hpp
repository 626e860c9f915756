#pragma once

#include "api/call.hpp"
#include "api/problem.hpp"

namespace hive::api {

// Port: is told when somebody we know, or a script of another site, asks for what a rule denies
// them. Called from every thread; must not wait.
class DenialLog {
public:
    virtual ~DenialLog() = default;
    virtual void denied(const Call& call, const Problem& why) = 0;
};

} // namespace hive::api
