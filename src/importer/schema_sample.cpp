#include "importer/schema_sample.hpp"

#include "kernel/text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hive::importer {
namespace {

constexpr int rounds_max = 8;           // of schemas within schemas
constexpr std::size_t made_max = 2'000; // values in one sample
constexpr std::size_t text_max = 1'000;

const json::value* member(const json::value& from, std::string_view name) {
    const auto* object = from.if_object();
    return object == nullptr ? nullptr : object->if_contains(name);
}

std::string_view text_in(const json::value& from, std::string_view name) {
    const auto* value = member(from, name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()} : "";
}

double number_in(const json::value& from, std::string_view name, double fallback) {
    const auto* value = member(from, name);
    return value != nullptr && value->is_number() ? value->to_number<double>() : fallback;
}

const json::value* first_of(const json::value& from, std::string_view name) {
    const auto* list = member(from, name);
    return list != nullptr && list->is_array() && !list->get_array().empty()
               ? &list->get_array().front()
               : nullptr;
}

// In 3.1 a type may be a list, with null in it.
std::string_view type_of(const json::value& schema) {
    const auto* type = member(schema, "type");
    if (type != nullptr && type->is_array()) {
        for (const json::value& each : type->get_array()) {
            if (each.is_string() && each != "null") return each.get_string();
        }
        return "null";
    }
    if (type != nullptr) return text_in(schema, "type");
    if (member(schema, "properties") != nullptr) return "object";
    return member(schema, "items") != nullptr ? "array" : "";
}

std::string text_sample(const json::value& schema) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 11> formats{{
        {"date", "2026-01-20"},
        {"date-time", "2026-01-20T12:34:56Z"},
        {"time", "12:34:56Z"},
        {"uuid", "3fa85f64-5717-4562-b3fc-2c963f66afa6"},
        {"email", "ada@example.org"},
        {"uri", "https://example.org/"},
        {"url", "https://example.org/"},
        {"hostname", "example.org"},
        {"ipv4", "192.0.2.1"},
        {"ipv6", "2001:db8::1"},
        {"byte", "aGVsbG8="},
    }};
    const auto* known = std::ranges::find(
        formats, text_in(schema, "format"), [](const auto& f) { return f.first; });
    if (known != formats.end()) return std::string{known->second};
    std::string out = "text";
    const double least = number_in(schema, "minLength", 0);
    const double most = number_in(schema, "maxLength", static_cast<double>(text_max));
    while (static_cast<double>(out.size()) < std::min(least, static_cast<double>(text_max))) {
        out += 'x';
    }
    if (most >= 0 && static_cast<double>(out.size()) > most) {
        out.resize(static_cast<std::size_t>(most));
    }
    return out;
}

json::value number_sample(const json::value& schema, bool whole) {
    double value = number_in(schema, "minimum", 1);
    value = std::min(value, number_in(schema, "maximum", value));
    const auto* above = member(schema, "exclusiveMinimum");
    if (above != nullptr && above->is_number()) value = above->to_number<double>() + 1;
    constexpr double exact = 9'007'199'254'740'992; // above it a double has no units
    if (whole && value >= -exact && value <= exact) {
        return json::value(static_cast<std::int64_t>(value));
    }
    return json::value(value);
}

class Sampler {
public:
    explicit Sampler(References& references) : references_{references} {}

    json::value sample(const json::value& written, int round) {
        if (round > rounds_max || ++made_ > made_max) return nullptr;
        const json::value* schema = references_.follow(written);
        if (schema == nullptr || !schema->is_object()) return nullptr;
        for (const char* name : {"example", "const", "default"}) {
            if (const auto* value = member(*schema, name)) return *value;
        }
        for (const char* name : {"examples", "enum"}) {
            if (const auto* value = first_of(*schema, name)) return *value;
        }
        for (const char* name : {"oneOf", "anyOf"}) {
            if (const auto* value = first_of(*schema, name)) return sample(*value, round + 1);
        }
        if (member(*schema, "allOf") != nullptr) return all_of(*schema, round);
        return by_type(*schema, round);
    }

private:
    json::value by_type(const json::value& schema, int round) {
        const std::string_view type = type_of(schema);
        if (type == "object") return object(schema, round);
        if (type == "array") return array(schema, round);
        if (type == "string") return json::string{text_sample(schema)};
        if (type == "integer") return number_sample(schema, true);
        if (type == "number") return number_sample(schema, false);
        if (type == "boolean") return true;
        return type.empty() ? json::value(json::object{}) : json::value(nullptr);
    }
    json::value all_of(const json::value& schema, int round) {
        json::value out = json::object{};
        const auto* parts = member(schema, "allOf");
        if (parts->is_array()) {
            for (const json::value& part : parts->get_array()) {
                const json::value one = sample(part, round + 1);
                if (one.is_object()) merge_patch(out, one);
            }
        }
        if (member(schema, "properties") != nullptr) merge_patch(out, object(schema, round));
        return out;
    }
    json::value object(const json::value& schema, int round) {
        json::object out;
        const auto* properties = member(schema, "properties");
        if (properties == nullptr || !properties->is_object()) return out;
        for (const auto& [name, written] : properties->get_object()) {
            const json::value* property = references_.follow(written);
            const auto* read_only = property == nullptr ? nullptr : member(*property, "readOnly");
            if (read_only != nullptr && *read_only == true) continue;
            if (round >= rounds_max || made_ >= made_max) break;
            out[name] = sample(written, round + 1);
        }
        return out;
    }
    json::value array(const json::value& schema, int round) {
        json::array out;
        const auto* items = member(schema, "items");
        if (items != nullptr && round < rounds_max) out.push_back(sample(*items, round + 1));
        return out;
    }

    References& references_;
    std::size_t made_ = 0;
};

} // namespace

const json::value* References::follow(const json::value& node) {
    constexpr int hops_max = 16;
    const json::value* at = &node;
    for (int i = 0; i < hops_max; ++i) {
        const std::string_view reference = text_in(*at, "$ref");
        if (reference.empty()) return at;
        boost::system::error_code bad;
        const auto* next = reference.starts_with('#') && reference.size() > 1
                               ? root_.find_pointer(reference.substr(1), bad)
                               : nullptr;
        if (next == nullptr) {
            lost_.insert(printable(reference));
            return nullptr;
        }
        at = next;
    }
    return nullptr;
}

json::value sample_of(const json::value& schema, References& references) {
    return Sampler{references}.sample(schema, 0);
}

} // namespace hive::importer
