#include "colony/stored.hpp"

#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>
#include <fmt/format.h>

namespace hive::colony {

void put(json::object& out, std::string_view name, const std::string& text) {
    if (!text.empty()) out[name] = text;
}

void put(json::object& out, std::string_view name, const std::optional<Timestamp>& time) {
    if (time) out[name] = format_timestamp(*time);
}

void put(json::object& out, std::string_view name, const Words& words) {
    if (!words.empty()) out[name] = json::value_from(words);
}

void put(json::object& out, std::string_view name, const json::object& object) {
    if (!object.empty()) out[name] = object;
}

std::string text_in(const json::object& in, std::string_view name) {
    const auto* value = in.if_contains(name);
    return value == nullptr ? std::string{} : std::string{value->as_string()};
}

Words words_in(const json::object& in, std::string_view name) {
    const auto* value = in.if_contains(name);
    return value == nullptr ? Words{} : json::value_to<Words>(*value);
}

json::object object_in(const json::object& in, std::string_view name) {
    const auto* value = in.if_contains(name);
    return value == nullptr ? json::object{} : value->as_object();
}

Timestamp time_at(const json::object& in, std::string_view name) {
    return parse_timestamp(in.at(name).as_string()).value();
}

std::optional<Timestamp> time_in(const json::object& in, std::string_view name) {
    return in.contains(name) ? std::optional{time_at(in, name)} : std::nullopt;
}

Duration span_at(const json::object& in, std::string_view name) {
    return parse_duration(in.at(name).as_string()).value();
}

Error unreadable(std::string_view what, std::string_view why) {
    return {Errc::invalid, fmt::format("a stored {} cannot be read: {}", what, why)};
}

} // namespace hive::colony
