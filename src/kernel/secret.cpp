#include "kernel/secret.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <ostream>

namespace hive {
namespace {

Result<std::string> look_up(std::string_view reference, const SecretSources& sources) {
    const std::size_t colon = reference.find(':');
    const std::string_view kind = reference.substr(0, colon);
    const std::string name{reference.substr(colon + 1)};
    const std::string shown = printable(reference);
    if (kind == "env") {
        auto value = sources.env ? sources.env(name) : std::nullopt;
        if (!value) {
            return fail(
                Errc::not_found,
                fmt::format("{{{}}} names an environment variable that is not set", shown));
        }
        return *std::move(value);
    }
    if (!sources.file) {
        return fail(Errc::invalid, fmt::format("{{{}}} cannot be read here", shown));
    }
    auto value = sources.file(name);
    if (!value) {
        return fail(
            value.error().code,
            fmt::format("{{{}}} cannot be read: {}", shown, value.error().detail));
    }
    if (value->ends_with('\n')) value->pop_back();
    if (value->ends_with('\r')) value->pop_back();
    return value;
}

std::size_t find_reference(std::string_view text) {
    return std::min(text.find("{env:"), text.find("{file:"));
}

} // namespace

Secret::~Secret() {
    if (!bytes_.empty()) explicit_bzero(bytes_.data(), bytes_.size());
}

bool operator==(const Secret& a, const Secret& b) noexcept {
    const std::string_view left = a.reveal();
    const std::string_view right = b.reveal();
    unsigned difference = left.size() == right.size() ? 0 : 1;
    for (std::size_t i = 0; i < right.size(); ++i) {
        const char mine = left.empty() ? '\0' : left[i % left.size()];
        difference |= static_cast<unsigned char>(mine ^ right[i]);
    }
    return difference == 0;
}

std::ostream& operator<<(std::ostream& out, const Secret&) {
    return out << masked;
}

void tag_invoke(const json::value_from_tag&, json::value& out, const Secret&) {
    out = json::string_view{masked.data(), masked.size()};
}

Result<Secret> resolve_secret(std::string_view text, const SecretSources& sources) {
    std::string resolved;
    while (!text.empty()) {
        const std::size_t open = find_reference(text);
        resolved += text.substr(0, open);
        if (open == text.npos) break;
        const std::size_t close = text.find('}', open);
        if (close == text.npos) {
            return fail(
                Errc::invalid, "a reference like {env:NAME} or {file:/path} has no closing '}'");
        }
        auto value = look_up(text.substr(open + 1, close - open - 1), sources);
        if (!value) return fail(std::move(value.error()));
        resolved += *value;
        explicit_bzero(value->data(), value->size());
        text.remove_prefix(close + 1);
    }
    Secret secret{resolved};
    explicit_bzero(resolved.data(), resolved.size());
    return secret;
}

std::string mask_url_passwords(std::string_view text) {
    std::string out;
    for (std::size_t scheme = text.find("://"); scheme != text.npos; scheme = text.find("://")) {
        const std::size_t begin = scheme + 3;
        // A password may hold any of '/', '?' and '@' when its writer forgot to escape them, so
        // everything up to the last '@' before a blank or quote counts.
        const std::size_t end = std::min(text.find_first_of(" \t\r\n\"'", begin), text.size());
        const std::string_view rest = text.substr(begin, end - begin);
        const std::size_t at = rest.rfind('@');
        const std::size_t colon = rest.find(':');
        out += text.substr(0, begin);
        if (at != rest.npos && colon < at) {
            out += rest.substr(0, colon + 1);
            out += masked;
            out += rest.substr(at);
        } else {
            out += rest;
        }
        text.remove_prefix(end);
    }
    out += text;
    return out;
}

} // namespace hive
