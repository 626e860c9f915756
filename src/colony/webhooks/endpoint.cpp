#include "colony/webhooks/endpoint.hpp"

#include "colony/stored.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::colony::webhooks {
namespace {

constexpr std::array<std::string_view, 3> format_names{"standard", "github", "discord"};
constexpr std::size_t url_bytes_max = 2000;

bool is_word(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    });
}

std::string_view authority_of(std::string_view url) {
    const std::size_t begin = url.find("://");
    if (begin == url.npos) return {};
    const std::string_view rest = url.substr(begin + 3);
    return rest.substr(0, rest.find_first_of("/?#"));
}

// The last part of such a path is a password by itself.
std::string shown_url(const Endpoint& endpoint) {
    if (endpoint.format != Format::discord) return endpoint.url;
    const std::string_view path{endpoint.url};
    return std::string{path.substr(0, path.rfind('/') + 1)} + std::string{masked};
}

Secret secret_in(const json::object& in, std::string_view name) {
    return Secret{text_in(in, name)};
}

void put(json::object& out, std::string_view name, const Secret& secret) {
    if (!secret.empty()) out[name] = secret.reveal();
}

Endpoint endpoint_in(const json::object& in) {
    return {
        .id = std::string{in.at("id").as_string()},
        .url = std::string{in.at("url").as_string()},
        .events = words_in(in, "events"),
        .format = parse_format(in.at("format").as_string()).value(),
        .description = text_in(in, "description"),
        .enabled = in.at("enabled").as_bool(),
        .disabled_because = text_in(in, "disabledBecause"),
        .created = time_at(in, "createdAt"),
        .failing_since = time_in(in, "failingSince"),
        .last_arrival = time_in(in, "lastArrival")};
}

Secrets secrets_in(const json::object& in) {
    return {
        .signing = secret_in(in, "signing"),
        .former = secret_in(in, "former"),
        .former_until = time_in(in, "formerUntil"),
        .token = secret_in(in, "token")};
}

json::object fields_of(const Endpoint& endpoint) {
    json::object out{
        {"id", endpoint.id},
        {"url", endpoint.url},
        {"format", name_of(endpoint.format)},
        {"enabled", endpoint.enabled},
        {"createdAt", format_timestamp(endpoint.created)}};
    colony::put(out, "events", endpoint.events);
    colony::put(out, "description", endpoint.description);
    colony::put(out, "disabledBecause", endpoint.disabled_because);
    colony::put(out, "failingSince", endpoint.failing_since);
    colony::put(out, "lastArrival", endpoint.last_arrival);
    return out;
}

} // namespace

std::string_view name_of(Format format) noexcept {
    return format_names.at(static_cast<std::size_t>(format));
}

Result<Format> parse_format(std::string_view text) {
    const auto* at = std::ranges::find(format_names, text);
    if (at == format_names.end()) {
        return fail(Errc::invalid, "a format is one of standard, github, discord");
    }
    return static_cast<Format>(at - format_names.begin());
}

bool matches(std::string_view pattern, std::string_view event) noexcept {
    if (pattern == "*") return true;
    if (pattern.ends_with(".*")) return event.starts_with(pattern.substr(0, pattern.size() - 1));
    return pattern == event;
}

bool wants(const Endpoint& endpoint, std::string_view event) noexcept {
    return endpoint.enabled && std::ranges::any_of(endpoint.events, [&](const auto& pattern) {
               return matches(pattern, event);
           });
}

Status check_pattern(std::string_view pattern) {
    std::string_view rest = pattern;
    if (rest.ends_with(".*")) rest.remove_suffix(2);
    bool good = pattern == "*";
    while (!good) {
        const std::size_t dot = rest.find('.');
        if (!is_word(rest.substr(0, dot))) break;
        good = dot == rest.npos;
        if (!good) rest.remove_prefix(dot + 1);
    }
    if (good && pattern.size() <= 100) return {};
    return fail(
        Errc::invalid, fmt::format(
                           "'{}' is not a pattern of events; write one such as task.*, "
                           "message.new or *",
                           pattern.substr(0, 100)));
}

Status check_url(std::string_view url) {
    const bool scheme = url.starts_with("https://") || url.starts_with("http://");
    const bool clean = std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7f'; });
    const std::string_view authority = authority_of(url);
    if (!scheme || !clean || authority.empty() || url.size() > url_bytes_max) {
        return fail(
            Errc::invalid,
            fmt::format("url: an http or https URL of at most {} characters", url_bytes_max));
    }
    if (authority.find('@') != authority.npos) {
        return fail(
            Errc::invalid,
            "url: no user or password in it; a token for the receiver goes into `token`");
    }
    return {};
}

std::string origin_of(std::string_view url) {
    const std::string_view authority = authority_of(url);
    return std::string{url.substr(0, url.find("://"))} + "://" +
           std::string{authority.substr(authority.rfind('@') + 1)};
}

Result<std::string> signatures(const Endpoint& endpoint, const Signed& message) {
    auto all = sign(endpoint.secrets.signing, message);
    if (!all) return all;
    const auto& until = endpoint.secrets.former_until;
    if (!until || message.at >= *until) return all;
    auto former = sign(endpoint.secrets.former, message);
    if (!former) return former;
    return *all + ' ' + *former;
}

json::object to_json(const Endpoint& endpoint) {
    json::object out = fields_of(endpoint);
    out["url"] = shown_url(endpoint);
    if (endpoint.secrets.former_until) {
        out["rotationUntil"] = format_timestamp(*endpoint.secrets.former_until);
    }
    if (!endpoint.secrets.token.empty()) out["hasToken"] = true;
    return out;
}

std::string to_stored(const Endpoint& endpoint) {
    return to_text(fields_of(endpoint));
}

std::string to_stored(const Secrets& secrets) {
    json::object out;
    put(out, "signing", secrets.signing);
    put(out, "former", secrets.former);
    put(out, "token", secrets.token);
    colony::put(out, "formerUntil", secrets.former_until);
    return to_text(out);
}

Result<Endpoint> endpoint_from_stored(std::string_view text, std::string_view secrets) {
    auto endpoint = read_stored("webhook", text, endpoint_in);
    if (!endpoint) return endpoint;
    auto kept = read_stored("webhook", secrets, secrets_in);
    if (!kept) return fail(kept.error());
    endpoint->secrets = *std::move(kept);
    return endpoint;
}

} // namespace hive::colony::webhooks
