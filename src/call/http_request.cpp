#include "call/http_request.hpp"

#include "kernel/append_format.hpp"
#include "kernel/http_token.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::call {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
bool same(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b, {}, lower, lower);
}

bool ends_line(char c) {
    return c == '\r' || c == '\n' || c == '\0';
}

// What the caller's own headers say, so that it is not said twice.
struct Said {
    bool host = false;
    bool length = false;
    bool connection = false;
};

Status check(const RequestField& field, const RequestParts& parts, Said& said) {
    if (!is_http_token(field.name))
        return fail(Errc::invalid, fmt::format("'{}' is no name of a header", field.name));
    if (std::ranges::any_of(field.value, ends_line))
        return fail(
            Errc::invalid,
            fmt::format("the header {} has a line break or zero byte in its value", field.name));
    if (same(field.name, "Transfer-Encoding"))
        return fail(Errc::invalid, "bodies are sent with their length, without Transfer-Encoding");
    if (same(field.name, "Host")) {
        if (std::exchange(said.host, true))
            return fail(Errc::invalid, "there are two Host headers");
    } else if (same(field.name, "Connection")) {
        said.connection = true;
    } else if (same(field.name, "Content-Length")) {
        if (field.value != fmt::format("{}", parts.body.size()))
            return fail(
                Errc::invalid, fmt::format(
                                   "the Content-Length says {} and the body has {} bytes",
                                   field.value, parts.body.size()));
        if (std::exchange(said.length, true))
            return fail(Errc::invalid, "there are two Content-Length headers");
    }
    return {};
}

Status check(const RequestParts& parts, Said& said) {
    if (!is_http_token(parts.method))
        return fail(Errc::invalid, fmt::format("'{}' is no HTTP method", parts.method));
    const bool visible =
        std::ranges::all_of(parts.path, [](char c) { return c > ' ' && c != '\x7f'; });
    if (!visible || (!parts.path.starts_with('/') && parts.path != "*"))
        return fail(
            Errc::invalid, fmt::format(
                               "the path '{}' must begin with a slash and have neither spaces, "
                               "control nor non-ASCII bytes",
                               parts.path.substr(0, 200)));
    for (const RequestField& field : parts.headers) {
        if (auto fine = check(field, parts, said); !fine) return fine;
    }
    return {};
}

void append_field(std::string& out, std::string_view name, std::string_view value) {
    (((out += name) += ": ") += value) += "\r\n";
}

// A method whose meaning includes a body says its length even when that is 0.
bool expects_body(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

} // namespace

Status append_request(std::string& out, const Target& target, const RequestParts& parts) {
    Said said;
    if (auto fine = check(parts, said); !fine) return fine;
    (((out += parts.method) += ' ') += parts.path) += " HTTP/1.1\r\n";
    if (!said.host) append_field(out, "Host", target.authority());
    for (const RequestField& field : parts.headers) append_field(out, field.name, field.value);
    if (!said.length && (!parts.body.empty() || expects_body(parts.method)))
        append_format(out, "Content-Length: {}\r\n", parts.body.size());
    if (!said.connection && !parts.keep_alive) append_field(out, "Connection", "close");
    (out += "\r\n") += parts.body;
    return {};
}

} // namespace hive::call
