#include "scenario/members.hpp"

#include "kernel/duration.hpp"
#include "kernel/json.hpp"
#include "kernel/text.hpp"
#include "kernel/yaml_json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace hive::scenario {
namespace {

using Kind = YamlNode::Kind;

std::string shown(const YamlNode& node) {
    if (node.kind != Kind::scalar) return std::string{name_of(node.kind)};
    return fmt::format("'{}'", printable(node.text, 60));
}

} // namespace

std::string below(std::string_view path, std::string_view name) {
    return path.empty() ? std::string{name} : fmt::format("{}.{}", path, name);
}

bool expect_kind(const YamlNode& node, Kind kind, std::string_view key, Report& report) {
    if (node.kind == kind) return true;
    report.error(
        {.code = "wrong-type",
         .at = node.at,
         .key = std::string{key},
         .message = fmt::format("must be {}, not {}", name_of(kind), shown(node)),
         .hint =
             kind == Kind::mapping ? "write it as `name: value` lines, indented below it" : ""});
    return false;
}

Members::Members(const YamlNode& node, std::string path, Report& report)
    : node_{node}, path_{std::move(path)}, report_{report} {
    if (node.kind != Kind::null) expect_kind(node, Kind::mapping, path_, report);
}

const YamlNode* Members::take(std::string_view name) {
    asked_.emplace(name);
    if (node_.kind != Kind::mapping) return nullptr;
    const YamlNode* found = node_.find(name);
    return found == nullptr || found->kind == Kind::null ? nullptr : found;
}

const YamlNode* Members::take_list(std::string_view name) {
    const YamlNode* found = take(name);
    if (found == nullptr) return nullptr;
    return expect_kind(*found, Kind::sequence, key(name), report_) ? found : nullptr;
}

const YamlNode* Members::take_mapping(std::string_view name) {
    const YamlNode* found = take(name);
    if (found == nullptr) return nullptr;
    return expect_kind(*found, Kind::mapping, key(name), report_) ? found : nullptr;
}

std::string Members::text(std::string_view name) {
    const YamlNode* found = take(name);
    if (found == nullptr) return {};
    return expect_kind(*found, Kind::scalar, key(name), report_) ? found->text : std::string{};
}

std::string Members::required_text(std::string_view name) {
    if (node_.kind != Kind::mapping && node_.kind != Kind::null) return {}; // told already
    std::string found = text(name);
    const YamlNode* node = node_.kind == Kind::mapping ? node_.find(name) : nullptr;
    const bool wrong_type =
        node != nullptr && node->kind != Kind::null && node->kind != Kind::scalar;
    if (!found.empty() || wrong_type) return found;
    report_.error(
        {.code = "missing-key",
         .at = node != nullptr ? node->key_at : node_.at,
         .key = key(name),
         .message = node != nullptr ? "is empty" : "is missing",
         .hint = fmt::format("add `{}: ...`", name)});
    return found;
}

void Members::bad_value(const YamlNode& node, std::string_view name, const std::string& expected) {
    report_.error(
        {.code = "bad-value",
         .at = node.at,
         .key = key(name),
         .message = fmt::format("expected {}, not {}", expected, shown(node))});
}

std::optional<double> Members::number(std::string_view name, Range range) {
    const YamlNode* found = take(name);
    if (found == nullptr) return std::nullopt;
    const json::value value = found->kind == Kind::scalar ? to_json(*found) : json::value{};
    if (value.is_number()) {
        const double number = value.to_number<double>();
        if (number >= range.lowest && number <= range.highest) return number;
    }
    bad_value(*found, name, fmt::format("a number from {} to {}", range.lowest, range.highest));
    return std::nullopt;
}

void Members::whole(std::string_view name, Range range, std::uint32_t& into) {
    const auto found = number(name, range);
    if (!found) return;
    if (std::nearbyint(*found) != *found) return bad_value(*take(name), name, "a whole number");
    into = static_cast<std::uint32_t>(*found);
}

void Members::real(std::string_view name, Range range, double& into) {
    if (const auto found = number(name, range)) into = *found;
}

void Members::flag(std::string_view name, bool& into) {
    const YamlNode* found = take(name);
    if (found == nullptr) return;
    if (found->text != "true" && found->text != "false") {
        return bad_value(*found, name, "true or false");
    }
    into = found->text == "true";
}

std::optional<Duration> Members::duration(std::string_view name) {
    const YamlNode* found = take(name);
    if (found == nullptr) return std::nullopt;
    const auto parsed = parse_duration(found->text);
    if (found->kind == Kind::scalar && parsed) return *parsed;
    report_.error(
        {.code = "bad-duration",
         .at = found->at,
         .key = key(name),
         .message = fmt::format("{} is no duration", shown(*found)),
         .hint = "write 250ms, 5s, 2m, 1h or ISO-8601 such as PT15S"});
    return std::nullopt;
}

std::optional<std::size_t>
Members::word(std::string_view name, std::initializer_list<std::string_view> words) {
    const YamlNode* found = take(name);
    if (found == nullptr) return std::nullopt;
    const auto at = std::ranges::find(words, found->text);
    if (found->kind == Kind::scalar && at != words.end()) {
        return static_cast<std::size_t>(at - words.begin());
    }
    bad_value(*found, name, fmt::format("one of {}", fmt::join(words, ", ")));
    return std::nullopt;
}

void Members::ignore(std::initializer_list<std::string_view> names, std::string_view why) {
    for (const auto name : names) {
        const YamlNode* found = take(name);
        if (found == nullptr) continue;
        report_.warning(
            {.code = "ignored-key",
             .at = found->key_at,
             .key = key(name),
             .message = fmt::format("has no meaning here: {}", why),
             .hint = "leave it, or remove it"});
    }
}

void Members::refuse_others() {
    if (node_.kind != Kind::mapping) return;
    const std::vector<std::string_view> known{asked_.begin(), asked_.end()};
    for (const YamlNode& member : node_.items) {
        if (asked_.contains(member.key)) continue;
        const auto meant = nearest(member.key, known);
        report_.error(
            {.code = "unknown-key",
             .at = member.key_at,
             .key = key(printable(member.key)),
             .message = "is not known",
             .hint = meant ? fmt::format("did you mean '{}'?", *meant)
                           : fmt::format("known are {}", fmt::join(known, ", "))});
    }
}

} // namespace hive::scenario
