#pragma once

#include "kernel/result.hpp"
#include "wire/work_item.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace hive::wire {

struct WorkItemLimits {
    std::size_t bytes = std::size_t{4} << 20U; // the whole document
    std::size_t steps = steps_max;
    std::size_t hops = hops_max;
    std::size_t headers = 256; // per item and per step
};

// The JSON document of docs/spec/workitem-envelope.schema.json, appended to `out`. It is always
// valid UTF-8: a payload marked utf-8 that is not goes out as base64, and any other text has its
// broken bytes replaced by U+FFFD.
void encode(const WorkItem& item, std::string& out);

// What violates the schema or a limit is refused; the error names the path and the reason, e.g.
// `steps[1].headers: ph.step.service is missing`.
Result<WorkItem> decode_work_item(std::string_view text, const WorkItemLimits& limits = {});

} // namespace hive::wire
