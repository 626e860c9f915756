#include "call/redirect.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::call {
namespace {

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
    return std::ranges::any_of(
        names, [&](std::string_view each) { return std::ranges::equal(name, each, {}, lower); });
}

std::string_view until(std::string_view& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    const std::string_view part = text.substr(0, at);
    text = at == text.npos ? std::string_view{} : text.substr(at + mark.size());
    return part;
}

// The Location is relative to the path that was asked for.
std::string absolute(const Target& from, std::string_view path, std::string_view location) {
    if (location.find("://") != location.npos &&
        location.find("://") < location.find_first_of("/?#"))
        return std::string{location};
    if (location.starts_with("//")) return fmt::format("{}:{}", name_of(from.scheme()), location);
    if (location.starts_with('/')) return from.text() + std::string{location};
    const std::string_view plain = path.substr(0, path.find('?'));
    if (location.empty() || location.starts_with('?') || location.starts_with('#'))
        return fmt::format("{}{}{}", from.text(), plain, location);
    return fmt::format("{}{}{}", from.text(), plain.substr(0, plain.rfind('/') + 1), location);
}

bool asks_with_get(std::string_view method, unsigned status) {
    if (status == 303) return method != "HEAD";
    return (status == 301 || status == 302) && method == "POST";
}

struct Change {
    bool to_get;
    bool same_origin;
};

// The header lines that stay; `lines` has none of the request line.
void append_lines(std::string& out, std::string_view lines, Change change) {
    static constexpr std::array<std::string_view, 3> secret{
        "authorization", "cookie", "proxy-authorization"};
    static constexpr std::array<std::string_view, 5> of_body{
        "content-length", "content-type", "content-encoding", "content-language", "expect"};
    static constexpr std::array<std::string_view, 1> host{"host"};
    while (!lines.empty()) {
        const std::string_view line = until(lines, "\r\n");
        const std::string_view name = line.substr(0, line.find(':'));
        const bool drop = is_one_of(name, host) || (change.to_get && is_one_of(name, of_body)) ||
                          (!change.same_origin && is_one_of(name, secret));
        if (!drop) (out += line) += "\r\n";
    }
}

} // namespace

bool is_redirect(unsigned status) noexcept {
    return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

Result<Redirect>
follow(const Target& from, std::string_view request, unsigned status, std::string_view location) {
    std::string_view rest = request;
    std::string_view head = until(rest, "\r\n\r\n");
    const std::string_view body = rest;
    std::string_view first = until(head, "\r\n");
    const std::string_view method = until(first, " ");
    const std::string_view path = until(first, " ");
    auto url = Url::parse(absolute(from, path, location));
    if (!url)
        return fail(
            Errc::invalid,
            fmt::format("the redirect to '{}' cannot be followed", printable(location)));
    if (!is_http(url->scheme))
        return fail(Errc::invalid, fmt::format("the redirect to '{}' leaves HTTP", location));
    const bool same_origin =
        url->scheme == from.scheme() && url->host == from.host() && url->port == from.port();
    const bool to_get = asks_with_get(method, status);
    Redirect next{.url = std::move(*url), .request = {}, .same_origin = same_origin};
    next.request = fmt::format(
        "{} {} HTTP/1.1\r\nHost: {}\r\n", to_get ? "GET" : method, next.url.path,
        authority_of(next.url));
    append_lines(next.request, head, {to_get, same_origin});
    next.request += "\r\n";
    if (!to_get) next.request += body;
    return next;
}

} // namespace hive::call
