#include "bees/processor/call_result.hpp"

#include "kernel/json.hpp"
#include "kernel/text.hpp"
#include "wire/base64.hpp"
#include "worker/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::bees {
namespace {

namespace header = worker::header;

constexpr unsigned first_error_status = 400;

// Milliseconds with a fraction of six digits, without a detour over floating point and without
// memory: those of most calls fit into a string's own buffer.
class Milliseconds {
public:
    explicit Milliseconds(Duration time) {
        constexpr std::size_t fraction = 6;
        const fmt::format_int ns{std::max(time.count(), Duration::rep{0})};
        const std::size_t whole = ns.size() > fraction ? ns.size() - fraction : 0;
        const std::size_t given = ns.size() - whole; // digits of the fraction
        char* out = text_.data();
        if (whole == 0) *out++ = '0';
        out = std::copy_n(ns.data(), whole, out);
        *out++ = '.';
        out = std::fill_n(out, fraction - given, '0');
        out = std::copy_n(ns.data() + whole, given, out);
        size_ = static_cast<std::size_t>(out - text_.data());
    }
    std::string_view text() const noexcept { return {text_.data(), size_}; }

private:
    std::array<char, 24> text_;
    std::size_t size_;
};

void append_number(std::string& out, std::uint64_t value) {
    const fmt::format_int digits{value};
    out.append(digits.data(), digits.size());
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
    append_number(out, done.status);
    if (detail == ResultDetail::full) {
        out += ',';
        if (http) append_headers(out, done.headers);
        append_body(out, done);
    }
    out += '}';
}

std::string payload_of(const call::Done& done, const Milliseconds& duration, ResultDetail detail) {
    const bool http = call::is_http(done.call.target->scheme());
    std::string out;
    out.reserve(160 + done.body.size());
    out += http ? R"({"kind":"http.result",)" : R"({"kind":"tcp.result",)";
    append_outcome(out, done, detail);
    out += R"(,"metrics":{"durationMs":)";
    out += duration.text();
    out += "}}";
    return out;
}

} // namespace

bool succeeded(const call::Done& done) noexcept {
    return done.ok() && done.status < first_error_status;
}

wire::Step
result_step(const call::Done& done, std::optional<Duration> from_due, ResultDetail detail) {
    const Milliseconds duration{done.at.last_byte - done.at.begin};
    wire::Step step{.payload = payload_of(done, duration, detail)};
    const auto add = [&](wire::KnownName name, std::string_view value) {
        step.headers.append(name, wire::HeaderValue::json(std::string{value}));
    };
    const auto add_number = [&](wire::KnownName name, std::uint64_t value) {
        const fmt::format_int digits{value};
        add(name, {digits.data(), digits.size()});
    };
    step.headers.reserve(8);
    add_number(header::call_status, done.status);
    add(header::call_success, succeeded(done) ? "true" : "false");
    add(header::call_duration, duration.text());
    if (from_due) add(header::call_from_due, Milliseconds{*from_due}.text());
    add_number(header::call_sent_bytes, done.sent_bytes);
    add_number(header::call_received_bytes, done.received_bytes);
    if (done.at.connected != TimePoint{}) {
        add(header::call_connect, Milliseconds{done.at.connected - done.at.begin}.text());
    }
    if (!done.ok()) step.headers.set(header::call_error, std::string{name_of(done.failure.error)});
    return step;
}

} // namespace hive::bees
