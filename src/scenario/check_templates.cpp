#include "kernel/text.hpp"
#include "scenario/checks.hpp"
#include "scenario/members.hpp"
#include "scenario/places.hpp"
#include "template/template.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::scenario {
namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The names behind `vars.` within tags.
std::set<std::string> variables_in(std::string_view text) {
    std::set<std::string> names;
    constexpr std::string_view word = "vars.";
    for (std::size_t open = text.find('{'); open != text.npos; open = text.find('{', open + 1)) {
        const bool prints = text.substr(open, 2) == "{{";
        if (!prints && text.substr(open, 2) != "{%") continue;
        const auto close = std::min(text.find(prints ? "}}" : "%}", open), text.size());
        const std::string_view tag = text.substr(open, close - open);
        for (std::size_t at = tag.find(word); at != tag.npos; at = tag.find(word, at + 1)) {
            if (is_letter(tag[at - 1]) || tag[at - 1] == '.') continue;
            std::size_t end = at + word.size();
            while (end < tag.size() && is_letter(tag[end])) ++end;
            names.emplace(tag.substr(at + word.size(), end - at - word.size()));
        }
        open = close;
        if (open >= text.size()) break;
    }
    return names;
}

// Where a template is written.
struct Source {
    const YamlNode* node; // none: pointed at as a whole
    Position around;
    std::string key;
    std::string_view file_text;
};

bool compile_template(std::string_view text, const Source& source, Report& report) {
    const auto compiled = templates::compile(text);
    if (compiled) return true;
    for (const Finding& problem : compiled.error()) {
        TextPlace place{source.around, false};
        if (source.node != nullptr) {
            place = place_in_text(*source.node, problem.at, source.file_text);
        }
        std::string message = problem.message;
        if (!place.exact) {
            message = fmt::format(
                "at {}:{} of the template: {}", problem.at.line, problem.at.column, message);
        }
        report.error(
            {.code = "template-" + problem.code,
             .at = place.at,
             .key = source.key,
             .message = std::move(message),
             .hint = problem.hint});
    }
    return false;
}

void check_variables(
    std::string_view text, const Source& source, const json::object& known, Report& report) {
    for (const std::string& name : variables_in(text)) {
        if (name.empty() || known.contains(name)) continue;
        std::vector<std::string_view> names;
        for (const auto& member : known) names.emplace_back(member.key());
        const auto meant = nearest(name, names);
        report.error(
            {.code = "unknown-variable",
             .at = source.node != nullptr ? source.node->at : source.around,
             .key = source.key,
             .message = fmt::format("variable '{}' is not defined", printable(name)),
             .hint = meant ? fmt::format("did you mean '{}'?", *meant)
                           : "define it in variables.yaml"});
    }
}

class TemplateChecker {
public:
    TemplateChecker(const Bee& bee, Checking& checking)
        : bee_{bee}, checking_{checking}, capability_{capability_of(bee, checking.catalog)},
          config_{bee.written.find("config")} {
        const auto& bundle = checking.loaded.bundle;
        const auto text = bundle.texts.find(bundle.main);
        if (text != bundle.texts.end()) file_text_ = text->second;
    }

    void check(json::object& config) {
        if (capability_ == nullptr || config_ == nullptr) return;
        vars_ = checking_.values.vars;
        if (const auto* own = config.if_contains("vars"); own != nullptr && own->is_object()) {
            for (const auto& [name, value] : own->get_object()) vars_[name] = value;
        }
        for (auto& [name, member] : config) walk(member, std::string{name});
    }

private:
    void walk(json::value& value, const std::string& path) {
        if (auto* object = value.if_object()) {
            for (auto& [name, member] : *object) {
                walk(member, fmt::format("{}.{}", path, std::string_view{name}));
            }
        } else if (auto* array = value.if_array()) {
            for (std::size_t i = 0; i < array->size(); ++i) {
                walk((*array)[i], fmt::format("{}[{}]", path, i));
            }
        } else if (value.is_string()) {
            const FieldInfo* field = find_field(*capability_, path);
            if (field != nullptr && field->is_template) check_text(value, path);
        }
    }

    void check_text(json::value& value, const std::string& path) {
        const std::string text{value.get_string()};
        const YamlNode* node = node_at(*config_, path);
        if (const YamlNode* worker = config_->find("worker");
            node == nullptr && worker != nullptr) {
            node = node_at(*worker, path);
        }
        // What was put in moves every place behind it.
        const bool as_written = node != nullptr && node->text == text;
        const Source source{
            as_written ? node : nullptr, place_in_config(*config_, path),
            below(path_of_config(bee_), path), file_text_};
        if (!compile_template(text, source, checking_.report)) value = "";
        check_variables(text, source, vars_, checking_.report);
    }

    const Bee& bee_;
    Checking& checking_;
    const Capability* capability_;
    const YamlNode* config_;
    std::string_view file_text_{};
    json::object vars_{};
};

// One file of a call.
bool check_call(const std::string& path, const std::string& text, Checking& checking) {
    const std::string file = checking.loaded.bundle.name_of(path);
    const YamlDocument document = parse_yaml(file, text);
    checking.findings.insert(
        checking.findings.end(), document.findings.begin(), document.findings.end());
    if (has_errors(document.findings)) return false;
    Report report{file, checking.findings};
    bool good = true;
    const auto check = [&](const YamlNode& node, const std::string& key) {
        if (node.kind != YamlNode::Kind::scalar) return;
        const Source source{&node, node.at, key, text};
        good = compile_template(node.text, source, report) && good;
        check_variables(node.text, source, checking.values.vars, report);
    };
    constexpr std::array<std::string_view, 3> names{"method", "pathTemplate", "bodyTemplate"};
    for (const auto name : names) {
        if (const YamlNode* node = document.root.find(name)) check(*node, std::string{name});
    }
    if (const YamlNode* headers = document.root.find("headersTemplate")) {
        for (const YamlNode& header : headers->items) {
            check(header, "headersTemplate." + printable(header.key));
        }
    }
    return good;
}

} // namespace

void check_templates(const Bee& bee, json::object& config, Checking& checking) {
    TemplateChecker{bee, checking}.check(config);
}

bool check_calls(const std::string& folder, Checking& checking) {
    const std::string prefix = folder == "." ? "" : folder + "/";
    bool good = true;
    for (const auto& [path, text] : checking.loaded.bundle.texts) {
        const bool is_yaml = path.ends_with(".yaml") || path.ends_with(".yml");
        if (!is_yaml || !path.starts_with(prefix)) continue;
        good = check_call(path, text, checking) && good;
    }
    return good;
}

} // namespace hive::scenario
