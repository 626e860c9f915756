#pragma once

#include "kernel/clock.hpp"
#include "wire/work_item.hpp"

#include <cstdint>

namespace hive::worker {

// One item on its way through a bee. It lies where its source keeps it until it is forwarded,
// finished or refused, each exactly once and by its line.
struct Job {
    wire::WorkItem* item = nullptr;
    std::uint64_t tag = 0;    // the source's name for it
    std::uint32_t source = 0; // which of the line's sources
    std::uint32_t attempt = 1;
    Timestamp received_at{};
};

// Headers of an item that bees agree on.
namespace header {
inline constexpr wire::KnownName sequence = "x-ph-seq";
// When the item was due by its generator's schedule: nanoseconds since 1970, on the machine's
// clock.
inline constexpr wire::KnownName due = "x-ph-due-ns";
inline constexpr wire::KnownName vars = "vars";
// Where an item of a dataset is from.
inline constexpr wire::KnownName csv_file = "x-ph-csv-file";
inline constexpr wire::KnownName csv_row = "x-ph-csv-row"; // from 1, without the header
inline constexpr wire::KnownName redis_list = "x-ph-redis-list";
inline constexpr wire::KnownName templated = "x-ph-templated"; // of a step made by a template
// Which call of which service an item stands for; what reports are told apart by.
inline constexpr wire::KnownName call_id = "x-ph-call-id";
inline constexpr wire::KnownName service_id = "x-ph-service-id";

// Of a step that tells how a call went. Times are milliseconds with a fraction.
inline constexpr wire::KnownName call_status = "x-ph-processor-status"; // 0: no answer
inline constexpr wire::KnownName call_success = "x-ph-processor-success";
inline constexpr wire::KnownName call_error = "x-ph-processor-error"; // the class of a failure
inline constexpr wire::KnownName call_duration = "x-ph-processor-duration-ms";
inline constexpr wire::KnownName call_from_due = "x-ph-processor-from-due-ms";
inline constexpr wire::KnownName call_connect = "x-ph-processor-connection-latency-ms";
inline constexpr wire::KnownName call_sent_bytes = "x-ph-processor-sent-bytes";
inline constexpr wire::KnownName call_received_bytes = "x-ph-processor-received-bytes";

// Of the same step, where there are rules for what an answer means.
inline constexpr wire::KnownName business_code = "x-ph-business-code";
inline constexpr wire::KnownName business_success = "x-ph-business-success";
inline constexpr wire::KnownName dimension = "x-ph-dim-"; // and its name
} // namespace header

} // namespace hive::worker
