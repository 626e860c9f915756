#include "api/http/response.hpp"

#include "api/http/request.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace hive::http {

void HeaderBlock::add(std::string_view name, std::string_view value) {
    lines_ += name;
    lines_ += ": ";
    const std::size_t start = lines_.size();
    lines_ += value;
    for (const char bad : {'\r', '\n', '\0'}) {
        if (value.find(bad) == value.npos) continue;
        std::replace(lines_.begin() + static_cast<std::ptrdiff_t>(start), lines_.end(), bad, ' ');
    }
    lines_ += "\r\n";
}

void HeaderBlock::set(std::string_view name, std::string_view value) {
    remove(name);
    add(name, value);
}

namespace {

// [start, end) of the first line with that name; npos when there is none.
std::pair<std::size_t, std::size_t> line_of(std::string_view lines, std::string_view name) {
    std::size_t start = 0;
    while (start < lines.size()) {
        const std::size_t end = lines.find("\r\n", start) + 2;
        const std::size_t colon = lines.find(':', start);
        if (equal_ignoring_case(lines.substr(start, colon - start), name)) return {start, end};
        start = end;
    }
    return {lines.npos, lines.npos};
}

} // namespace

std::optional<std::string_view> HeaderBlock::find(std::string_view name) const noexcept {
    const auto [start, end] = line_of(lines_, name);
    if (start == lines_.npos) return std::nullopt;
    const std::size_t value = start + name.size() + 2;
    return std::string_view{lines_}.substr(value, end - 2 - value);
}

void HeaderBlock::remove(std::string_view name) {
    for (;;) {
        const auto [start, end] = line_of(lines_, name);
        if (start == lines_.npos) return;
        lines_.erase(start, end - start);
    }
}

std::string_view view_of(const Body& body) noexcept {
    if (const auto* owned = std::get_if<std::string>(&body)) return *owned;
    if (const auto* lasting = std::get_if<std::string_view>(&body)) return *lasting;
    const auto& shared = std::get<std::shared_ptr<const std::string>>(body);
    return shared ? std::string_view{*shared} : std::string_view{};
}

std::string_view reason_of(unsigned status) noexcept {
    switch (status) {
    case 101: return "Switching Protocols";
    case 200: return "OK";
    case 201: return "Created";
    case 202: return "Accepted";
    case 204: return "No Content";
    case 303: return "See Other";
    case 304: return "Not Modified";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 406: return "Not Acceptable";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 412: return "Precondition Failed";
    case 413: return "Content Too Large";
    case 414: return "URI Too Long";
    case 415: return "Unsupported Media Type";
    case 422: return "Unprocessable Content";
    case 426: return "Upgrade Required";
    case 428: return "Precondition Required";
    case 429: return "Too Many Requests";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    case 505: return "HTTP Version Not Supported";
    default: return "Status";
    }
}

namespace {

void append_number(std::string& out, std::size_t number) {
    std::array<char, 20> digits{};
    const char* end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    out.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void append_line(std::string& out, std::string_view start, std::string_view value) {
    out += start;
    out += value;
    out += "\r\n";
}

} // namespace

void append_head(std::string& out, const Response& response, const Framing& framing) {
    out += "HTTP/1.1 ";
    append_number(out, response.status);
    out += ' ';
    out += reason_of(response.status);
    out += "\r\n";
    if (!framing.date.empty()) append_line(out, "Date: ", framing.date);
    if (!response.content_type.empty()) append_line(out, "Content-Type: ", response.content_type);
    const bool bodiless = response.status < 200 || response.status == 204 || response.status == 304;
    if (!bodiless && !response.takeover) {
        out += "Content-Length: ";
        append_number(out, view_of(response.body).size());
        out += "\r\n";
    }
    if (response.status == 101) {
        out += "Connection: Upgrade\r\n";
    } else if (!framing.keep_alive || response.takeover) {
        out += "Connection: close\r\n";
    } else if (framing.http10) {
        out += "Connection: keep-alive\r\n";
    }
    out += response.headers.lines();
    out += "\r\n";
}

} // namespace hive::http
