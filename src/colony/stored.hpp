#pragma once

#include "colony/words.hpp"
#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::colony {

// What the store keeps of the colony is JSON. Nothing that is empty is written.
void put(json::object& out, std::string_view name, const std::string& text);
void put(json::object& out, std::string_view name, const std::optional<Timestamp>& time);
void put(json::object& out, std::string_view name, const Words& words);
void put(json::object& out, std::string_view name, const json::object& object);

// Reading what was written so. A value of another kind throws; read_stored() makes one error of it.
std::string text_in(const json::object& in, std::string_view name);
Words words_in(const json::object& in, std::string_view name);
json::object object_in(const json::object& in, std::string_view name);
Timestamp time_at(const json::object& in, std::string_view name);
std::optional<Timestamp> time_in(const json::object& in, std::string_view name);
Duration span_at(const json::object& in, std::string_view name);

template <class T>
T number_in(const json::object& in, std::string_view name) {
    const auto* value = in.if_contains(name);
    return value == nullptr ? T{} : value->to_number<T>();
}

Error unreadable(std::string_view what, std::string_view why);

template <class Read>
auto read_stored(std::string_view what, std::string_view text, Read read)
    -> Result<decltype(read(std::declval<const json::object&>()))> {
    const auto parsed = parse_json(text);
    if (!parsed) return fail(unreadable(what, parsed.error().detail));
    try {
        return read(parsed->as_object());
    } catch (const std::exception& error) {
        return fail(unreadable(what, error.what()));
    }
}

} // namespace hive::colony
