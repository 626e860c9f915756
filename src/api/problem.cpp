#include "api/problem.hpp"

#include <cstdlib>

namespace hive::api {
namespace {

unsigned status_of(Errc code) {
    switch (code) {
    case Errc::invalid: return 400;
    case Errc::not_found: return 404;
    case Errc::conflict: return 409;
    case Errc::denied: return 403;
    case Errc::limit: return 429;
    case Errc::timeout: return 504;
    case Errc::unavailable:
    case Errc::closed: return 503;
    }
    std::abort();
}

bool is_retryable(unsigned status) {
    return status == 408 || status == 429 || status == 503 || status == 504;
}

} // namespace

Problem problem_of(const Error& error) {
    const unsigned status = status_of(error.code);
    return {
        .status = status,
        .code = std::string{name_of(error.code)},
        .detail = error.detail,
        .retryable = is_retryable(status)};
}

Problem problem_of(const http::Refusal& refusal) {
    // What an exception says is for the log, not for whoever provoked it.
    const bool ours = refusal.status == 500;
    return {
        .status = refusal.status,
        .code = std::string{refusal.code},
        .detail = ours ? "an internal error; the server's log has the reason" : refusal.detail,
        .retryable = is_retryable(refusal.status)};
}

http::Response
to_response(const Problem& problem, std::string_view instance, std::string_view request_id) {
    json::object document{
        {"type", "urn:hive:problem:" + problem.code},
        {"title", http::reason_of(problem.status)},
        {"status", problem.status},
        {"code", problem.code},
        {"detail", problem.detail},
        {"retryable", problem.retryable}};
    if (!instance.empty()) document["instance"] = instance;
    if (!request_id.empty()) document["requestId"] = request_id;
    if (!problem.errors.empty()) {
        json::array errors;
        for (const FieldProblem& error : problem.errors) {
            errors.push_back({{"pointer", error.pointer}, {"detail", error.detail}});
        }
        document["errors"] = std::move(errors);
    }
    for (const auto& [name, value] : problem.more) document[name] = value;
    return {
        .status = problem.status,
        .content_type = problem_type,
        .headers = problem.headers,
        .body = to_text(document)};
}

} // namespace hive::api
