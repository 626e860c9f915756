#include "api/rest/schemas.hpp"

#include "api/rest/swarm_schemas.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

json::object array_of(json::object items, std::size_t most) {
    return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}};
}

json::object role_schema() {
    return words_schema({"admin", "human", "bee", "readonly"});
}

json::object scopes_schema() {
    json::object out = array_of(text_schema(40), 32);
    out["description"] = "`tasks:write`, `*:read`; levels read, write, admin";
    return out;
}

json::object key_schema() {
    return closed_object(
        {{"id", text_schema()},
         {"owner", text_schema()},
         {"kind", words_schema({"bee", "human", "service"})},
         {"role", role_schema()},
         {"scopes", scopes_schema()},
         {"shown", text_schema(32)},
         {"state", words_schema({"active", "expired", "revoked"})},
         {"created", time_schema()},
         {"expires?", time_schema()},
         {"revoked?", time_schema()},
         {"lastUsed?", time_schema()},
         {"rotatedTo?", text_schema()}});
}

json::object minted_schema() {
    return closed_object({{"key", text_schema(64)}, {"record", ref("Key")}});
}

json::object entry_schema() {
    // docs/spec/audit-entry.schema.json has every rule; an entry is written by one function.
    return {{"type", "object"}, {"required", {"sequence", "time", "actor", "action", "hash"}}};
}

json::object proof_schema() {
    return closed_object(
        {{"index?", integer_schema()},
         {"from?", integer_schema()},
         {"size", integer_schema()},
         {"leaf?", text_schema(64)},
         {"root", text_schema(64)},
         {"oldRoot?", text_schema(64)},
         {"path", array_of(text_schema(64), 128)}});
}

json::object report_schema() {
    return closed_object(
        {{"good", {{"type", "boolean"}}},
         {"entries", integer_schema()},
         {"erased", integer_schema()},
         {"checkpoints", integer_schema()},
         {"covered", integer_schema()},
         {"root", text_schema(64)},
         {"fault?", closed_object(
                        {{"kind", text_schema(32)},
                         {"sequence", integer_schema()},
                         {"reason", text_schema(1000)}})}});
}

} // namespace

json::object ref(std::string_view name) {
    return {{"$ref", fmt::format("#/components/schemas/{}", name)}};
}

json::object list_of(std::string_view name) {
    return closed_object({{"items", array_of(ref(name), 1000)}, {"next?", text_schema(512)}});
}

json::object closed_object(Properties properties) {
    json::object fields;
    json::array required;
    for (const auto& [name, schema] : properties) {
        if (name.ends_with('?')) {
            fields[name.substr(0, name.size() - 1)] = schema;
        } else {
            fields[name] = schema;
            required.emplace_back(name);
        }
    }
    json::object out{
        {"type", "object"}, {"properties", std::move(fields)}, {"additionalProperties", false}};
    if (!required.empty()) out["required"] = std::move(required);
    return out;
}

json::object text_schema(std::size_t max) {
    return {{"type", "string"}, {"maxLength", max}};
}

json::object time_schema() {
    return {{"type", "string"}, {"format", "date-time"}};
}

json::object integer_schema(std::int64_t min) {
    return {{"type", "integer"}, {"minimum", min}};
}

json::object words_schema(std::initializer_list<std::string_view> words) {
    json::array all;
    for (const auto word : words) all.emplace_back(word);
    return {{"enum", std::move(all)}};
}

void put_time(json::object& out, std::string_view name, const std::optional<Timestamp>& time) {
    if (time) out[name] = format_timestamp(*time);
}

json::object component_schemas() {
    json::object schemas{
        {"Key", key_schema()},
        {"MintedKey", minted_schema()},
        {"KeyRequest", closed_object(
                           {{"owner", {{"type", "string"}, {"minLength", 1}, {"maxLength", 100}}},
                            {"role", role_schema()},
                            {"kind?", words_schema({"bee", "human", "service"})},
                            {"scopes?", scopes_schema()},
                            {"validFor?", text_schema(32)}})},
        {"Me", closed_object(
                   {{"id", text_schema()},
                    {"role", role_schema()},
                    {"scopes", scopes_schema()},
                    {"proof", words_schema({"api_key", "session", "ticket"})},
                    {"proofId", text_schema()},
                    {"hive", text_schema()},
                    {"csrfToken?", text_schema()}})},
        {"Session", closed_object(
                        {{"id", text_schema()},
                         {"person", text_schema()},
                         {"role", role_schema()},
                         {"created", time_schema()},
                         {"lastSeen", time_schema()}})},
        {"Ticket", closed_object({{"ticket", text_schema()}, {"validForSec", integer_schema()}})},
        {"DeviceLogin", closed_object(
                            {{"deviceCode", text_schema()},
                             {"userCode", text_schema(16)},
                             {"verificationUri", text_schema(1024)},
                             {"verificationUriComplete", text_schema(1024)},
                             {"expiresIn", integer_schema()},
                             {"interval", integer_schema()}})},
        {"AuditEntry", entry_schema()},
        {"AuditCheckpoint", closed_object(
                                {{"size", integer_schema()},
                                 {"root", text_schema(64)},
                                 {"time", time_schema()},
                                 {"note", text_schema(8192)}})},
        {"AuditProof", proof_schema()},
        {"AuditReport", report_schema()},
    };
    add_swarm_schemas(schemas);
    return schemas;
}

} // namespace hive::rest
