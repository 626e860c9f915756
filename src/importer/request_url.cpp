#include "importer/request_url.hpp"

#include "importer/draft.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::importer {
namespace {

constexpr std::size_t name_max = 48;
constexpr std::size_t url_max = 8'192; // what servers take

bool is_letter_or_digit(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

// What would break a request line is written as the bytes it is.
std::string printable_path(std::string_view path) {
    std::string out;
    for (const char c : path) {
        if (c > ' ' && c < 0x7f) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

} // namespace

Result<RequestUrl> parse_request_url(std::string_view url) {
    const auto wrong = [&](std::string_view why) {
        return fail(Errc::invalid, fmt::format("'{}' {}", printable(url), why));
    };
    if (url.size() > url_max) return wrong("is too long for a URL");
    const auto scheme_end = url.find("://");
    if (scheme_end == url.npos) return wrong("is no URL; write http://host/path");
    const std::string scheme = lower(std::string{url.substr(0, scheme_end)});
    if (scheme != "http" && scheme != "https") return wrong("is neither http nor https");
    std::string_view rest = url.substr(scheme_end + 3);
    rest = rest.substr(0, rest.find('#'));
    const auto path_at = std::min(rest.find_first_of("/?"), rest.size());
    std::string_view authority = rest.substr(0, path_at);
    RequestUrl out;
    if (const auto at = authority.rfind('@'); at != authority.npos) {
        out.user_info = authority.substr(0, at);
        authority.remove_prefix(at + 1);
    }
    const bool clean = std::ranges::all_of(authority, [](char c) {
        return is_letter_or_digit(c) ||
               std::string_view{".-_:[]"}.find(c) != std::string_view::npos;
    });
    if (authority.empty() || !clean) return wrong("has no host that could be called");
    out.base = fmt::format("{}://{}", scheme, authority);
    out.path = printable_path(rest.substr(path_at));
    if (!out.path.starts_with('/')) out.path.insert(0, "/");
    return out;
}

std::string name_from(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (is_letter_or_digit(c))
            out += c;
        else if (!out.empty() && out.back() != '-')
            out += '-';
        if (out.size() == name_max) break;
    }
    while (out.ends_with('-')) out.pop_back();
    return out;
}

std::string call_name(std::string_view method, std::string_view path) {
    const std::string words = name_from(path.substr(0, path.find('?')));
    const std::string verb = name_from(lower(std::string{method}));
    return fmt::format("{}-{}", verb.empty() ? "call" : verb, words.empty() ? "root" : words);
}

std::string percent_encoded(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (is_letter_or_digit(c) || std::string_view{"-._~"}.find(c) != std::string_view::npos)
            out += c;
        else
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

} // namespace hive::importer
