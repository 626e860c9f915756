#pragma once

#include "api/http/stream.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace hive::http {

// Header lines as they go out. A line break in a value becomes a space: no input can add a header.
class HeaderBlock {
public:
    void add(std::string_view name, std::string_view value);
    void reserve(std::size_t bytes) { lines_.reserve(bytes); }
    void add_lines(std::string_view formatted) { lines_ += formatted; } // ends in CRLF
    void set(std::string_view name, std::string_view value);            // replaces earlier ones
    std::optional<std::string_view> find(std::string_view name) const noexcept;
    const std::string& lines() const noexcept { return lines_; }

private:
    void remove(std::string_view name);
    std::string lines_;
};

// Owned, shared between answers, or living as long as the program.
using Body = std::variant<std::string, std::shared_ptr<const std::string>, std::string_view>;
std::string_view view_of(const Body& body) noexcept;

// Takes the connection over once the head is written: WebSocket, event streams.
using Takeover = std::function<asio::awaitable<void>(Stream*)>;

struct Response {
    unsigned status = 200;
    std::string_view content_type{}; // of static lifetime; empty: no body
    HeaderBlock headers{};
    Body body{};
    Takeover takeover{};
    bool close = false; // the connection ends with this answer
};

std::string_view reason_of(unsigned status) noexcept;

struct Framing {
    std::string_view date{}; // HTTP-date
    bool keep_alive = true;
    bool http10 = false;
};

// Appends the status line and headers, down to the empty line.
void append_head(std::string& out, const Response& response, const Framing& framing);

} // namespace hive::http
