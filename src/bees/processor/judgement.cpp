#include "bees/processor/judgement.hpp"

#include "worker/job.hpp"

#include <algorithm>

namespace hive::bees {
namespace {

namespace header = worker::header;

constexpr std::string_view line_end = "\r\n";
constexpr std::string_view head_end = "\r\n\r\n";

bool same_name(std::string_view a, std::string_view b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::ranges::equal(a, b, {}, lower, lower);
}

// In the head of a request as we have written it ourselves: `Name: value` on each line.
std::string_view find_header(std::string_view head, std::string_view name) {
    while (!head.empty()) {
        const auto end = std::min(head.find(line_end), head.size());
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + line_end.size(), head.size()));
        const auto colon = line.find(':');
        if (colon == std::string_view::npos || !same_name(line.substr(0, colon), name)) continue;
        const auto begin = std::min(line.find_first_not_of(' ', colon + 1), line.size());
        return line.substr(begin);
    }
    return {};
}

} // namespace

worker::Judgement judge(const worker::ResultJudge& rules, const call::Done& done) {
    if (!done.ok()) return {};
    const std::string_view request = done.call.request;
    if (!call::is_http(done.call.target->scheme())) {
        return rules.judge({.request_body = request, .response_body = done.body});
    }
    const auto end = std::min(request.find(head_end), request.size());
    const std::string_view head = request.substr(0, end);
    return rules.judge(
        {.request_body = request.substr(std::min(end + head_end.size(), request.size())),
         .response_body = done.body,
         .request_header = [head](std::string_view name) { return find_header(head, name); },
         .response_header = [&done](std::string_view name) { return done.headers.find(name); }});
}

void append_headers(wire::Step& step, const worker::Judgement& judgement) {
    if (!judgement.business_code.empty()) {
        step.headers.set(header::business_code, judgement.business_code);
    }
    if (judgement.business_success) {
        step.headers.set(
            header::business_success,
            wire::HeaderValue::json(*judgement.business_success ? "true" : "false"));
    }
    for (const auto& [name, value] : judgement.dimensions) {
        step.headers.set(std::string{header::dimension.text()} + name, value);
    }
}

} // namespace hive::bees
