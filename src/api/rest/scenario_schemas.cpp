// The schemas of scenarios and of what bees can be told.
#include "api/rest/scenario_routes.hpp"
#include "api/rest/schemas.hpp"
#include "scenario/bundle.hpp"

namespace hive::rest {
namespace {

json::object any_object() {
    return {{"type", "object"}};
}

json::object boolean() {
    return {{"type", "boolean"}};
}

json::object array_of(json::object items, std::size_t most) {
    return {{"type", "array"}, {"items", std::move(items)}, {"maxItems", most}};
}

json::object map_of(json::object values, std::size_t most) {
    return {
        {"type", "object"}, {"additionalProperties", std::move(values)}, {"maxProperties", most}};
}

json::object finding_schema() {
    return closed_object(
        {{"severity", words_schema({"note", "warning", "error"})},
         {"code", text_schema(64)},
         {"file?", text_schema(512)},
         {"line?", integer_schema(1)},
         {"column?", integer_schema(1)},
         {"origin?", text_schema(512)},
         {"key?", text_schema(512)},
         {"message", text_schema(1024)},
         {"hint?", text_schema(512)}});
}

json::object findings() {
    return array_of(ref("ScenarioFinding"), 10'000);
}

json::object files_schema() {
    return map_of(text_schema(scenario::bundle_file_bytes_max), scenario::bundle_files_max);
}

json::object summary_schema() {
    return closed_object(
        {{"id", text_schema(63)},
         {"name", text_schema(1024)},
         {"description", text_schema(scenario::bundle_file_bytes_max)},
         {"revision", text_schema(64)},
         {"valid", boolean()},
         {"errors", integer_schema()},
         {"warnings", integer_schema()}});
}

json::object details_schema() {
    json::object out = summary_schema();
    auto& properties = out.at("properties").as_object();
    properties["files"] = array_of(
        closed_object({{"path", text_schema(1024)}, {"size", integer_schema()}}),
        scenario::bundle_files_max);
    properties["findings"] = findings();
    properties["model"] = any_object();
    for (const char* name : {"files", "findings", "model"}) {
        out.at("required").as_array().emplace_back(name);
    }
    return out;
}

// What a scenario leaves open; everything may be left out.
void add_choices(json::object& schema) {
    auto& properties = schema.at("properties").as_object();
    properties["sut"] = text_schema(63);
    properties["profile"] = text_schema(63);
    properties["endpoints"] = map_of(text_schema(2048), 64);
    properties["set"] = map_of({}, 256); // values of settings: any JSON
}

json::object with_choices(Properties properties) {
    json::object schema = closed_object(properties);
    add_choices(schema);
    return schema;
}

json::object capabilities_schema() {
    const auto manifests = [] { return array_of(any_object(), 1000); };
    return closed_object(
        {{"bees", manifests()},
         {"inputs", manifests()},
         {"outputs", manifests()},
         {"interceptors", manifests()},
         {"bufferGuard", any_object()}});
}

} // namespace

void add_scenario_schemas(json::object& schemas) {
    schemas["ScenarioFinding"] = finding_schema();
    schemas["ScenarioSummary"] = summary_schema();
    schemas["Scenario"] = details_schema();
    schemas["ScenarioRequest"] =
        closed_object({{"id?", text_schema(63)}, {"files", files_schema()}});
    schemas["ScenarioFiles"] = closed_object({{"files", files_schema()}});
    schemas["ScenarioChoices"] = with_choices({});
    schemas["ScenarioTrial"] = with_choices({{"files", files_schema()}});
    schemas["ScenarioJudgement"] = closed_object(
        {{"valid", boolean()},
         {"errors", integer_schema()},
         {"warnings", integer_schema()},
         {"findings", findings()}});
    schemas["ScenarioSample"] = with_choices(
        {{"bee", text_schema(63)},
         {"payload?", text_schema(scenario::bundle_file_bytes_max)},
         {"headers?", map_of(text_schema(8192), 256)},
         {"seed?", integer_schema()}});
    schemas["ScenarioRendered"] =
        closed_object({{"text", text_schema(scenario::bundle_bytes_max)}});
    schemas["Capabilities"] = capabilities_schema();
}

} // namespace hive::rest
