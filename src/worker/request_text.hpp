#pragma once

#include "worker/templating.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hive::worker {

enum class Protocol : std::uint8_t { http, tcp };

// The templates of a request; over TCP method and path are not looked at.
struct RequestParts {
    struct Header {
        std::string name;
        templates::Template value;
    };
    Protocol protocol = Protocol::http;
    templates::Template method;
    templates::Template path;
    std::vector<Header> headers{};
    std::optional<templates::Template> body{}; // none: a request without a body
    std::string more{};                        // members of `request` as they are: `"maxBytes":100`
    std::string and_more{};                    // members beside it
};

// A request as processors read it, rendered for each item:
// {"kind":"http.request","request":{"method","path","headers","body"}}.
class RequestText {
public:
    explicit RequestText(RequestParts parts) : parts_{std::move(parts)} {}

    // Appends the payload of an item that `renderer` looks at.
    Status render(Renderer& renderer, std::string& out);

private:
    Status render_line(Renderer& renderer, std::string& out);
    Status render_headers(Renderer& renderer, std::string& out);
    Status add(Renderer& renderer, const templates::Template& text, std::string& out);
    bool is_constant() const;

    RequestParts parts_;
    std::optional<std::string> constant_{}; // the payload, if it is always the same
    std::string buffer_{};
};

} // namespace hive::worker
