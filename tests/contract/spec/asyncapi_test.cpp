// The AsyncAPI document against the code that builds keys, names and messages.
#include "tests/support/places.hpp"
#include "tests/support/schema_validator.hpp"
#include "wire/bindings.hpp"
#include "wire/envelope_codec.hpp"
#include "wire/names.hpp"
#include "wire/work_codec.hpp"

#include <doctest/doctest.h>
#include <yaml-cpp/yaml.h>

#include <map>
#include <set>

using namespace hive;
using namespace hive::wire;
using namespace hive::tests;

namespace {

const std::string spec = hive::tests::in_source("docs/spec/");
const auto alpha = *SwarmId::parse("alpha");
const auto processor = *Role::parse("processor");
const auto bee = *InstanceId::parse("p-1");
const auto queue = *QueueName::parse("raw");

json::value to_json(const YAML::Node& node) {
    if (node.IsMap()) {
        json::object object;
        for (const auto& member : node)
            object[member.first.as<std::string>()] = to_json(member.second);
        return object;
    }
    if (node.IsSequence()) {
        json::array array;
        for (const auto& element : node) array.push_back(to_json(element));
        return array;
    }
    if (node.IsNull()) return nullptr;
    // `!` is the tag of a quoted scalar: text, whatever it looks like.
    if (node.Tag() != "!") {
        if (bool flag = false; YAML::convert<bool>::decode(node, flag)) return flag;
        if (std::int64_t number = 0; YAML::convert<std::int64_t>::decode(node, number))
            return number;
    }
    return json::value(node.as<std::string>());
}

const json::value& document() {
    static const json::value value = to_json(YAML::LoadFile(spec + "asyncapi.yaml"));
    return value;
}

void replace(std::string& text, const std::string& from, std::string_view to) {
    if (const auto at = text.find(from); at != text.npos) text.replace(at, from.size(), to);
}

std::string filled(std::string_view pattern) {
    std::string text{pattern};
    replace(text, "{swarmId}", alpha.text());
    replace(text, "{role}", processor.text());
    replace(text, "{instance}", bee.text());
    replace(text, "{queueName}", queue.text());
    replace(text, "{nonce}", "0000beef");
    return text;
}

void collect_refs(const json::value& value, std::set<std::string>& out) {
    if (const auto* object = value.if_object()) {
        for (const auto& member : *object) {
            if (member.key() == "$ref") out.emplace(member.value().as_string());
            collect_refs(member.value(), out);
        }
    } else if (const auto* array = value.if_array()) {
        for (const json::value& element : *array) collect_refs(element, out);
    }
}

std::set<std::string> filled_list(const json::value& list) {
    std::set<std::string> out;
    for (const json::value& key : list.as_array()) out.insert(filled(key.as_string()));
    return out;
}

std::set<std::string> set_of(const std::vector<std::string>& list) {
    return {list.begin(), list.end()};
}

} // namespace

TEST_CASE("every reference in the AsyncAPI document leads somewhere") {
    std::set<std::string> refs;
    collect_refs(document(), refs);
    CHECK(refs.size() > 10);
    for (const std::string& ref : refs) {
        CAPTURE(ref);
        const std::size_t hash = ref.find('#');
        const std::string file = ref.substr(0, hash);
        const json::value target = file.empty() ? document() : *parse_json(read_file(spec + file));
        const std::string pointer = hash == ref.npos ? "" : ref.substr(hash + 1);
        boost::system::error_code error;
        CHECK(target.find_pointer(pointer, error) != nullptr);
    }
}

TEST_CASE("the channels are the routing families and the work queues, and no others") {
    std::set<std::string> documented;
    for (const auto& channel : document().at("channels").as_object()) {
        const std::string pattern = filled(channel.key());
        const auto& parameters = channel.value().at("parameters").as_object();
        bool typed = false;
        for (const auto& parameter : parameters) {
            const auto* schema = parameter.value().as_object().if_contains("schema");
            if (!schema || !schema->as_object().contains("enum")) continue;
            typed = true;
            for (const json::value& type : schema->at("enum").as_array()) {
                std::string key = pattern;
                replace(key, "{" + std::string{parameter.key()} + "}", type.as_string());
                documented.insert(key);
            }
        }
        if (!typed) documented.insert(pattern);
    }
    std::set<std::string> built{work_queue(alpha, queue), dead_letter_queue(alpha, queue)};
    for (const Family family : all_families) {
        for (const std::string_view type : types_of(family)) {
            const RoutingKey key{family, type, {alpha, processor, bee}};
            built.insert(to_text(key));
            CHECK(*parse_routing_key(to_text(key)) == key);
        }
    }
    CHECK(documented == built);
}

TEST_CASE("the documented names and bindings are those the code builds") {
    const json::value& broker = document().at("x-broker");
    const auto name = [&](std::string_view pointer) {
        return filled(broker.at_pointer(pointer).as_string());
    };
    CHECK(name("/exchanges/control/name") == control_exchange);
    CHECK(name("/exchanges/work/name") == work_exchange(alpha));
    CHECK(name("/queues/work") == work_queue(alpha, queue));
    CHECK(name("/queues/deadLetter") == dead_letter_queue(alpha, queue));
    CHECK(name("/queues/control") == control_queue(alpha, processor, bee));
    CHECK(name("/queues/orchestrator") == orchestrator_queue(bee));
    CHECK(name("/queues/debugTap") == debug_tap(alpha, processor, 0xbeefU));

    const json::value& bindings = broker.at("bindings");
    CHECK(filled_list(bindings.at("orchestrator")) == set_of(orchestrator_bindings()));
    CHECK(filled_list(bindings.at("controller")) == set_of(controller_bindings(alpha, bee)));
    CHECK(filled_list(bindings.at("worker")) == set_of(worker_bindings(alpha, processor, bee)));
}

TEST_CASE("every documented example is valid, decodes, and belongs to a documented channel") {
    SchemaValidator control{spec + "control-events.schema.json"};
    SchemaValidator work{spec + "workitem-envelope.schema.json"};
    const std::map<std::string, Family, std::less<>> families{
        {"signal", Family::signal},
        {"outcome", Family::outcome},
        {"statusFull", Family::metric},
        {"statusDelta", Family::metric},
        {"alert", Family::alert}};
    for (const auto& message : document().at_pointer("/components/messages").as_object()) {
        CAPTURE(std::string{message.key()});
        CHECK(!message.value().at("examples").as_array().empty());
        for (const json::value& example : message.value().at("examples").as_array()) {
            const std::string text = to_text(example.at("payload"));
            CAPTURE(text);
            if (message.key() == "workItem") {
                CHECK(work.violations(text) == "");
                const auto item = decode_work_item(text);
                CHECK_MESSAGE(item.has_value(), item.error().detail);
                continue;
            }
            CHECK(control.violations(text) == "");
            const auto envelope = decode_envelope(text);
            REQUIRE_MESSAGE(envelope.has_value(), envelope.error().detail);
            const auto family = families.find(std::string_view{message.key()});
            REQUIRE(family != families.end());
            CHECK((routing_key_of(*envelope).family == family->second));
        }
    }
}
