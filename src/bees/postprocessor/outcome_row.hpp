#pragma once

#include "bees/postprocessor/measure.hpp"

#include <string>
#include <string_view>

namespace hive::bees {

struct RowBy {
    std::string_view swarm;
    std::string_view role;
    std::string_view instance;
};

// One call as one line of JSON, without its end: eventTime, swarmId, sinkRole, sinkInstance,
// traceId, callId, processorStatus, processorSuccess, processorDurationMs, fromDueMs, error,
// businessCode, businessSuccess (null: not judged), dimensions.
std::string
outcome_row(const CallOutcome& outcome, const wire::WorkItem& item, const RowBy& by, Timestamp now);

} // namespace hive::bees
