#include "tests/contract/spec/broken.hpp"

#include <array>
#include <vector>

namespace hive::tests {
namespace {

// Depth first.
void collect(json::value& value, std::vector<json::value*>& out) {
    out.push_back(&value);
    if (auto* object = value.if_object()) {
        for (auto& member : *object) collect(member.value(), out);
    } else if (auto* array = value.if_array()) {
        for (json::value& element : *array) collect(element, out);
    }
}

json::value odd_value(Random& random) {
    static constexpr std::array<std::string_view, 16> odd{"null",        "true",
                                                          "-1",          "1.5",
                                                          "7",           R"("")",
                                                          R"("ALL")",    R"("a.b")",
                                                          R"("1")",      "[]",
                                                          "{}",          R"("status-full")",
                                                          R"("Failed")", R"("swarm-controller")",
                                                          R"("ok")",     R"({"workers":[]})"};
    return *parse_json(odd[random.below(odd.size())]);
}

} // namespace

json::value broken(const json::value& document, const Broken& how) {
    json::value copy = document;
    const std::size_t slash = how.pointer.rfind('/');
    const std::string_view name = how.pointer.substr(slash + 1);
    json::object& parent = copy.at_pointer(how.pointer.substr(0, slash)).as_object();
    if (how.value.empty()) {
        parent.erase(name);
    } else {
        parent.insert_or_assign(name, *parse_json(how.value));
    }
    return copy;
}

void mutate(json::value& document, Random& random) {
    std::vector<json::value*> places;
    collect(document, places);
    json::value& place = *places[random.below(places.size())];
    auto* object = place.if_object();
    if (!object || random.chance(0.3)) {
        place = odd_value(random);
    } else if (object->empty() || random.chance(0.5)) {
        static constexpr std::array<std::string_view, 8> names{
            "extra", "workers", "config", "retryable", "enabled", "work", "context", "messageId"};
        object->insert_or_assign(names[random.below(names.size())], odd_value(random));
    } else {
        const auto victim = object->begin() + random.below(object->size());
        object->erase(victim);
    }
}

} // namespace hive::tests
