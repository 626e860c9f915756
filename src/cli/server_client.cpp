#include "cli/server_client.hpp"

#include "api/etag.hpp"
#include "cli/version.hpp"
#include "kernel/append_format.hpp"
#include "kernel/text.hpp"
#include "web/curl/curl_client.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

constexpr std::size_t answer_bytes_max = std::size_t{32} << 20U;
constexpr std::size_t shown_max = 4000;
constexpr Duration download_within = std::chrono::hours{6};

Result<json::value> parse_answer(std::string_view body) {
    return parse_json(body, {.bytes = answer_bytes_max});
}

Errc code_of(unsigned status) {
    switch (status) {
    case 400:
    case 422: return Errc::invalid;
    case 401:
    case 403: return Errc::denied;
    case 404: return Errc::not_found;
    case 409:
    case 412: return Errc::conflict;
    case 413:
    case 429: return Errc::limit;
    default: return Errc::unavailable;
    }
}

std::string_view text_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()}
                                                  : std::string_view{};
}

// `not as it must be: /owner: is required; /x: is not a known field`. What a place says is not said
// for the whole once more.
std::string sentence_of(const json::object& problem) {
    std::string said{text_at(problem, "detail")};
    const auto* errors = problem.if_contains("errors");
    if (errors == nullptr || !errors->is_array()) return said;
    std::string places;
    for (const auto& item : errors->get_array()) {
        if (!item.is_object()) continue;
        const std::string_view detail = text_at(item.get_object(), "detail");
        if (detail == said) said.clear();
        append_format(
            places, "{}{}: {}", places.empty() ? "" : "; ", text_at(item.get_object(), "pointer"),
            detail);
    }
    return said + (said.empty() || places.empty() ? "" : ": ") + places;
}

std::string header_of(const web::Answer& answer, std::string_view name) {
    const auto found = std::ranges::find(answer.headers, name, &web::Field::name);
    return found == answer.headers.end() ? std::string{} : found->value;
}

} // namespace

std::string percent_encoded(std::string_view text) {
    constexpr std::string_view unreserved =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    std::string out;
    for (const char c : text) {
        if (unreserved.find(c) != unreserved.npos) {
            out += c;
        } else {
            append_format(out, "%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

Result<ServerClient> ServerClient::open(Connection connection) {
    auto client = web::curl::CurlClient::open({.ca_file = connection.ca_file, .under_way = 1});
    if (!client) return fail(client.error());
    return ServerClient{std::move(connection), std::move(*client)};
}

Result<web::Answer> ServerClient::ask(Ask ask) {
    web::Request request{
        .method = std::move(ask.method),
        .url = connection_.server + ask.path,
        .headers = {{"User-Agent", "hive/" + version()}},
        .body = std::move(ask.body),
        .within = ask.within,
        .answer_bytes_max = answer_bytes_max,
        .sink = std::move(ask.sink)};
    if (!request.body.empty()) request.headers.push_back({"Content-Type", "application/json"});
    if (!ask.if_match.empty()) request.headers.push_back({"If-Match", std::move(ask.if_match)});
    if (!connection_.key.empty()) {
        request.headers.push_back(
            {"Authorization", fmt::format("Bearer {}", connection_.key.reveal())});
    }
    auto answer = web::send_and_wait(*client_, std::move(request));
    if (answer || answer.error().code == Errc::closed) return answer;
    if (answer.error().code == Errc::invalid) {
        return fail(
            Errc::invalid,
            fmt::format("the key or the address cannot be sent: {}", answer.error().detail));
    }
    return fail(
        answer.error().code,
        fmt::format(
            "no answer from the server {}: {}; check the address and that a hive runs there",
            connection_.server, answer.error().detail));
}

ServerProblem ServerClient::problem_of(const web::Answer& answer) {
    const auto document = parse_answer(answer.body);
    if (!document || !document->is_object()) return {};
    const json::object& problem = document->get_object();
    return {
        .code = std::string{text_at(problem, "code")},
        .detail = printable(sentence_of(problem), shown_max)};
}

Error ServerClient::error_of(const web::Answer& answer) const {
    const auto [code, detail] = problem_of(answer);
    if (detail.empty()) {
        const std::string elsewhere = header_of(answer, "location");
        return {
            Errc::unavailable,
            fmt::format(
                "{} answered {} and not as a hive does{}; check the address of the server",
                connection_.server, answer.status,
                elsewhere.empty() ? std::string{}
                                  : " (it points to " + printable(elsewhere, 200) + ")")};
    }
    if (answer.status == 401) {
        return {
            Errc::denied, fmt::format(
                              "{} does not accept your key: {}; log in again with 'hive login "
                              "--server {}'",
                              connection_.server, detail, connection_.server)};
    }
    return {code_of(answer.status), detail};
}

Result<json::value> ServerClient::json_of(Result<web::Answer> answer) const {
    if (!answer) return fail(answer.error());
    if (answer->status == 204) return json::value{};
    if (answer->status / 100 != 2) return fail(error_of(*answer));
    auto document = parse_answer(answer->body);
    if (!document || !document->is_object()) {
        return fail(
            Errc::unavailable,
            fmt::format(
                "{} did not answer as a hive does; check the address of the server",
                connection_.server));
    }
    return document;
}

Result<json::value> ServerClient::get(std::string path, const Query& query) {
    char mark = '?';
    for (const auto& [name, value] : query) {
        if (value.empty()) continue;
        path += fmt::format("{}{}={}", std::exchange(mark, '&'), name, percent_encoded(value));
    }
    return json_of(ask({.path = std::move(path), .within = patience}));
}

Result<json::value> ServerClient::post(std::string path, const json::value& body) {
    return json_of(ask(
        {.method = "POST",
         .path = std::move(path),
         .body = body.is_null() ? std::string{} : to_text(body),
         .within = patience}));
}

Result<json::value>
ServerClient::put(std::string path, const json::value& body, std::uint64_t revision) {
    return json_of(ask(
        {.method = "PUT",
         .path = std::move(path),
         .body = to_text(body),
         .if_match = revision == 0 ? std::string{} : api::etag_of_revision(revision),
         .within = patience}));
}

Result<json::value> ServerClient::patch(std::string path, const json::value& body) {
    return json_of(ask(
        {.method = "PATCH", .path = std::move(path), .body = to_text(body), .within = patience}));
}

Result<json::value> ServerClient::remove(std::string path) {
    return json_of(ask({.method = "DELETE", .path = std::move(path), .within = patience}));
}

Result<std::string> ServerClient::get_text(std::string path) {
    auto answer = ask({.path = std::move(path), .within = patience});
    if (!answer) return fail(answer.error());
    if (answer->status != 200) return fail(error_of(*answer));
    return std::move(answer->body);
}

Status
ServerClient::download(std::string path, const std::function<Status(std::string_view)>& sink) {
    Status taken{};
    auto answer = ask(
        {.path = std::move(path), .within = download_within, .sink = [&](std::string_view bytes) {
             taken = sink(bytes);
             return taken.has_value();
         }});
    if (!taken) return taken;
    if (!answer) return fail(answer.error());
    if (answer->status != 200) return fail(error_of(*answer));
    return {};
}

} // namespace hive::cli
