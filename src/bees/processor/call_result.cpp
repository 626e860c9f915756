#include "bees/processor/call_result.hpp"

#include "kernel/json.hpp"
#include "kernel/text.hpp"
#include "wire/base64.hpp"
#include "worker/job.hpp"

#include <fmt/format.h>

namespace hive::bees {
namespace {

namespace header = worker::header;

constexpr unsigned first_error_status = 400;

// Milliseconds with a fraction of six digits, without a detour over floating point.
std::string milliseconds(Duration time) {
    const auto ns = std::max(time.count(), Duration::rep{0});
    const fmt::format_int whole{ns / 1'000'000};
    std::string out;
    out.reserve(whole.size() + 7);
    out.append(whole.data(), whole.size());
    out += '.';
    const fmt::format_int part{1'000'000 + ns % 1'000'000};
    out.append(part.data() + 1, 6);
    return out;
}

std::string number(std::uint64_t value) {
    return fmt::format_int{value}.str();
}

void append_headers(std::string& out, const call::Headers& headers) {
    out += R"("headers":{)";
    for (std::size_t i = 0; i < headers.size(); ++i) {
        if (i > 0) out += ',';
        append_json_string(out, printable(headers[i].name, 256));
        out += ':';
        append_json_string(out, printable(headers[i].value, 8192));
    }
    out += "},";
}

// Bytes that are no text travel as base64 and say so.
void append_body(std::string& out, const call::Done& done) {
    if (!find_invalid_utf8(done.body)) {
        out += R"("body":)";
        append_json_string(out, done.body);
    } else {
        out += R"("bodyEncoding":"base64","body":)";
        append_json_string(out, wire::to_base64(done.body));
    }
    if (done.body_bytes > done.body.size()) {
        out += fmt::format(R"(,"bodyBytes":{})", done.body_bytes);
    }
}

void append_outcome(std::string& out, const call::Done& done, ResultDetail detail) {
    if (!done.ok()) {
        out += R"("outcome":{"type":"transport_error","error":)";
        append_json_string(out, name_of(done.failure.error));
        out += R"(,"detail":)";
        append_json_string(out, done.failure.detail);
        out += '}';
        return;
    }
    const bool http = call::is_http(done.call.target->scheme());
    out += http ? R"("outcome":{"type":"http_response","status":)"
                : R"("outcome":{"type":"tcp_response","status":)";
    out += number(done.status);
    if (detail == ResultDetail::full) {
        out += ',';
        if (http) append_headers(out, done.headers);
        append_body(out, done);
    }
    out += '}';
}

std::string payload_of(const call::Done& done, ResultDetail detail) {
    const bool http = call::is_http(done.call.target->scheme());
    std::string out;
    out.reserve(160 + done.body.size());
    out += http ? R"({"kind":"http.result",)" : R"({"kind":"tcp.result",)";
    append_outcome(out, done, detail);
    out += R"(,"metrics":{"durationMs":)";
    out += milliseconds(done.at.last_byte - done.at.begin);
    out += "}}";
    return out;
}

} // namespace

bool succeeded(const call::Done& done) noexcept {
    return done.ok() && done.status < first_error_status;
}

wire::Step
result_step(const call::Done& done, std::optional<Duration> from_due, ResultDetail detail) {
    wire::Step step{.payload = payload_of(done, detail)};
    const auto add = [&](wire::KnownName name, std::string value) {
        step.headers.append(name, wire::HeaderValue::json(std::move(value)));
    };
    step.headers.reserve(8);
    add(header::call_status, number(done.status));
    add(header::call_success, succeeded(done) ? "true" : "false");
    add(header::call_duration, milliseconds(done.at.last_byte - done.at.begin));
    if (from_due) add(header::call_from_due, milliseconds(*from_due));
    add(header::call_sent_bytes, number(done.sent_bytes));
    add(header::call_received_bytes, number(done.received_bytes));
    if (done.at.connected != TimePoint{}) {
        add(header::call_connect, milliseconds(done.at.connected - done.at.begin));
    }
    if (!done.ok()) step.headers.set(header::call_error, std::string{name_of(done.failure.error)});
    return step;
}

} // namespace hive::bees
