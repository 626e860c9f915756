#pragma once

#include "kernel/json.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hive::mcp {

// A request to the REST API.
struct RestCall {
    std::string method = "GET";
    std::string path; // with its query, encoded
    std::optional<json::object> body{};
};

struct RestAnswer {
    unsigned status = 0; // 0: nobody answered; `body` is the reason
    json::value body{};

    bool good() const noexcept { return status / 100 == 2; }
};

// What a model gets to see.
struct ToolResult {
    json::object structured{};
    std::string trouble{}; // not empty: it failed, and this says why and what to do next
};

// The next request, or the end.
using Turn = std::variant<RestCall, ToolResult>;

struct Tool {
    std::string name;
    std::string title;
    std::string description;
    json::object input;  // JSON Schema, in the subset of api/schema.hpp
    json::object output; // likewise; open, because what the API tells may grow
    bool reads = false;  // changes nothing
    bool repeatable = false;
    std::function<Turn(const json::object& arguments)> begin;
    // After the answer to the nth request; without it the first answer is the result.
    std::function<Turn(const json::object& arguments, std::size_t nth, const RestAnswer&)> go_on{};
    // The member that a plain answer becomes in `structured`.
    std::string shown_as{};
    // What undoes it when nobody waits for it any more.
    std::function<std::optional<RestCall>(const RestAnswer&)> undo{};
};

} // namespace hive::mcp
