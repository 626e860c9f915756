#include "scenario/schema.hpp"

#include "guard/settings.hpp"
#include "kernel/fields.hpp"
#include "scenario/config_schema.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hive::scenario {
namespace {

json::object link_to(std::string_view name) {
    return {{"$ref", fmt::format("#/definitions/{}", name)}};
}

json::object for_editors() {
    return {{"description", "For an editor; it has no meaning here"}};
}

json::object ports_schema() {
    return list_schema(object_schema(
        {{"id!", text_schema()},
         {"direction!", words_schema({"in", "out"})},
         {"type", for_editors()},
         {"label", for_editors()}}));
}

json::object bee_members() {
    const auto queues = [](std::string_view help) {
        return described(map_schema({{"type", {"string", "number", "null"}}}), help);
    };
    return object_schema(
        {{"id", described(id_schema(), "Its name in the scenario; otherwise its role")},
         {"beeId", described(id_schema(), "As id")},
         {"role", described(id_schema(), "What kind of bee it is")},
         {"image", described(text_schema(), "generator:latest: another way to name the kind")},
         {"replicas", described(whole_schema(1, 1000), "How many alike of it there are")},
         {"work", object_schema(
                      {{"in", queues("The queue that each port takes items from")},
                       {"out", queues("The queue that each port puts items into")}})},
         {"ports", ports_schema()},
         {"env",
          described(
              map_schema(text_schema()), "Environment of its process, for bees of other makes")},
         {"config", {{"type", {"object", "null"}}}},
         {"restart", object_schema(
                         {{"policy", words_schema({"never", "on-failure"})},
                          {"backoff", duration_schema()},
                          {"max", whole_schema(0, 1000)}})},
         {"ui", for_editors()}});
}

// A bee is of this kind when its image says so, or its role where there is none.
json::object when_kind(std::string_view kind) {
    json::object by_image{
        {"required", {"image"}},
        {"properties",
         {{"image",
           {{"type", "string"},
            {"pattern", fmt::format("(^|/)(pockethive-)?{}([:@]|$)", kind)}}}}}};
    json::object by_role{
        {"required", {"role"}},
        {"not", {{"required", {"image"}}}},
        {"properties", {{"role", {{"const", kind}}}}}};
    return {{"anyOf", {std::move(by_image), std::move(by_role)}}};
}

json::object bee_schema(const Catalog& catalog) {
    json::object bee = bee_members();
    json::array rules;
    for (const auto& [kind, capability] : catalog) {
        if (capability.fields.empty()) continue; // a bee of another make: it knows its settings
        const std::string name = "config-" + kind;
        rules.push_back(json::object{
            {"if", when_kind(kind)}, {"then", {{"properties", {{"config", link_to(name)}}}}}});
    }
    bee["allOf"] = std::move(rules);
    return bee;
}

// `config` of every kind, as `config-<kind>`; groups of settings that several kinds share are there
// once, as `inputs`.
class ConfigDefinitions {
public:
    explicit ConfigDefinitions(const Catalog& catalog) {
        for (const auto& [kind, capability] : catalog) {
            if (capability.fields.empty()) continue;
            configs_.emplace_back("config-" + kind, config_schema(capability));
            for (const auto& [name, schema] : settings_of(configs_.back().second)) {
                ++seen_[{name, to_text(schema)}];
            }
        }
    }

    void add_to(json::object& definitions) {
        for (auto& [name, config] : configs_) {
            json::object& settings = settings_of(config);
            for (auto& [setting, schema] : settings) share(setting, schema, definitions);
            settings["worker"] =
                described(link_to(name), "The same settings, as older scenarios nest them");
            definitions[name] = std::move(config);
        }
    }

private:
    static json::object& settings_of(json::object& config) {
        return config.at("properties").get_object();
    }

    void share(std::string_view setting, json::value& schema, json::object& definitions) {
        const std::string text = to_text(schema);
        if (text.size() < worth_sharing || seen_[{std::string{setting}, text}] < 2) return;
        std::string name{setting};
        for (int i = 2; definitions.contains(name) && definitions.at(name) != schema; ++i) {
            name = fmt::format("{}-{}", setting, i);
        }
        definitions[name] = schema;
        schema = link_to(name);
    }

    static constexpr std::size_t worth_sharing = 200;
    std::vector<std::pair<std::string, json::object>> configs_{};
    std::map<std::pair<std::string, std::string>, int> seen_{};
};

json::object edge_schema() {
    const auto end =
        object_schema({{"beeId", id_schema()}, {"role", id_schema()}, {"port!", text_schema()}});
    return object_schema(
        {{"id", text_schema()},
         {"from!", end},
         {"to!", end},
         {"selector",
          object_schema(
              {{"policy", text_schema()},
               {"expr",
                described(
                    text_schema(), "A condition on the item: headers['x-kind'] == 'fast'")}})}});
}

json::object topology_schema() {
    return object_schema(
        {{"version", whole_schema(1, 1)},
         {"edges", list_schema(edge_schema())},
         {"ui", for_editors()},
         {"layout", for_editors()}});
}

json::object step_schema() {
    return object_schema(
        {{"stepId!", text_schema()},
         {"name", text_schema()},
         {"time!", described(duration_schema(), "After the start: 30s, PT15S")},
         {"type", words_schema({"config-update", "start", "stop", "ramp", "spike"})},
         {"config", {{"type", {"object", "null"}}}},
         {"duration", duration_schema()},
         {"field", described(text_schema(), "Of a ramp: inputs.scheduler.ratePerSec")},
         {"from", number_schema({}, {})},
         {"to", number_schema({}, {})}});
}

json::object plan_schema() {
    return object_schema(
        {{"bees", list_schema(object_schema(
                      {{"role", id_schema()},
                       {"beeId", id_schema()},
                       {"instanceId", id_schema()},
                       {"steps", list_schema(link_to("step"))}}))},
         {"swarm", list_schema(link_to("step"))},
         {"runs", described(whole_schema(1, 1e6), "How often the plan is carried out")},
         {"duration", described(duration_schema(), "How long a run takes at least")},
         {"profiles", for_editors()},
         {"endpoints", for_editors()},
         {"pattern", for_editors()}});
}

json::object variables_schema() {
    json::object anything;
    return object_schema(
        {{"version", whole_schema(1, 1)},
         {"definitions", list_schema(object_schema(
                             {{"name!", text_schema()},
                              {"scope", words_schema({"global", "sut"})},
                              {"type", words_schema({"string", "int", "float", "bool", "object"})},
                              {"required", flag_schema()},
                              {"description", text_schema()}}))},
         {"profiles",
          list_schema(object_schema({{"id!", text_schema()}, {"name", text_schema()}}))},
         {"values", object_schema(
                        {{"global", map_schema(map_schema(anything))},
                         {"sut", map_schema(map_schema(map_schema(anything)))}})}});
}

json::object sut_schema() {
    return object_schema(
        {{"id", id_schema()},
         {"name", text_schema()},
         {"type", text_schema()},
         {"ui", for_editors()},
         {"endpoints!",
          map_schema(object_schema(
              {{"id", text_schema()},
               {"kind",
                words_schema({"http", "https", "tcp", "tcps", "HTTP", "HTTPS", "TCP", "TCPS"})},
               {"baseUrl!", text_schema()},
               {"upstreamBaseUrl", text_schema()},
               {"ui", for_editors()}}))}});
}

json::object whole_scenario() {
    return object_schema(
        {{"id!", described(id_schema(), "The name of the scenario")},
         {"name", text_schema()},
         {"description", text_schema()},
         {"protocolVersion", described(text_schema(), "2.0.0 of flat public scenarios")},
         {"template",
          object_schema({{"image", text_schema()}, {"bees", list_schema(link_to("bee"))}})},
         {"bees", list_schema(link_to("bee"))},
         {"topology", topology_schema()},
         {"queues", map_schema(object_schema({{"maxLength", whole_schema(1, 1e9)}}))},
         {"plan", plan_schema()},
         {"trafficPolicy", object_schema(
                               {{"bufferGuard", link_to("guard")},
                                {"bufferGuards", list_schema(link_to("guard"))}})},
         {"thresholds",
          described(list_schema(text_schema()), "What must hold: p99 < 50ms, error_rate < 0.1%")},
         {"variables", variables_schema()},
         {"suts", map_schema(sut_schema())},
         {"ui", for_editors()},
         {"tags", for_editors()},
         {"defaults", for_editors()}});
}

} // namespace

json::object schema_of(const Catalog& catalog) {
    // What stands for a value that is known only when it runs.
    json::object given{{"type", "string"}, {"pattern", R"(\{\{|\{(env|file):)"}};
    json::object definitions{
        {"bee", bee_schema(catalog)},
        {"step", step_schema()},
        {"guard", literal_fields_schema(fields_of<guard::Settings>())},
        {"given", std::move(given)}};
    ConfigDefinitions{catalog}.add_to(definitions);
    json::object schema{
        {"$schema", "http://json-schema.org/draft-07/schema#"},
        {"title", "A scenario of PocketHive"}};
    for (auto& [name, value] : whole_scenario()) schema[name] = value;
    schema["definitions"] = std::move(definitions);
    return schema;
}

} // namespace hive::scenario
