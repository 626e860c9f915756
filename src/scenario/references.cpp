#include "scenario/references.hpp"

#include "kernel/field.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace hive::scenario {
namespace {

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_word);
}

// `['x']`, `["x"]` or `.x` at the beginning; what it names, and `text` is what follows.
std::optional<std::string> selector(std::string_view& text) {
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        const auto end = std::ranges::find_if_not(text, is_word) - text.begin();
        std::string name{text.substr(0, static_cast<std::size_t>(end))};
        text.remove_prefix(name.size());
        return name.empty() ? std::nullopt : std::optional{std::move(name)};
    }
    if (text.size() < 5 || text[0] != '[' || (text[1] != '\'' && text[1] != '"')) {
        return std::nullopt;
    }
    const auto close = text.find(text[1], 2);
    if (close == text.npos || text.substr(close + 1, 1) != "]") return std::nullopt;
    std::string name{text.substr(2, close - 2)};
    text.remove_prefix(close + 2);
    return name;
}

std::optional<Reference> reference_in(std::string_view inside) {
    std::string_view text = trimmed(inside);
    constexpr std::string_view vars = "vars.";
    if (text.starts_with(vars)) {
        text.remove_prefix(vars.size());
        // A name with a dash would be a subtraction to whoever renders it.
        if (!is_name(text) || text.find('-') != text.npos) return std::nullopt;
        return Reference{.kind = Reference::Kind::variable, .name = std::string{text}};
    }
    constexpr std::string_view endpoints = "sut.endpoints";
    if (!text.starts_with(endpoints)) return std::nullopt;
    text.remove_prefix(endpoints.size());
    auto name = selector(text);
    auto member = name ? selector(text) : std::nullopt;
    if (!name || !member || !text.empty()) return std::nullopt;
    return Reference{
        .kind = Reference::Kind::endpoint, .name = *std::move(name), .member = *std::move(member)};
}

class Resolver {
public:
    explicit Resolver(const Rules& rules) : rules_{rules} {}

    void walk(json::value& value, const std::string& path) {
        if (auto* object = value.if_object()) {
            for (auto& [key, member] : *object) {
                walk(
                    member, path.empty() ? std::string{key}
                                         : fmt::format("{}.{}", path, std::string_view{key}));
            }
        } else if (auto* array = value.if_array()) {
            for (std::size_t i = 0; i < array->size(); ++i) {
                walk((*array)[i], fmt::format("{}[{}]", path, i));
            }
        } else if (value.is_string()) {
            text(value, path);
        }
    }

private:
    void text(json::value& value, const std::string& path) {
        const std::string source{value.get_string()};
        if (source.find("{{") == source.npos) return;
        const bool keeps_vars = rules_.is_template && rules_.is_template(path);
        std::string out;
        std::size_t at = 0;
        for (const Reference& each : references_in(source)) {
            const json::value found = rules_.values.find(each);
            if (found.is_null()) {
                if (rules_.unknown) rules_.unknown(path, each);
                continue;
            }
            if (keeps_vars && each.kind == Reference::Kind::variable) continue;
            if (each.begin == 0 && each.end == source.size()) {
                value = found;
                return;
            }
            out += source.substr(at, each.begin - at);
            out += scalar_text(found).value_or(to_text(found));
            at = each.end;
        }
        out += source.substr(at);
        value = out;
    }

    const Rules& rules_;
};

} // namespace

std::vector<Reference> references_in(std::string_view text) {
    std::vector<Reference> out;
    for (std::size_t at = text.find("{{"); at != text.npos; at = text.find("{{", at + 2)) {
        const auto close = text.find("}}", at);
        if (close == text.npos) break;
        if (auto found = reference_in(text.substr(at + 2, close - at - 2))) {
            found->begin = at;
            found->end = close + 2;
            out.push_back(*std::move(found));
        }
    }
    return out;
}

json::value Values::find(const Reference& reference) const {
    if (reference.kind == Reference::Kind::variable) {
        const auto* found = vars.if_contains(reference.name);
        return found != nullptr ? *found : json::value{};
    }
    const auto found = endpoints.find(reference.name);
    if (found == endpoints.end()) return nullptr;
    const auto text = [](const std::string& member) {
        return member.empty() ? json::value{} : json::value(member);
    };
    if (reference.member == "baseUrl") return text(found->second.base_url);
    if (reference.member == "upstreamBaseUrl") return text(found->second.upstream_base_url);
    if (reference.member == "kind") return text(found->second.kind);
    return nullptr;
}

void resolve(json::value& value, const std::string& path, const Rules& rules) {
    Resolver{rules}.walk(value, path);
}

} // namespace hive::scenario
