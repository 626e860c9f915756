#include "api/mcp/catalog.hpp"

#include "kernel/append_format.hpp"

#include <algorithm>
#include <iterator>

namespace hive::mcp {
namespace {

json::object object_of(const Members& members, bool closed) {
    json::object properties;
    json::array required;
    for (const auto& [name, schema] : members) {
        const bool optional = name.ends_with('?');
        const std::string_view plain = optional ? name.substr(0, name.size() - 1) : name;
        properties[plain] = schema;
        if (!optional) required.emplace_back(plain);
    }
    json::object out{{"type", "object"}, {"properties", std::move(properties)}};
    if (!required.empty()) out["required"] = std::move(required);
    if (closed) out["additionalProperties"] = false;
    return out;
}

} // namespace

const Catalog& catalog() {
    static const Catalog all = [] {
        Catalog tools = task_tools();
        std::ranges::move(talk_tools(), std::back_inserter(tools));
        return tools;
    }();
    return all;
}

const Tool* find_tool(std::string_view name) {
    const auto found = std::ranges::find(catalog(), name, &Tool::name);
    return found == catalog().end() ? nullptr : &*found;
}

json::object to_json(const Tool& tool) {
    return {
        {"name", tool.name},
        {"title", tool.title},
        {"description", tool.description},
        {"inputSchema", tool.input},
        {"outputSchema", tool.output},
        {"annotations", json::object{
                            {"title", tool.title},
                            {"readOnlyHint", tool.reads},
                            {"destructiveHint", false},
                            {"idempotentHint", tool.repeatable},
                            {"openWorldHint", false}}}};
}

json::object arguments(const Members& members) {
    return object_of(members, true);
}
json::object result(const Members& members) {
    return object_of(members, false);
}

json::object text(std::string_view description, std::size_t most) {
    return {{"type", "string"}, {"maxLength", most}, {"description", description}};
}

json::object texts(std::string_view description) {
    return {
        {"type", "array"},
        {"items", json::object{{"type", "string"}, {"maxLength", 100}}},
        {"maxItems", 50},
        {"description", description}};
}

json::object number(std::string_view description, std::int64_t least, std::int64_t most) {
    return {
        {"type", "integer"}, {"minimum", least}, {"maximum", most}, {"description", description}};
}

json::object truth(std::string_view description) {
    return {{"type", "boolean"}, {"description", description}};
}

json::object list_of_objects() {
    return {{"type", "array"}, {"items", some_object()}};
}

json::object some_object() {
    return {{"type", "object"}};
}

std::string encoded(std::string_view text) {
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

std::string text_in(const json::object& arguments, std::string_view name) {
    const auto* value = arguments.if_contains(name);
    return value == nullptr ? std::string{} : std::string{value->as_string()};
}

json::object picked(const json::object& arguments, const Renamed& names) {
    json::object body;
    for (const auto& [from, to] : names) {
        if (const auto* value = arguments.if_contains(from)) body[to] = *value;
    }
    return body;
}

} // namespace hive::mcp
