#include "api/rest/scenario_json.hpp"

#include "scenario/model_json.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::rest {
namespace {

std::size_t count(const std::vector<Finding>& findings, Severity severity) {
    return static_cast<std::size_t>(std::ranges::count(findings, severity, &Finding::severity));
}

std::string text_in(const json::object& body, std::string_view name) {
    const auto* found = body.if_contains(name);
    return found != nullptr && found->is_string() ? std::string{found->get_string()} : "";
}

// `scenario.yaml:3:9`, as compilers say it.
std::string place_of(const Finding& finding) {
    std::string out = finding.file.empty() ? finding.key : finding.file;
    if (finding.at.line != 0) out += fmt::format(":{}:{}", finding.at.line, finding.at.column);
    return out;
}

} // namespace

std::string etag_of(const scenario::Stored& stored) {
    return fmt::format("\"{}\"", stored.revision);
}

json::object scenario_summary(const scenario::Stored& stored) {
    const auto& scenario = stored.loaded.scenario;
    return {
        {"id", stored.id},
        {"name", scenario.name},
        {"description", scenario.description},
        {"revision", stored.revision},
        {"valid", !has_errors(stored.findings)},
        {"errors", count(stored.findings, Severity::error)},
        {"warnings", count(stored.findings, Severity::warning)}};
}

json::object scenario_details(const scenario::Stored& stored) {
    json::object out = scenario_summary(stored);
    json::array files;
    for (const auto& [path, size] : stored.loaded.bundle.sizes) {
        files.push_back(json::object{{"path", path}, {"size", size}});
    }
    out["files"] = std::move(files);
    out["findings"] = to_json(std::span{stored.findings});
    out["model"] = scenario::to_json(stored.loaded.scenario);
    return out;
}

json::object judgement_json(const std::vector<Finding>& findings) {
    return {
        {"valid", !has_errors(findings)},
        {"errors", count(findings, Severity::error)},
        {"warnings", count(findings, Severity::warning)},
        {"findings", to_json(std::span{findings})}};
}

api::Problem not_sound(const std::vector<Finding>& findings) {
    api::Problem problem{
        .status = 422,
        .code = "invalid-scenario",
        .detail = fmt::format(
            "the scenario has {} error(s) and cannot run", count(findings, Severity::error))};
    problem.more["findings"] = to_json(std::span{findings});
    for (const Finding& each : findings) {
        if (each.severity != Severity::error) continue;
        problem.errors.push_back(
            {place_of(each),
             each.hint.empty() ? each.message : fmt::format("{}; {}", each.message, each.hint)});
    }
    return problem;
}

scenario::Choices choices_in(const json::object& body) {
    scenario::Choices choices{.sut = text_in(body, "sut"), .profile = text_in(body, "profile")};
    if (const auto* endpoints = body.if_contains("endpoints")) {
        for (const auto& [name, url] : endpoints->as_object()) {
            choices.endpoints[std::string{name}] = url.as_string();
        }
    }
    if (const auto* set = body.if_contains("set")) {
        for (const auto& [path, value] : set->as_object()) {
            choices.overrides.push_back(
                fmt::format("{}={}", std::string_view{path}, to_text(value)));
        }
    }
    return choices;
}

} // namespace hive::rest
