#include "api/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace hive::api {
namespace {

constexpr std::array<std::pair<std::string_view, ParameterKind>, 8> kinds{
    {{"id", ParameterKind::id},
     {"SwarmId", ParameterKind::id},
     {"Role", ParameterKind::id},
     {"InstanceId", ParameterKind::id},
     {"QueueName", ParameterKind::id},
     {"uuid", ParameterKind::uuid},
     {"int", ParameterKind::integer},
     {"text", ParameterKind::text}}};

Result<PathSegment> parse_segment(std::string_view text) {
    if (!text.starts_with('{')) {
        if (text.empty() || text.find_first_of("{}%?#") != text.npos) {
            return fail(Errc::invalid, fmt::format("'{}' is not a path segment", text));
        }
        return PathSegment{.word = std::string{text}};
    }
    const std::size_t colon = text.find(':');
    if (!text.ends_with('}') || colon == text.npos || colon < 2) {
        return fail(Errc::invalid, fmt::format("'{}' must be {{name:kind}}", text));
    }
    const std::string_view kind = text.substr(colon + 1, text.size() - colon - 2);
    const auto* const known = std::ranges::find(kinds, kind, &decltype(kinds)::value_type::first);
    if (known == kinds.end()) {
        return fail(Errc::invalid, fmt::format("'{}' is not a kind of path parameter", kind));
    }
    return PathSegment{
        .word = std::string{text.substr(1, colon - 1)},
        .kind = known->second,
        .kind_name = std::string{kind}};
}

} // namespace

Result<std::vector<PathSegment>> parse_path(std::string_view path) {
    if (!path.starts_with('/')) return fail(Errc::invalid, "a path starts with /");
    std::vector<PathSegment> segments;
    std::size_t parameters = 0;
    for (std::string_view rest = path.substr(1); !rest.empty();) {
        const std::size_t slash = std::min(rest.find('/'), rest.size());
        auto segment = parse_segment(rest.substr(0, slash));
        if (!segment) return fail(segment.error());
        parameters += segment->kind ? 1 : 0;
        segments.push_back(std::move(*segment));
        rest.remove_prefix(std::min(slash + 1, rest.size()));
    }
    if (parameters > PathValues::max) {
        return fail(Errc::invalid, fmt::format("more than {} parameters", PathValues::max));
    }
    return segments;
}

void PathValues::add(std::string_view name, std::string_view value) {
    assert(count_ < max);
    values_[count_++] = {name, value};
}

void PathValues::add_decoded(std::string_view name, std::string value) {
    assert(count_ < max);
    decoded_.push_back(std::move(value));
    values_[count_++] = {name, {}, decoded_.size()};
}

std::optional<std::string_view> PathValues::find(std::string_view name) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
        const Value& value = values_[i];
        if (value.name != name) continue;
        return value.decoded > 0 ? std::string_view{decoded_[value.decoded - 1]} : value.text;
    }
    return std::nullopt;
}

void PathValues::clear() noexcept {
    count_ = 0;
    decoded_.clear();
}

} // namespace hive::api
