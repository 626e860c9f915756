#include "scenario/config_schema.hpp"

#include "scenario/config_shape.hpp"

#include <fmt/format.h>

namespace hive::scenario {
namespace {

json::object given_elsewhere() {
    return {{"$ref", "#/definitions/given"}};
}

json::object or_given(json::object schema) {
    return {{"anyOf", {std::move(schema), given_elsewhere()}}};
}

json::object bounded(std::string_view type, std::optional<double> low, std::optional<double> high) {
    json::object out{{"type", type}};
    if (low) out["minimum"] = *low;
    if (high) out["maximum"] = *high;
    return out;
}

json::object schema_of(const FieldInfo& field) {
    if (!field.choices.empty() && field.type == "text") return words_schema(field.choices);
    if (field.type == "boolean") return flag_schema();
    if (field.type == "integer") return whole_schema(field.lowest, field.highest);
    if (field.type == "number") return number_schema(field.lowest, field.highest);
    if (field.type == "text") return text_schema();
    if (field.type == "duration" || field.type == "size") return duration_schema();
    return json::object{}; // json: anything
}

json::object literal(json::object schema) {
    if (const auto* either = schema.if_contains("anyOf")) {
        return either->as_array().front().as_object();
    }
    schema["not"] = given_elsewhere();
    return schema;
}

std::string help_of(const FieldInfo& field) {
    std::string help = field.help;
    if (!field.unit.empty()) help += fmt::format("{}({})", help.empty() ? "" : " ", field.unit);
    if (!field.live) help += help.empty() ? "Fixed while the bee works" : "; fixed while it works";
    return help;
}

json::object& object_in(json::object& schema, std::string_view word) {
    auto& value = schema[word];
    if (!value.is_object()) value = json::object{};
    return value.get_object();
}

// Makes a schema that of an object of its own and returns it.
json::object& opened(json::object& schema) {
    if (!schema.contains("properties")) {
        schema["type"] = json::array{"object", "null"};
        schema["additionalProperties"] = false;
        schema["properties"] = json::object{};
    }
    return schema;
}

// The schema at a path: `sources[].weight`, `headers{}`.
json::object& place_of(json::object& root, std::string_view path) {
    json::object* at = &root;
    while (!path.empty()) {
        if (path.front() == '.') path.remove_prefix(1);
        if (path.starts_with("[]")) {
            (*at)["type"] = json::array{"array", "null"};
            at = &object_in(*at, "items");
            path.remove_prefix(2);
        } else if (path.starts_with("{}")) {
            (*at)["type"] = json::array{"object", "null"};
            at = &object_in(*at, "additionalProperties");
            path.remove_prefix(2);
        } else {
            const auto end = path.find_first_of(".[{");
            at = &object_in(object_in(opened(*at), "properties"), path.substr(0, end));
            path.remove_prefix(std::min(end, path.size()));
        }
    }
    return *at;
}

void require(json::object& root, std::string_view path) {
    const auto dot = path.rfind('.');
    const std::string_view name = dot == path.npos ? path : path.substr(dot + 1);
    if (name.find_first_of("[{") != name.npos) return;
    json::object& holder = dot == path.npos ? root : place_of(root, path.substr(0, dot));
    auto& names = holder["required"];
    if (!names.is_array()) names = json::array{};
    names.get_array().emplace_back(name);
}

template <class Adapt>
json::object schema_of_all(std::span<const FieldInfo> fields, const Adapt& adapt) {
    json::object root;
    opened(root);
    for (const FieldInfo& field : fields) {
        json::object schema = described(adapt(schema_of(field)), help_of(field));
        if (!field.fallback.is_null()) schema["default"] = field.fallback;
        place_of(root, field.path) = std::move(schema);
    }
    for (const FieldInfo& field : fields) {
        if (field.required) require(root, field.path);
    }
    return root;
}

} // namespace

json::object described(json::object schema, std::string_view help) {
    if (!help.empty()) schema["description"] = help;
    return schema;
}

json::object number_schema(std::optional<double> lowest, std::optional<double> highest) {
    return or_given(bounded("number", lowest, highest));
}

json::object whole_schema(std::optional<double> lowest, std::optional<double> highest) {
    return or_given(bounded("integer", lowest, highest));
}

json::object flag_schema() {
    return or_given({{"type", "boolean"}});
}

json::object text_schema() {
    return {{"type", {"string", "number", "boolean"}}}; // YAML takes 42 and yes for something else
}

json::object id_schema() {
    return {{"type", {"string", "number"}}, {"pattern", "^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$"}};
}

json::object duration_schema() {
    return {{"type", {"string", "number"}}};
}

json::object words_schema(const std::vector<std::string>& words) {
    json::array all;
    for (const auto& word : words) all.emplace_back(word);
    return or_given({{"enum", std::move(all)}});
}

json::object object_schema(Shape members) {
    json::object properties;
    json::array required;
    for (const auto& [name, schema] : members) {
        const bool needed = name.ends_with('!');
        const std::string_view bare = name.substr(0, name.size() - (needed ? 1 : 0));
        properties[bare] = schema;
        if (needed) required.emplace_back(bare);
    }
    json::object out{
        {"type", {"object", "null"}},
        {"additionalProperties", false},
        {"properties", std::move(properties)}};
    if (!required.empty()) out["required"] = std::move(required);
    return out;
}

json::object list_schema(json::object items) {
    return {{"type", {"array", "null"}}, {"items", std::move(items)}};
}

json::object map_schema(json::object values) {
    return {{"type", {"object", "null"}}, {"additionalProperties", std::move(values)}};
}

json::object fields_schema(std::span<const FieldInfo> fields) {
    return schema_of_all(fields, [](json::object schema) { return schema; });
}

json::object literal_fields_schema(std::span<const FieldInfo> fields) {
    return schema_of_all(fields, literal);
}

json::object config_schema(const Capability& capability) {
    json::object root = fields_schema(capability.fields);
    root.erase("required"); // at the top a template may bring it
    for (const auto& [path, why] : settings_without_meaning()) {
        json::object& place = place_of(root, path);
        if (place.empty()) place = {{"deprecated", true}, {"description", why}};
    }
    return root;
}

} // namespace hive::scenario
