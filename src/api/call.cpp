#include "api/call.hpp"

#include "api/route.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>

namespace hive::api {

std::string_view Call::path(std::string_view name) const {
    const auto value = state_->path.find(name);
    assert(value.has_value());
    return *value;
}

const ParameterValue& Call::parameter(std::string_view name) const {
    const auto& declared = state_->route->query;
    const auto at = std::ranges::find(declared, name, &QueryParameter::name);
    assert(at != declared.end());
    return state_->query[static_cast<std::size_t>(at - declared.begin())];
}

std::optional<std::int64_t> Call::integer(std::string_view name) const {
    const auto* value = std::get_if<std::int64_t>(&parameter(name));
    if (value == nullptr) return std::nullopt;
    return *value;
}

std::optional<std::string_view> Call::text(std::string_view name) const {
    const auto* value = std::get_if<std::string>(&parameter(name));
    if (value == nullptr) return std::nullopt;
    return *value;
}

bool Call::flag(std::string_view name) const {
    const auto* value = std::get_if<bool>(&parameter(name));
    return value != nullptr && *value;
}

http::Response Call::fail(const Error& error) const {
    return fail(problem_of(error));
}

http::Response Call::fail(const Problem& problem) const {
    return to_response(problem, request().path, trace().request_id);
}

http::Response json_response(const json::value& value, unsigned status) {
    return {.status = status, .content_type = json_type, .body = to_text(value)};
}

} // namespace hive::api
