#pragma once

#include "api/http/refusal.hpp"
#include "api/http/response.hpp"
#include "kernel/json.hpp"
#include "kernel/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

inline constexpr std::string_view json_type = "application/json";
inline constexpr std::string_view problem_type = "application/problem+json";

// One wrong place in a document; `pointer` is a JSON pointer (`/tasks/0/name`) or a parameter name.
struct FieldProblem {
    std::string pointer;
    std::string detail;

    bool operator==(const FieldProblem&) const = default;
};

// RFC 9457, with a stable word for programs.
struct Problem {
    unsigned status = 500;
    std::string code;
    std::string detail;
    bool retryable = false;
    std::vector<FieldProblem> errors{};
    http::HeaderBlock headers{};
    json::object more{}; // further members, such as what would be allowed instead
};

Problem problem_of(const Error& error);
Problem problem_of(const http::Refusal& refusal);

// `instance` is the path of the request (never its query, which may hold a ticket).
http::Response
to_response(const Problem& problem, std::string_view instance, std::string_view request_id);

} // namespace hive::api
