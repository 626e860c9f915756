#include "run/fitting.hpp"

namespace hive::run {
namespace {

json::object& member(json::object& object, std::string_view name) {
    json::value& value = object[name];
    if (!value.is_object()) value = json::object{};
    return value.get_object();
}

bool has_inputs(const json::object& bee) {
    const auto* work = bee.if_contains("work");
    const auto* in =
        work != nullptr && work->is_object() ? work->get_object().if_contains("in") : nullptr;
    return in != nullptr && in->is_object() && !in->get_object().empty();
}

std::string_view text_in(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()} : "";
}

const json::object& object_in(const json::object& object, std::string_view name) {
    static const json::object nothing;
    const auto* value = object.if_contains(name);
    return value != nullptr && value->is_object() ? value->get_object() : nothing;
}

bool has_last_item(const json::object& bee) {
    const json::object& inputs = object_in(object_in(bee, "config"), "inputs");
    const std::string_view type = text_in(inputs, "type");
    if (type == "REDIS_DATASET") return false; // more may come at any time
    const json::object& pace = object_in(inputs, type == "CSV_DATASET" ? "csv" : "scheduler");
    const auto* most = pace.if_contains("maxMessages");
    if (most != nullptr && most->is_number() && most->to_number<double>() > 0) return true;
    const auto* rotate = pace.if_contains("rotate");
    return type == "CSV_DATASET" && (rotate == nullptr || *rotate != true);
}

template <class Visit>
void each_bee(const json::object& text, const Visit& visit) {
    const auto* bees = text.if_contains("bees");
    if (bees == nullptr || !bees->is_array()) return;
    for (const json::value& bee : bees->get_array()) {
        if (bee.is_object()) visit(bee.get_object());
    }
}

std::string name_of(const json::object& bee) {
    const auto id = text_in(bee, "id");
    return std::string{id.empty() ? text_in(bee, "role") : id};
}

} // namespace

bool ends_by_itself(const json::object& text) {
    bool ends = true;
    each_bee(text, [&](const json::object& bee) {
        if (!has_inputs(bee)) ends = ends && has_last_item(bee);
    });
    return ends;
}

std::vector<report::Edge> graph_of(const json::object& text) {
    std::vector<report::Edge> edges;
    each_bee(text, [&](const json::object& from) {
        for (const auto& [port, queue] : object_in(object_in(from, "work"), "out")) {
            each_bee(text, [&](const json::object& to) {
                for (const auto& [other, same] : object_in(object_in(to, "work"), "in")) {
                    if (same != queue || !queue.is_string()) continue;
                    edges.push_back({name_of(from), std::string{queue.get_string()}, name_of(to)});
                }
            });
        }
    });
    return edges;
}

namespace {

// Where a bee that makes items has its rate; none when it goes by something else than a clock.
json::object* pace_of(json::object& bee) {
    if (has_inputs(bee)) return nullptr;
    json::object& inputs = member(member(bee, "config"), "inputs");
    const std::string_view type = text_in(inputs, "type");
    if (type.empty() || type == "SCHEDULER") return &member(inputs, "scheduler");
    return type == "CSV_DATASET" ? &member(inputs, "csv") : nullptr;
}

double weight_of(const json::object& pace) {
    const auto* rate = pace.if_contains("ratePerSec");
    return rate != nullptr && rate->is_number() ? rate->to_number<double>() : 0;
}

} // namespace

Result<json::object> with_rate(json::object text, double per_sec) {
    std::vector<json::object*> paces;
    if (auto* bees = text.if_contains("bees"); bees != nullptr && bees->is_array()) {
        for (json::value& bee : bees->get_array()) {
            if (!bee.is_object()) continue;
            if (json::object* pace = pace_of(bee.get_object())) paces.push_back(pace);
        }
    }
    if (paces.empty()) {
        return fail(Errc::invalid, "no bee of the scenario makes items at a rate");
    }
    double all = 0;
    for (const json::object* pace : paces) all += weight_of(*pace);
    for (json::object* pace : paces) {
        const double share =
            all > 0 ? weight_of(*pace) / all : 1 / static_cast<double>(paces.size());
        for (const char* other : {"pacing", "shape", "maxMessages"}) pace->erase(other);
        (*pace)["ratePerSec"] = per_sec * share;
    }
    return text;
}

json::object hold_patch(bool hold) {
    return {{"inputs", json::object{{"hold", hold}}}};
}

json::object fit_for_run(json::object text) {
    auto* bees = text.if_contains("bees");
    if (bees == nullptr || !bees->is_array()) return text; // whoever reads it will say so
    for (json::value& value : bees->get_array()) {
        if (!value.is_object()) continue;
        json::object& bee = value.get_object();
        json::object& config = member(bee, "config");
        if (!has_inputs(bee)) member(config, "inputs")["hold"] = true;
        const auto* role = bee.if_contains("role");
        if (role != nullptr && *role == "postprocessor") config["shareHistograms"] = true;
    }
    return text;
}

} // namespace hive::run
