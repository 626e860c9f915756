#include "api/openapi.hpp"

#include "api/authenticator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace hive::api {
namespace {

json::object ref(std::string_view name) {
    return {{"$ref", fmt::format("#/components/schemas/{}", name)}};
}

json::object problem_schema() {
    return {
        {"type", "object"},
        {"description", "RFC 9457"},
        {"required", {"type", "title", "status", "code", "detail", "retryable"}},
        {"properties",
         {{"type", {{"type", "string"}}},
          {"title", {{"type", "string"}}},
          {"status", {{"type", "integer"}}},
          {"code", {{"type", "string"}, {"description", "stable, for programs"}}},
          {"detail", {{"type", "string"}}},
          {"instance", {{"type", "string"}}},
          {"requestId", {{"type", "string"}}},
          {"retryable", {{"type", "boolean"}}},
          {"errors",
           {{"type", "array"},
            {"items",
             {{"type", "object"},
              {"properties",
               {{"pointer", {{"type", "string"}}}, {"detail", {{"type", "string"}}}}}}}}}}}};
}

json::object content_of(const Content& content) {
    json::object body{{"schema", content.schema}};
    if (!content.example.is_null()) body["example"] = content.example;
    return {{content.type, std::move(body)}};
}

json::object path_parameter(const PathSegment& segment) {
    return {
        {"name", segment.word},
        {"in", "path"},
        {"required", true},
        {"schema", schema_of(*segment.kind, {.min = 1, .max = 256})}};
}

json::value value_of(const ParameterValue& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
    if (const auto* flag = std::get_if<bool>(&value)) return *flag;
    return json::value(std::get<std::string>(value));
}

json::object query_parameter(const QueryParameter& parameter) {
    json::object schema = schema_of(parameter.kind, parameter.range);
    if (!std::holds_alternative<std::monostate>(parameter.fallback)) {
        schema["default"] = value_of(parameter.fallback);
    }
    json::object out{
        {"name", parameter.name},
        {"in", "query"},
        {"required", parameter.required},
        {"schema", std::move(schema)}};
    if (!parameter.description.empty()) out["description"] = parameter.description;
    return out;
}

json::object header_parameter(std::string_view name, bool required) {
    return {
        {"name", name}, {"in", "header"}, {"required", required}, {"schema", {{"type", "string"}}}};
}

json::array parameters_of(const Route& route) {
    json::array out;
    const auto segments = parse_path(route.path);
    for (const PathSegment& segment : *segments) {
        if (segment.kind) out.push_back(path_parameter(segment));
    }
    for (const QueryParameter& parameter : route.query) out.push_back(query_parameter(parameter));
    if (route.idempotency >= Idempotency::accepted) {
        out.push_back(
            header_parameter("Idempotency-Key", route.idempotency == Idempotency::required));
    }
    if (route.entity_tag == EntityTag::cached) {
        out.push_back(header_parameter("If-None-Match", false));
    }
    if (route.entity_tag == EntityTag::matched) out.push_back(header_parameter("If-Match", false));
    return out;
}

// What an answer below 300 says in its head besides the usual.
json::object headers_of(const Route& route) {
    json::object out;
    if (route.entity_tag != EntityTag::none) {
        out["ETag"] = {
            {"description", "the state that this answer shows"}, {"schema", {{"type", "string"}}}};
    }
    if (std::ranges::find(route.query, "cursor", &QueryParameter::name) != route.query.end()) {
        out["Link"] = {
            {"description", "the next page, when there is one (RFC 8288)"},
            {"schema", {{"type", "string"}}}};
    }
    return out;
}

json::object responses_of(const Route& route) {
    json::object out;
    if (route.entity_tag == EntityTag::cached) {
        out["304"] = {{"description", "You have it already (If-None-Match)"}};
    }
    if (route.entity_tag == EntityTag::matched) {
        out["412"] = {
            {"description", "It was changed since you read it (If-Match)"},
            {"content", {{problem_type, {{"schema", ref("Problem")}}}}}};
    }
    for (const Answer& answer : route.answers) {
        json::object documented{{"description", answer.description}};
        if (answer.content) documented["content"] = content_of(*answer.content);
        if (json::object headers = headers_of(route); answer.status < 300 && !headers.empty()) {
            documented["headers"] = std::move(headers);
        }
        out[std::to_string(answer.status)] = std::move(documented);
    }
    out["default"] = {
        {"description", "A problem (RFC 9457)"},
        {"content", {{problem_type, {{"schema", ref("Problem")}}}}}};
    return out;
}

json::object access_of(const Access& access) {
    json::array roles;
    for (const Role role : {Role::admin, Role::human, Role::bee, Role::readonly}) {
        if (access.admits(role)) roles.emplace_back(name_of(role));
    }
    json::object out{{"roles", std::move(roles)}};
    if (!access.scope().empty()) out["scope"] = access.scope();
    return out;
}

json::object operation_of(const Route& route) {
    json::object out{
        {"operationId", route.id}, {"summary", route.summary}, {"tags", json::array{route.tag}}};
    if (json::array parameters = parameters_of(route); !parameters.empty()) {
        out["parameters"] = std::move(parameters);
    }
    if (route.request) {
        out["requestBody"] = {
            {"required", route.request->required}, {"content", content_of(*route.request)}};
    }
    out["responses"] = responses_of(route);
    if (route.access.is_open()) {
        out["security"] = json::array{};
    } else {
        out["x-hive-access"] = access_of(route.access);
    }
    out["x-hive-rate-class"] = route.rate_class;
    return out;
}

// `/swarms/{swarmId:SwarmId}` without the kind.
std::string documented_path(const Route& route) {
    std::string out;
    const auto segments = parse_path(route.path);
    for (const PathSegment& segment : *segments) {
        out += segment.kind ? fmt::format("/{{{}}}", segment.word) : "/" + segment.word;
    }
    return out.empty() ? "/" : out;
}

std::string lower(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return out;
}

} // namespace

json::object make_openapi(const RouteTable& table, const ApiInfo& info) {
    json::object paths;
    std::set<std::string> tags;
    for (const Route& route : table.routes()) {
        json::value& path = paths[documented_path(route)];
        if (!path.is_object()) path = json::object{};
        path.get_object()[lower(name_of(route.method))] = operation_of(route);
        tags.insert(route.tag);
    }
    json::object schemas = table.schemas();
    schemas["Problem"] = problem_schema();
    json::array tag_list;
    for (const std::string& tag : tags) tag_list.push_back({{"name", tag}});
    json::object about{{"title", info.title}, {"version", info.version}};
    if (!info.description.empty()) about["description"] = info.description;
    return {
        {"openapi", "3.1.0"},
        {"info", std::move(about)},
        {"tags", std::move(tag_list)},
        {"security", {{{"bearer", json::array{}}}, {{"session", json::array{}}}}},
        {"paths", std::move(paths)},
        {"components",
         {{"schemas", std::move(schemas)},
          {"securitySchemes",
           {{"bearer", {{"type", "http"}, {"scheme", "bearer"}}},
            {"session", {{"type", "apiKey"}, {"in", "cookie"}, {"name", session_cookie}}}}}}}};
}

} // namespace hive::api
