#include "api/http/head_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::http {
namespace {

Refusal bad(std::string_view code, std::string detail) {
    return Refusal{400, code, std::move(detail)};
}

bool is_host_char(char c) noexcept {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
           c == '-' || c == '_' || c == ':' || c == '[' || c == ']' || c == '%';
}

std::optional<Refusal> check_host(const Request& request) {
    const std::size_t hosts = request.count("Host");
    if (hosts > 1) return bad("repeated-host", "the request has more than one Host header");
    if (hosts == 0 && request.version >= 11) {
        return bad("missing-host", "an HTTP/1.1 request needs a Host header");
    }
    const std::string_view host = request.header("Host").value_or("");
    if (hosts == 1 && (host.empty() || !std::ranges::all_of(host, is_host_char))) {
        return bad("bad-host", "the Host header is not a host name with an optional port");
    }
    return std::nullopt;
}

std::optional<Refusal> check_length(Request& request) {
    const std::size_t lengths = request.count("Content-Length");
    const std::size_t encodings = request.count("Transfer-Encoding");
    if (lengths > 0 && encodings > 0) {
        return bad("ambiguous-length", "Content-Length and Transfer-Encoding exclude each other");
    }
    if (lengths > 1) return bad("ambiguous-length", "Content-Length appears more than once");
    if (lengths == 1) {
        const std::string_view text = *request.header("Content-Length");
        const bool digits = !text.empty() && text.size() <= 18 &&
                            std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        if (!digits) return bad("bad-length", "Content-Length is not a plain number");
        std::uint64_t value = 0;
        for (const char c : text) value = value * 10 + static_cast<std::uint64_t>(c - '0');
        request.content_length = value;
    }
    if (encodings == 0) return std::nullopt;
    if (encodings > 1 || !equal_ignoring_case(*request.header("Transfer-Encoding"), "chunked")) {
        return Refusal{501, "unknown-encoding", "the only transfer encoding we take is `chunked`"};
    }
    if (request.version < 11) {
        return bad("ambiguous-length", "HTTP/1.0 has no Transfer-Encoding");
    }
    request.chunked = true;
    return std::nullopt;
}

// `http://host/path` becomes `/path` when the host is the one of the Host header.
std::optional<Refusal> resolve_absolute(const Request& request, std::string_view& origin) {
    std::size_t scheme = 0;
    for (const std::string_view prefix : {"http://", "https://"}) {
        if (equal_ignoring_case(origin.substr(0, prefix.size()), prefix)) scheme = prefix.size();
    }
    if (scheme == 0) return std::nullopt;
    const std::size_t slash = std::min(origin.find_first_of("/?", scheme), origin.size());
    const std::string_view authority = origin.substr(scheme, slash - scheme);
    if (!equal_ignoring_case(authority, request.header("Host").value_or(""))) {
        return bad("host-mismatch", "the request target and the Host header name different hosts");
    }
    origin = slash == origin.size() ? "/" : origin.substr(slash);
    return std::nullopt;
}

std::optional<Refusal> split_target(Request& request) {
    std::string_view origin = request.target;
    if (auto refusal = resolve_absolute(request, origin)) return refusal;
    if (origin == "*" && request.method == Method::options) {
        request.path = origin;
        return std::nullopt;
    }
    if (!origin.starts_with('/') || origin.find('#') != origin.npos) {
        return bad("bad-target", "the request target must be a path that starts with /");
    }
    const std::size_t question = origin.find('?');
    request.path = origin.substr(0, question);
    request.query = question == origin.npos ? std::string_view{} : origin.substr(question + 1);
    return std::nullopt;
}

} // namespace

std::optional<Refusal> check_head(Request& request, const Limits& limits) {
    if (request.target.size() > limits.target_bytes) {
        return Refusal{
            414, "target-too-long",
            fmt::format("the request target is over {} bytes", limits.target_bytes)};
    }
    if (auto refusal = check_host(request)) return refusal;
    if (auto refusal = check_length(request)) return refusal;
    return split_target(request);
}

} // namespace hive::http
