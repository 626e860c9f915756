#pragma once

#include "kernel/fields.hpp"
#include "wire/work_item.hpp"
#include "worker/request_text.hpp"

#include <map>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace hive::bees {

enum class BodyType : std::uint8_t { http, simple };
std::span<const Named<BodyType>> names_of(BodyType);

// Everything but the type is a template.
struct MessageConfig {
    BodyType body_type = BodyType::http;
    std::string method = "GET";
    std::string path = "/";
    std::map<std::string, std::string> headers{};
    std::string body{};
};
void describe(FieldTable& fields, MessageConfig& message);

// A message that is compiled once and rendered for each item.
class Message {
public:
    static Result<Message> compile(const MessageConfig& config);

    // Appends the payload of an item that `renderer` looks at.
    Status render(worker::Renderer& renderer, std::string& out);
    // A message that is no request has its headers on the item itself.
    Status mark(worker::Renderer& renderer, wire::Headers& headers);

private:
    using Simple = templates::Template;
    using ItemHeaders = std::vector<worker::RequestParts::Header>;
    explicit Message(std::variant<worker::RequestText, Simple> text, ItemHeaders headers = {})
        : text_{std::move(text)}, headers_{std::move(headers)} {}

    std::variant<worker::RequestText, Simple> text_;
    ItemHeaders headers_{};
    std::string buffer_{};
};

} // namespace hive::bees
