#include "api/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::api {
namespace {

constexpr std::size_t problems_max = 32;
constexpr int depth_max = 64; // of nested schemas, `$ref` included
constexpr std::string_view ref_prefix = "#/components/schemas/";

constexpr std::array<std::string_view, 28> keywords{
    "type",          "enum",          "const",    "properties", "required",
    "items",         "minItems",      "maxItems", "minLength",  "maxLength",
    "minimum",       "maximum",       "oneOf",    "anyOf",      "$ref",
    "title",         "description",   "default",  "examples",   "additionalProperties",
    "format",        "pattern",       "readOnly", "writeOnly",  "deprecated",
    "minProperties", "maxProperties", "$comment"};

const json::object* find_ref(std::string_view ref, const json::object& components) {
    if (!ref.starts_with(ref_prefix)) return nullptr;
    const auto* found = components.if_contains(ref.substr(ref_prefix.size()));
    return found == nullptr ? nullptr : found->if_object();
}

std::string escape_pointer(std::string_view key) {
    std::string out;
    for (const char c : key) {
        if (c == '~') {
            out += "~0";
        } else if (c == '/') {
            out += "~1";
        } else {
            out += c;
        }
    }
    return out;
}

bool is_integer(const json::value& value) {
    return value.is_int64() || value.is_uint64();
}

bool has_type(const json::value& value, std::string_view type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_bool();
    if (type == "null") return value.is_null();
    if (type == "integer") return is_integer(value);
    return type == "number" && value.is_number();
}

// JSON Schema counts characters, not bytes.
std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}

class Validation {
public:
    explicit Validation(const json::object& components) : components_{components} {}

    void check(const json::value& schema, const json::value& value, const std::string& at) {
        if (schema.is_bool()) {
            if (!schema.get_bool()) report(at, "nothing is allowed here");
            return;
        }
        if (++depth_ > depth_max) {
            report(at, "too deeply nested");
        } else {
            check_object(schema.as_object(), value, at);
        }
        --depth_;
    }

    std::vector<FieldProblem> take() { return std::move(problems_); }

private:
    void report(const std::string& at, std::string detail) {
        if (problems_.size() < problems_max) problems_.push_back({at, std::move(detail)});
    }

    bool fits(const json::value& schema, const json::value& value) {
        Validation trial{components_};
        trial.depth_ = depth_;
        trial.check(schema, value, "");
        return trial.problems_.empty();
    }

    void check_object(const json::object& schema, const json::value& value, const std::string& at) {
        if (const auto* ref = schema.if_contains("$ref")) {
            // check_schema() has seen that it leads somewhere.
            check(*find_ref(ref->as_string(), components_), value, at);
        }
        if (const auto* type = schema.if_contains("type"); type && !check_type(*type, value, at)) {
            return;
        }
        check_choice(schema, value, at);
        if (value.is_string()) check_size(schema, at, characters(value.get_string()), "Length");
        if (value.is_number()) check_number(schema, value, at);
        if (const auto* array = value.if_array()) {
            check_size(schema, at, array->size(), "Items");
            if (const auto* items = schema.if_contains("items")) {
                for (std::size_t i = 0; i < array->size(); ++i) {
                    check(*items, (*array)[i], fmt::format("{}/{}", at, i));
                }
            }
        }
        if (const auto* object = value.if_object()) check_members(schema, *object, at);
    }

    bool check_type(const json::value& type, const json::value& value, const std::string& at) {
        if (type.is_string()) {
            if (has_type(value, type.get_string())) return true;
            report(at, fmt::format("must be of type {}", std::string_view{type.get_string()}));
            return false;
        }
        for (const json::value& one : type.as_array()) {
            if (has_type(value, one.as_string())) return true;
        }
        report(at, fmt::format("must be of type {}", to_text(type)));
        return false;
    }

    void check_choice(const json::object& schema, const json::value& value, const std::string& at) {
        if (const auto* choices = schema.if_contains("enum")) {
            const auto& all = choices->as_array();
            if (std::ranges::find(all, value) == all.end()) {
                report(at, fmt::format("must be one of {}", to_text(*choices)));
            }
        }
        if (const auto* constant = schema.if_contains("const"); constant && *constant != value) {
            report(at, fmt::format("must be {}", to_text(*constant)));
        }
        for (const std::string_view word : {"oneOf", "anyOf"}) {
            const auto* choices = schema.if_contains(word);
            if (choices == nullptr) continue;
            const auto fitting = std::ranges::count_if(
                choices->as_array(), [&](const json::value& one) { return fits(one, value); });
            if (fitting == 0) report(at, "has none of the allowed forms");
            if (fitting > 1 && word == "oneOf") report(at, "has more than one of the forms");
        }
    }

    void check_number(const json::object& schema, const json::value& value, const std::string& at) {
        const double number = value.to_number<double>();
        const auto* least = schema.if_contains("minimum");
        const auto* most = schema.if_contains("maximum");
        if (least && number < least->to_number<double>()) {
            report(at, fmt::format("must be at least {}", to_text(*least)));
        }
        if (most && number > most->to_number<double>()) {
            report(at, fmt::format("must be at most {}", to_text(*most)));
        }
    }

    // `what` is Length, Items or Properties, as in minLength.
    void check_size(
        const json::object& schema, const std::string& at, std::size_t size,
        std::string_view what) {
        const auto* least = schema.if_contains(fmt::format("min{}", what));
        const auto* most = schema.if_contains(fmt::format("max{}", what));
        if (least && size < least->to_number<std::size_t>()) {
            report(at, fmt::format("is too short: at least {}", to_text(*least)));
        }
        if (most && size > most->to_number<std::size_t>()) {
            report(at, fmt::format("is too long: at most {}", to_text(*most)));
        }
    }

    void
    check_members(const json::object& schema, const json::object& object, const std::string& at) {
        check_size(schema, at, object.size(), "Properties");
        if (const auto* required = schema.if_contains("required")) {
            for (const json::value& name : required->as_array()) {
                if (object.contains(name.as_string())) continue;
                report(fmt::format("{}/{}", at, escape_pointer(name.as_string())), "is required");
            }
        }
        const auto* declared = schema.if_contains("properties");
        const auto* others = schema.if_contains("additionalProperties");
        for (const auto& member : object) {
            const std::string below = fmt::format("{}/{}", at, escape_pointer(member.key()));
            const auto* own = declared ? declared->as_object().if_contains(member.key()) : nullptr;
            if (own != nullptr) {
                check(*own, member.value(), below);
            } else if (others != nullptr && others->is_bool() && !others->get_bool()) {
                report(below, "is not a known field");
            } else if (others != nullptr) {
                check(*others, member.value(), below);
            }
        }
    }

    const json::object& components_;
    std::vector<FieldProblem> problems_;
    int depth_ = 0;
};

Status check_below(const json::value& schema, const json::object& components, int depth);

Status check_all(const json::value& schemas, const json::object& components, int depth) {
    const auto* list = schemas.if_array();
    if (list == nullptr || list->empty()) return fail(Errc::invalid, "a list of forms is empty");
    for (const json::value& one : *list) {
        if (auto ok = check_below(one, components, depth); !ok) return ok;
    }
    return {};
}

Status check_keyword(
    std::string_view word, const json::value& value, const json::object& components, int depth) {
    if (std::ranges::find(keywords, word) == keywords.end()) {
        return fail(Errc::invalid, fmt::format("schema keyword '{}' is not supported", word));
    }
    if (word == "$ref") {
        const auto* ref = value.if_string();
        if (ref != nullptr && find_ref(*ref, components) != nullptr) return {};
        return fail(Errc::invalid, fmt::format("schema $ref {} leads nowhere", to_text(value)));
    }
    if (word == "items" || word == "additionalProperties") {
        return check_below(value, components, depth);
    }
    if (word == "oneOf" || word == "anyOf") return check_all(value, components, depth);
    if (word == "properties") {
        if (!value.is_object()) return fail(Errc::invalid, "schema properties is not an object");
        for (const auto& member : value.get_object()) {
            if (auto ok = check_below(member.value(), components, depth); !ok) return ok;
        }
    }
    return {};
}

Status check_below(const json::value& schema, const json::object& components, int depth) {
    if (schema.is_bool()) return {};
    if (!schema.is_object()) return fail(Errc::invalid, "a schema is an object or a boolean");
    if (depth > depth_max) return fail(Errc::invalid, "the schema is nested too deeply");
    for (const auto& member : schema.get_object()) {
        auto ok = check_keyword(member.key(), member.value(), components, depth + 1);
        if (!ok) return ok;
    }
    return {};
}

} // namespace

Status check_components(const json::object& components) {
    for (const auto& component : components) {
        if (auto ok = check_below(component.value(), components, 0); !ok) {
            return fail(
                ok.error().code,
                fmt::format("schema {}: {}", std::string_view{component.key()}, ok.error().detail));
        }
    }
    return {};
}

Status check_schema(const json::value& schema, const json::object& components) {
    return check_below(schema, components, 0);
}

std::vector<FieldProblem>
validate(const json::value& schema, const json::value& value, const json::object& components) {
    Validation validation{components};
    validation.check(schema, value, "");
    return validation.take();
}

} // namespace hive::api
