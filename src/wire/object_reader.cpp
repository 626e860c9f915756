#include "wire/object_reader.hpp"

#include "kernel/timestamp.hpp"
#include "wire/shown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::wire {
namespace {

constexpr std::int64_t count_max = (std::int64_t{1} << 53U) - 1;

} // namespace

void ObjectReader::close() {
    if (std::exchange(closed_, true)) return;
    for (const auto& member : object_) {
        const std::string_view name = member.key();
        if (std::ranges::find(asked_, name) == asked_.end()) {
            problem(in_quotes(name), "is not a known field");
        }
    }
}

std::string ObjectReader::path_of(std::string_view name) const {
    std::string path = path_;
    if (!path.empty()) path += '.';
    path += name;
    return path;
}

const json::value* ObjectReader::find(std::string_view name) {
    asked_.push_back(name);
    return object_.if_contains(name);
}

const json::value* ObjectReader::need(std::string_view name) {
    const json::value* value = find(name);
    if (!value) problem(name, "is missing");
    return value;
}

std::optional<std::string> ObjectReader::text(std::string_view name) {
    const json::value* value = find(name);
    if (!value) return {};
    if (value->is_string()) return std::string{value->get_string()};
    problem(name, "must be a string");
    return {};
}

std::optional<std::string> ObjectReader::text_or_null(std::string_view name) {
    const json::value* value = need(name);
    if (!value || value->is_null()) return {};
    if (value->is_string()) return std::string{value->get_string()};
    problem(name, "must be a string or null");
    return {};
}

std::optional<bool> ObjectReader::flag(std::string_view name) {
    const json::value* value = find(name);
    if (!value) return {};
    if (value->is_bool()) return value->get_bool();
    problem(name, "must be true or false");
    return {};
}

std::optional<std::uint64_t> ObjectReader::count(std::string_view name) {
    const json::value* value = find(name);
    if (!value) return {};
    const std::int64_t* number = value->if_int64();
    if (number && *number >= 0 && *number <= count_max) return static_cast<std::uint64_t>(*number);
    problem(name, fmt::format("must be a whole number from 0 to {}", count_max));
    return {};
}

const json::object* ObjectReader::object(std::string_view name) {
    const json::value* value = find(name);
    if (!value) return nullptr;
    if (value->is_object()) return &value->get_object();
    problem(name, "must be an object");
    return nullptr;
}

std::optional<json::object> ObjectReader::freeform(std::string_view name) {
    const json::object* found = object(name);
    return found ? std::optional{*found} : std::nullopt;
}

std::vector<std::string> ObjectReader::texts(std::string_view name) {
    std::vector<std::string> out;
    const json::value* value = find(name);
    if (!value) return out;
    if (!value->is_array()) {
        problem(name, "must be an array of strings");
        return out;
    }
    for (const json::value& element : value->get_array()) {
        if (element.is_string()) {
            out.emplace_back(element.get_string());
        } else {
            problem(name, "must be an array of strings");
            break;
        }
    }
    return out;
}

std::optional<std::string> ObjectReader::need_text(std::string_view name) {
    return need(name) ? text(name) : std::nullopt;
}

bool ObjectReader::need_flag(std::string_view name) {
    return need(name) && flag(name).value_or(false);
}

std::uint64_t ObjectReader::need_count(std::string_view name) {
    return need(name) ? count(name).value_or(0) : 0;
}

Timestamp ObjectReader::need_time(std::string_view name) {
    const json::value* value = need(name);
    if (!value) return {};
    if (!value->is_string()) {
        problem(name, "must be a string");
        return {};
    }
    const auto time = parse_timestamp(value->get_string());
    if (!time) problem(name, time.error().detail);
    return time.value_or(Timestamp{});
}

json::object ObjectReader::need_freeform(std::string_view name) {
    return need(name) ? freeform(name).value_or(json::object{}) : json::object{};
}

const json::object* ObjectReader::need_object(std::string_view name) {
    return need(name) ? object(name) : nullptr;
}

} // namespace hive::wire
