#include "bees/http_builder/call_template.hpp"

#include "call/names.hpp"
#include "kernel/fields.hpp"
#include "worker/result_rules.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>

namespace hive::worker {

static std::span<const Named<Protocol>> names_of(Protocol) {
    static constexpr std::array names{
        Named<Protocol>{"HTTP", Protocol::http}, Named<Protocol>{"TCP", Protocol::tcp}};
    return names;
}

} // namespace hive::worker

namespace hive::bees {
namespace {

using worker::Protocol;
using Findings = std::vector<Finding>;

struct Document {
    std::string service{};
    std::string call{};
    Protocol protocol = Protocol::http;
    std::string method = "GET";
    std::string path = "/";
    std::optional<std::string> body{};
    std::map<std::string, std::string> headers{};
    std::optional<call::Behaviour> behaviour{};
    std::optional<std::string> end_tag{};
    std::optional<std::uint32_t> bytes_max{};
    std::optional<worker::ResultRules> rules{};
    std::optional<json::value> not_looked_at{};
    std::string auth{};
};

void describe(FieldTable& fields, Document& document) {
    fields.add("serviceId", document.service).help("None: the folder");
    fields.add("callId", document.call).help("None: the name of the file");
    fields.add("protocol", document.protocol);
    fields.add("method", document.method);
    fields.add("pathTemplate", document.path);
    fields.add("bodyTemplate", document.body);
    fields.add("headersTemplate", document.headers).at_most(200);
    fields.add("resultRules", document.rules);
    fields.add("behavior", document.behaviour);
    fields.add("endTag", document.end_tag);
    fields.add("maxBytes", document.bytes_max).help("More than this of an answer is an error");
    fields.add("transport", document.not_looked_at).help("For editors; not looked at");
    fields.add("schemaRef", document.not_looked_at).help("For editors; not looked at");
    fields.add("authRef", document.auth);
    fields.rule([&document]() -> Status {
        // Without what it asks for, every call would fail, or measure the wrong thing.
        if (document.auth.empty()) return {};
        return fail(
            Errc::invalid, "authRef is not supported; write what it adds into headersTemplate");
    });
    fields.rule([&document]() -> Status {
        const bool tcp_only = document.behaviour || document.end_tag || document.bytes_max;
        if (document.protocol == Protocol::tcp || !tcp_only) return {};
        return fail(Errc::invalid, "behavior, endTag and maxBytes are for protocol TCP");
    });
}

json::value to_json(const YamlNode& node) {
    switch (node.kind) {
    case YamlNode::Kind::null: return nullptr;
    case YamlNode::Kind::scalar: return json::string{node.text}; // fields read texts
    case YamlNode::Kind::sequence: {
        json::array out;
        for (const YamlNode& each : node.items) out.push_back(to_json(each));
        return out;
    }
    case YamlNode::Kind::mapping: {
        json::object out;
        for (const YamlNode& each : node.items) {
            if (each.kind != YamlNode::Kind::null) out[each.key] = to_json(each); // as if left out
        }
        return out;
    }
    }
    return nullptr;
}

// Where a dotted path stands; of what is not there, what is around it.
Position place_of(const YamlNode& root, std::string_view path) {
    const YamlNode* node = &root;
    while (!path.empty()) {
        const auto dot = std::min(path.find('.'), path.size());
        const auto name = path.substr(0, std::min(path.find('['), dot));
        const YamlNode* next = node->find(name);
        if (next == nullptr) break;
        node = next;
        path.remove_prefix(std::min(dot + 1, path.size()));
    }
    return node->key.empty() ? node->at : node->key_at;
}

// Compiles the templates of one file and remembers all that is wrong.
class Compiler {
public:
    Compiler(std::string_view file, const YamlNode& root) : file_{file}, root_{root} {}

    templates::Template operator()(std::string_view source, std::string_view key) {
        auto compiled = templates::compile(source, {.file = file_, .key = key});
        if (compiled) return *std::move(compiled);
        for (Finding& finding : compiled.error()) {
            // Its position is one within the template, which a block of YAML has moved.
            finding.message = fmt::format(
                "at {}:{} of the template: {}", finding.at.line, finding.at.column,
                finding.message);
            finding.at = place_of(root_, key);
            findings.push_back(std::move(finding));
        }
        return templates::compile("").value();
    }

    Findings findings{};

private:
    std::string_view file_;
    const YamlNode& root_;
};

void append_member(std::string& out, std::string_view name, std::string_view json) {
    if (!out.empty()) out += ',';
    append_json_string(out, name);
    out += ':';
    out += json;
}

std::string json_string(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
}

std::string tcp_members(const Document& document) {
    std::string out;
    if (document.behaviour) {
        for (const auto& [name, value] : names_of(*document.behaviour)) {
            if (value == *document.behaviour) append_member(out, "behavior", json_string(name));
        }
    }
    if (document.end_tag) append_member(out, "endTag", json_string(*document.end_tag));
    if (document.bytes_max) append_member(out, "maxBytes", std::to_string(*document.bytes_max));
    return out;
}

Findings findings_of(const FieldProblems& problems, std::string_view file, const YamlNode& root) {
    Findings out;
    for (const FieldProblem& problem : problems) {
        out.push_back(
            {.code = problem.code,
             .file = std::string{file},
             .at = place_of(root, problem.path),
             .key = problem.path,
             .message = problem.message,
             .hint = problem.hint});
    }
    return out;
}

} // namespace

tl::expected<CallTemplate, Findings> read_call_template(const CallFile& file) {
    auto yaml = parse_yaml(file.name, file.text);
    if (has_errors(yaml.findings)) return tl::unexpected{std::move(yaml.findings)};
    const json::value whole = to_json(yaml.root);
    Document document{.service = file.service, .call = file.call};
    FieldTable table;
    describe(table, document);
    FieldProblems problems;
    table.read(whole, "", problems);
    if (!problems.empty()) return tl::unexpected{findings_of(problems, file.name, yaml.root)};

    Compiler compile{file.name, yaml.root};
    worker::RequestParts parts{
        .protocol = document.protocol,
        .method = compile(document.method, "method"),
        .path = compile(document.path, "pathTemplate"),
        .more = tcp_members(document)};
    for (const auto& [name, value] : document.headers) {
        parts.headers.push_back({name, compile(value, fmt::format("headersTemplate.{}", name))});
    }
    if (document.body) parts.body = compile(*document.body, "bodyTemplate");
    if (document.rules) {
        append_member(parts.and_more, "resultRules", to_text(whole.at("resultRules")));
    }
    if (!compile.findings.empty()) return tl::unexpected{std::move(compile.findings)};
    return CallTemplate{
        std::move(document.service), std::move(document.call),
        worker::RequestText{std::move(parts)}};
}

} // namespace hive::bees
