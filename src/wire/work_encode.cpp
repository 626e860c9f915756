#include "kernel/append_format.hpp"
#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"
#include "wire/base64.hpp"
#include "wire/utf8.hpp"
#include "wire/work_codec.hpp"

namespace hive::wire {
namespace {

void put_headers(std::string& out, const Headers& headers, bool first) {
    for (const auto& [name, value] : headers) {
        if (!first) out += ',';
        first = false;
        append_json_string(out, name);
        out += ':';
        if (value.is_json()) {
            out += value.str();
        } else {
            append_json_string(out, value.str());
        }
    }
}

void put_member(std::string& out, std::string_view name, std::string_view text) {
    out += name;
    append_json_string(out, text);
}

void put_payload(std::string& out, const Step& step) {
    const bool binary = step.encoding == Encoding::base64;
    put_member(out, R"(,"payload":)", step.payload);
    out += binary ? R"(,"payloadEncoding":"base64")" : R"(,"payloadEncoding":"utf-8")";
}

void put_step(std::string& out, const Step& step, std::size_t index) {
    out += R"({"index":)";
    append_format(out, "{}", index);
    put_payload(out, step);
    put_member(out, R"(,"headers":{"ph.step.service":)", step.by.service());
    put_member(out, R"(,"ph.step.instance":)", step.by.instance());
    put_headers(out, step.headers, false);
    out += "}}";
}

void put_hop(std::string& out, const Hop& hop) {
    put_member(out, R"({"service":)", hop.by.service());
    put_member(out, R"(,"instance":)", hop.by.instance());
    out += R"(,"receivedAt":")";
    append_timestamp(out, hop.received_at);
    out += R"(","processedAt":")";
    append_timestamp(out, hop.processed_at);
    out += "\"}";
}

void put_item(std::string& out, const WorkItem& item) {
    out += R"({"version":"1","headers":{)";
    put_headers(out, item.headers, true);
    out += '}';
    if (item.message_id) put_member(out, R"(,"messageId":)", *item.message_id);
    if (item.content_type) put_member(out, R"(,"contentType":)", *item.content_type);
    out += R"(,"steps":[)";
    for (std::size_t i = 0; i < item.steps.size(); ++i) {
        if (i > 0) out += ',';
        put_step(out, item.steps[i], i);
    }
    put_member(out, R"(],"observability":{"traceId":)", item.trace_id);
    out += R"(,"hops":[)";
    for (std::size_t i = 0; i < item.hops.size(); ++i) {
        if (i > 0) out += ',';
        put_hop(out, item.hops[i]);
    }
    out += ']';
    if (item.swarm_id) put_member(out, R"(,"swarmId":)", *item.swarm_id);
    out += "}}";
}

// What is only ever wrong because a bee put raw bytes where text belongs, so it may be slow.
std::string repaired_document(WorkItem item) {
    for (Step& step : item.steps) {
        if (step.encoding != Encoding::utf8 || is_utf8(step.payload)) continue;
        step.payload = to_base64(step.payload);
        step.encoding = Encoding::base64;
    }
    std::string document;
    put_item(document, item);
    return is_utf8(document) ? document : repaired_utf8(document);
}

} // namespace

void encode(const WorkItem& item, std::string& out) {
    const std::size_t start = out.size();
    put_item(out, item);
    if (is_utf8(std::string_view{out}.substr(start))) return;
    out.resize(start);
    out += repaired_document(item);
}

} // namespace hive::wire
