#include "bees/generator/message.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::bees {

std::span<const Named<BodyType>> names_of(BodyType) {
    static constexpr std::array names{
        Named<BodyType>{"HTTP", BodyType::http}, Named<BodyType>{"SIMPLE", BodyType::simple}};
    return names;
}

void describe(FieldTable& fields, MessageConfig& message) {
    fields.add("bodyType", message.body_type)
        .help("HTTP makes a request for a processor, SIMPLE hands on the body alone");
    fields.add("method", message.method).rendered().help("A template");
    fields.add("path", message.path)
        .rendered()
        .help("A template; appended to the processor's baseUrl");
    fields.add("headers", message.headers).rendered().help("Templates by name").at_most(200);
    fields.add("body", message.body).rendered().help("A template");
}

Result<Message> Message::compile(const MessageConfig& config) {
    auto body = worker::compile_setting(config.body, "message.body");
    if (!body) return fail(body.error());
    ItemHeaders headers;
    for (const auto& [name, value] : config.headers) {
        auto text = worker::compile_setting(value, fmt::format("message.headers.{}", name));
        if (!text) return fail(text.error());
        headers.push_back({name, *std::move(text)});
    }
    if (config.body_type == BodyType::simple) return Message{*std::move(body), std::move(headers)};
    auto method = worker::compile_setting(config.method, "message.method");
    if (!method) return fail(method.error());
    auto path = worker::compile_setting(config.path, "message.path");
    if (!path) return fail(path.error());
    worker::RequestParts parts{
        .method = *std::move(method), .path = *std::move(path), .headers = std::move(headers)};
    if (!config.body.empty()) parts.body = *std::move(body);
    return Message{worker::RequestText{std::move(parts)}};
}

Status Message::mark(worker::Renderer& renderer, wire::Headers& headers) {
    for (const auto& [name, value] : headers_) {
        buffer_.clear();
        if (auto ok = renderer.render(value, buffer_); !ok) return ok;
        headers.set(name, buffer_);
    }
    return {};
}

Status Message::render(worker::Renderer& renderer, std::string& out) {
    if (auto* request = std::get_if<worker::RequestText>(&text_)) {
        return request->render(renderer, out);
    }
    return renderer.render(std::get<Simple>(text_), out);
}

} // namespace hive::bees
