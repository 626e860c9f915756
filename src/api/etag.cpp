#include "api/etag.hpp"

#include <fmt/format.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace hive::api {
namespace {

std::string_view without_weakness(std::string_view tag) {
    return tag.starts_with("W/") ? tag.substr(2) : tag;
}

// Every tag of a header, which may be a list and may come in several lines.
std::vector<std::string_view> tags_in(const http::Request& request, std::string_view header) {
    std::vector<std::string_view> tags;
    for (const http::Header& field : request.headers) {
        if (!http::equal_ignoring_case(field.name, header)) continue;
        std::string_view rest = field.value;
        while (!rest.empty()) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            tags.push_back(http::trimmed(rest.substr(0, comma)));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return tags;
}

} // namespace

std::string hex_sha256(std::string_view content) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<const unsigned char*>(content.data()), content.size(), digest.data());
    std::string out;
    for (const unsigned char byte : digest) out += fmt::format("{:02x}", byte);
    return out;
}

std::string etag_of_revision(std::uint64_t revision) {
    return fmt::format("\"r{}\"", revision);
}

std::string etag_of_content(std::string_view content) {
    return fmt::format("\"{}\"", hex_sha256(content).substr(0, 32));
}

bool is_not_modified(const http::Request& request, std::string_view etag) {
    return std::ranges::any_of(tags_in(request, "If-None-Match"), [&](std::string_view tag) {
        return tag == "*" || without_weakness(tag) == without_weakness(etag);
    });
}

http::Response with_etag(const http::Request& request, http::Response response) {
    if (response.status != 200) return response;
    const std::string etag = etag_of_content(http::view_of(response.body));
    if (is_not_modified(request, etag)) response = http::Response{.status = 304};
    response.headers.set("ETag", etag);
    response.headers.set("Cache-Control", "no-cache"); // kept, and asked about each time
    return response;
}

Precondition::Precondition(const http::Request& request)
    : given_{request.header("If-Match").has_value()} {
    for (const std::string_view tag : tags_in(request, "If-Match")) tags_.emplace_back(tag);
}

std::optional<Problem> Precondition::check(std::string_view etag, IfMatch rule) const {
    if (!given_ && rule == IfMatch::required) {
        return Problem{
            .status = 428,
            .code = "if-match-required",
            .detail = "say which state you change: send If-Match with the ETag you have seen"};
    }
    // Strong comparison: a weak tag does not promise that nothing changed.
    const bool seen = std::ranges::any_of(
        tags_, [&](const std::string& tag) { return tag == "*" || tag == etag; });
    if (!given_ || seen) return std::nullopt;
    Problem problem{
        .status = 412,
        .code = "changed-meanwhile",
        .detail = "somebody changed this since you read it; read it again"};
    problem.headers.add("ETag", etag);
    return problem;
}

} // namespace hive::api
