#include "kernel/fields.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace hive {
namespace {

constexpr std::size_t problems_max = 50;

std::string shown(const FieldInfo& info, const json::value& value) {
    if (info.secret) return std::string{masked};
    if (value.is_object()) return "an object";
    if (value.is_array()) return "a list";
    return printable(to_text(value), 60);
}

std::string under(const std::string& path, std::string_view name) {
    return path.empty() ? std::string{name} : fmt::format("{}.{}", path, name);
}

} // namespace

std::string to_text(const FieldProblems& problems) {
    std::string out;
    for (const FieldProblem& problem : problems) {
        if (!out.empty()) out += "; ";
        out += fmt::format("{}: {}", problem.path, problem.message);
        if (!problem.hint.empty()) out += fmt::format("; {}", problem.hint);
    }
    return out;
}

std::optional<std::string> scalar_text(const json::value& value) {
    if (const auto* text = value.if_string()) return std::string{std::string_view{*text}};
    if (const auto* number = value.if_double()) {
        // 5.0 is a whole number to whoever wrote it.
        constexpr double exact = 9007199254740992.0;
        if (std::nearbyint(*number) == *number && std::abs(*number) < exact) {
            return std::to_string(static_cast<std::int64_t>(*number));
        }
    }
    if (value.is_number() || value.is_bool()) return to_text(value);
    return std::nullopt;
}

void refuse_value(
    const FieldInfo& info, const json::value& value, const std::string& path,
    FieldProblems& problems) {
    if (problems.size() >= problems_max) return;
    std::string hint;
    if (const auto* text = value.if_string(); text != nullptr && !info.choices.empty()) {
        const std::vector<std::string_view> known{info.choices.begin(), info.choices.end()};
        if (const auto meant = nearest(std::string_view{*text}, known)) {
            hint = fmt::format("did you mean '{}'?", *meant);
        }
    }
    problems.push_back(
        {path, "bad-value", fmt::format("expected {}, not {}", info.expected, shown(info, value)),
         std::move(hint)});
}

void FieldTable::read(const json::value& value, const std::string& path, FieldProblems& problems) {
    const auto* object = value.if_object();
    if (object == nullptr) {
        return refuse_value({.expected = "an object"}, value, path, problems);
    }
    const std::size_t before = problems.size();
    refuse_unknown(*object, path, problems);
    for (const auto& field : fields_) {
        const auto* given = object->if_contains(field->info.path);
        if (given != nullptr) {
            field->read(*given, under(path, field->info.path), problems);
        } else if (field->info.required) {
            problems.push_back(
                {under(path, field->info.path),
                 "missing-key",
                 fmt::format("is missing; expected {}", field->info.expected),
                 {}});
        }
    }
    if (problems.size() != before) return;
    for (const auto& rule : rules_) {
        if (auto ok = rule(); !ok) problems.push_back({path, "bad-value", ok.error().detail, {}});
    }
}

void FieldTable::refuse_unknown(
    const json::object& object, const std::string& path, FieldProblems& out) {
    std::vector<std::string_view> known;
    for (const auto& field : fields_) known.push_back(field->info.path);
    for (const auto& entry : object) {
        const std::string_view name = entry.key();
        if (std::ranges::find(known, name) != known.end() || out.size() >= problems_max) continue;
        const auto meant = nearest(name, known);
        out.push_back(
            {under(path, printable(name)), "unknown-key", "is not known",
             meant ? fmt::format("did you mean '{}'?", *meant)
                   : fmt::format("known are {}", fmt::join(known, ", "))});
    }
}

void FieldTable::list(const std::string& prefix, std::vector<FieldInfo>& out) const {
    for (const auto& field : fields_) field->list(prefix, out);
}

void FieldTable::mask(json::value& value) const {
    auto* object = value.if_object();
    if (object == nullptr) return;
    for (const auto& field : fields_) {
        if (auto* given = object->if_contains(field->info.path)) field->mask(*given);
    }
}

} // namespace hive
