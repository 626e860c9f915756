#include "api/rest/kept_answers.hpp"

#include "api/etag.hpp"
#include "api/route.hpp"

#include <fmt/format.h>

namespace hive::rest {

// Header lines, an empty line and the body.
store::Answer to_kept(const http::Response& response) {
    http::HeaderBlock headers = response.headers;
    if (!response.content_type.empty()) headers.add("Content-Type", response.content_type);
    return {
        .status = static_cast<std::int64_t>(response.status),
        .body = fmt::format("{}\r\n{}", headers.lines(), http::view_of(response.body))};
}

http::Response replayed(const store::Answer& kept) {
    const std::string_view text = kept.body;
    // Without headers the empty line is all there is before the body.
    const std::size_t end = text.starts_with("\r\n") ? 0 : text.find("\r\n\r\n") + 2;
    http::Response response{.status = static_cast<unsigned>(kept.status)};
    response.headers.add_lines(text.substr(0, end));
    response.headers.add("Idempotent-Replayed", "true");
    response.body = std::string{text.substr(end + 2)};
    return response;
}

api::Problem key_in_flight() {
    return {
        .status = 409,
        .code = "request-in-flight",
        .detail = "the first request with this Idempotency-Key still runs; ask again soon",
        .retryable = true};
}

api::Problem key_of_another() {
    return {
        .status = 422,
        .code = "idempotency-key-reused",
        .detail = "this Idempotency-Key was used for another request; take a new one"};
}

std::optional<store::KeyedRequest>
keyed_request(const api::Call& call, const HiveId& hive, std::string_view target) {
    if (call.idempotency_key().empty()) return std::nullopt;
    const http::Request& request = call.request();
    const std::string_view who = call.principal() ? call.principal()->id : std::string_view{};
    return store::KeyedRequest{
        .hive = std::string{hive.text()},
        .key = fmt::format("{} {} {}", who, call.route().id, call.idempotency_key()),
        .fingerprint =
            api::hex_sha256(fmt::format("{} {}\n{}", request.method_text, target, request.body))};
}

} // namespace hive::rest
