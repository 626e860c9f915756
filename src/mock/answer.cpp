#include "mock/answer.hpp"

#include <fmt/format.h>

#include <utility>

namespace hive::mock {
namespace {

constexpr std::string_view count_mark = "{count}";

std::string head(int status, std::string_view type, std::size_t length) {
    std::string out = fmt::format("HTTP/1.1 {} {}\r\n", status, reason_of(status));
    if (length > 0) out += fmt::format("Content-Type: {}\r\n", type);
    out += fmt::format("Content-Length: {}\r\n", length);
    return out;
}

// The head speaks of `told` bytes, whatever the body has.
Answer answer_with(int status, std::string_view type, std::string_view body, std::size_t told) {
    Answer out{.status = status};
    out.keep = head(status, type, told);
    out.end = out.keep + "Connection: close\r\n\r\n";
    out.keep += "\r\n";
    out.head_size = out.keep.size();
    out.end_head_size = out.end.size();
    out.keep += body;
    out.end += body;
    return out;
}

std::string numbered(std::string_view body, std::uint64_t number) {
    std::string out;
    for (;;) {
        const std::size_t mark = body.find(count_mark);
        out += body.substr(0, mark);
        if (mark == body.npos) return out;
        out += std::to_string(number);
        body.remove_prefix(mark + count_mark.size());
    }
}

} // namespace

std::string_view name_of(Fault fault) noexcept {
    switch (fault) {
    case Fault::none: return "none";
    case Fault::error: return "error";
    case Fault::reset: return "reset";
    case Fault::silent: return "silent";
    case Fault::truncate: return "truncated";
    case Fault::lie: return "lying";
    }
    return "none";
}

std::string_view reason_of(int status) noexcept {
    switch (status) {
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 502: return "Bad Gateway";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Status";
    }
}

Answer make_answer(int status, std::string_view content_type, std::string_view body) {
    // These never have a body, and no length either (RFC 9110, 8.6).
    if (status == 204 || status == 304) {
        Answer out{.status = status};
        out.keep = fmt::format("HTTP/1.1 {} {}\r\n", status, reason_of(status));
        out.end = out.keep + "Connection: close\r\n\r\n";
        out.keep += "\r\n";
        out.head_size = out.keep.size();
        out.end_head_size = out.end.size();
        return out;
    }
    return answer_with(status, content_type, body, body.size());
}

Endpoint::Endpoint(Behaviour does)
    : does_{std::move(does)},
      has_faults_{
          does_.error_ratio.value + does_.reset_ratio.value + does_.silent_ratio.value +
              does_.truncate_ratio.value + does_.lie_ratio.value >
          0},
      counts_{does_.body.find(count_mark) != std::string::npos},
      error_{make_answer(
          does_.error_status, "application/json",
          fmt::format(R"({{"error":"made up","status":{}}})", does_.error_status))} {
    for (const auto status : does_.statuses)
        usual_.push_back(make_answer(status, does_.content_type, does_.body));
    const std::string_view body = does_.body;
    const int status = does_.statuses.front();
    truncated_ =
        answer_with(status, does_.content_type, body.substr(0, body.size() / 2), body.size() + 1);
    lying_ = answer_with(status, does_.content_type, body, body.size() / 2);
}

Fault Endpoint::draw(Random& random) const {
    if (!has_faults_) return Fault::none;
    double left = random.unit();
    for (const auto& [share, fault] :
         {std::pair{does_.error_ratio, Fault::error}, std::pair{does_.reset_ratio, Fault::reset},
          std::pair{does_.silent_ratio, Fault::silent},
          std::pair{does_.truncate_ratio, Fault::truncate},
          std::pair{does_.lie_ratio, Fault::lie}}) {
        if (left < share.value) return fault;
        left -= share.value;
    }
    return Fault::none;
}

Endpoint::Said Endpoint::say(const Asked& asked, std::string& scratch) {
    const std::uint64_t number = count_.fetch_add(1, std::memory_order_relaxed) + 1;
    const Answer* answer = &usual_[(number - 1) % usual_.size()];
    if (asked.fault == Fault::error) answer = &error_;
    if (asked.fault == Fault::truncate) answer = &truncated_;
    if (asked.fault == Fault::lie) answer = &lying_;
    Answer made;
    if (counts_ && asked.fault == Fault::none) {
        made = make_answer(answer->status, does_.content_type, numbered(does_.body, number));
        answer = &made;
    }
    const bool closes = !asked.keep_alive || asked.fault == Fault::truncate;
    std::string_view bytes = asked.keep_alive ? answer->keep : answer->end;
    if (asked.head_only)
        bytes = bytes.substr(0, asked.keep_alive ? answer->head_size : answer->end_head_size);
    if (answer == &made) {
        scratch.assign(bytes);
        bytes = scratch;
    }
    return {answer->status, bytes, closes};
}

} // namespace hive::mock
