#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::http {

enum class Method : std::uint8_t { get, head, post, put, patch, remove, options, other };
inline constexpr std::size_t method_count = 8;

std::string_view name_of(Method method) noexcept; // `DELETE` for remove
Method method_of(std::string_view text) noexcept;

struct Header {
    std::string_view name;
    std::string_view value;
};

// Who is on the other end, as far as the transport knows.
struct Peer {
    std::string address; // `127.0.0.1`, `2001:db8::1`, `unix`
    bool secure = false; // TLS
    bool loopback = false;
};

// One request. The views point into `head`, so a Request stays where it was filled.
struct Request {
    Request() = default;
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;

    Method method = Method::other;
    int version = 11; // 10 or 11
    bool keep_alive = true;
    bool chunked = false;
    std::string_view method_text;
    std::string_view target; // as sent
    std::string_view path;   // still percent-encoded; starts with `/`, or is `*`
    std::string_view query;  // without the `?`
    std::optional<std::uint64_t> content_length;
    std::vector<Header> headers;
    std::string head;
    std::string body;
    const Peer* peer = nullptr; // set by the connection; outlives the request

    // The first header of that name (case does not matter).
    std::optional<std::string_view> header(std::string_view name) const noexcept;
    std::size_t count(std::string_view name) const noexcept;
    // Does a comma-separated list header contain this word?
    bool lists(std::string_view name, std::string_view word) const noexcept;
    bool has_body() const noexcept { return chunked || content_length.value_or(0) > 0; }
    void clear();
};

bool equal_ignoring_case(std::string_view a, std::string_view b) noexcept;
std::string_view trimmed(std::string_view text) noexcept; // spaces and tabs

} // namespace hive::http
