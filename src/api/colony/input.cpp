#include "api/colony/input.hpp"

#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <boost/json/value_to.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {

std::string text_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    return value == nullptr ? std::string{} : std::string{value->as_string()};
}

colony::Words words_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    return value == nullptr ? colony::Words{} : json::value_to<colony::Words>(*value);
}

json::object object_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    return value == nullptr ? json::object{} : value->as_object();
}

std::optional<std::int64_t> integer_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    if (value == nullptr) return std::nullopt;
    return value->to_number<std::int64_t>();
}

Result<std::optional<Timestamp>> time_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    if (value == nullptr || value->is_null()) return std::optional<Timestamp>{};
    auto time = parse_timestamp(value->as_string());
    if (!time) return fail(Errc::invalid, fmt::format("{}: {}", name, time.error().detail));
    return std::optional{*time};
}

Result<std::optional<Duration>> span_of(const json::object& body, std::string_view name) {
    const auto* value = body.if_contains(name);
    if (value == nullptr) return std::optional<Duration>{};
    auto span = parse_duration(value->as_string());
    if (!span) return fail(Errc::invalid, fmt::format("{}: {}", name, span.error().detail));
    return std::optional{*span};
}

Status check_words(const colony::Words& words, std::string_view name) {
    const auto good = [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != '\x7f'; };
    for (const auto& word : words) {
        if (!word.empty() && std::ranges::all_of(word, good)) continue;
        return fail(
            Errc::invalid,
            fmt::format("{}: a word is not empty and has no control characters", name));
    }
    return {};
}

} // namespace hive::rest
