#include "bees/postprocessor/outcome_row.hpp"

#include "kernel/append_format.hpp"
#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"

namespace hive::bees {
namespace {

void add_text(std::string& out, std::string_view name, std::string_view value) {
    append_json_string(out, name);
    out += ':';
    append_json_string(out, value);
    out += ',';
}

double milliseconds(Duration time) {
    return std::chrono::duration<double, std::milli>{time}.count();
}

} // namespace

std::string outcome_row(
    const CallOutcome& outcome, const wire::WorkItem& item, const RowBy& by, Timestamp now) {
    std::string out = "{";
    out.reserve(400);
    add_text(out, "eventTime", format_timestamp(now));
    add_text(out, "swarmId", by.swarm);
    add_text(out, "sinkRole", by.role);
    add_text(out, "sinkInstance", by.instance);
    add_text(out, "traceId", item.trace_id);
    add_text(out, "callId", outcome.call_id);
    append_format(
        out, R"("processorStatus":{},"processorSuccess":{},"processorDurationMs":{},)",
        outcome.status, outcome.success, milliseconds(outcome.service));
    if (outcome.from_due) {
        append_format(out, R"("fromDueMs":{},)", milliseconds(*outcome.from_due));
    } else {
        out += R"("fromDueMs":null,)";
    }
    add_text(out, "error", outcome.error);
    add_text(out, "businessCode", outcome.business_code);
    const std::string_view said = !outcome.business_success   ? "null"
                                  : *outcome.business_success ? "true"
                                                              : "false";
    append_format(out, R"("businessSuccess":{},"dimensions":{{)", said);
    for (std::size_t i = 0; i < outcome.dimensions.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, outcome.dimensions[i].name);
        out += ':';
        append_json_string(out, outcome.dimensions[i].value);
    }
    out += "}}";
    return out;
}

} // namespace hive::bees
