#include "importer/openapi.hpp"

#include "importer/request_url.hpp"
#include "importer/schema_sample.hpp"
#include "kernel/text.hpp"
#include "kernel/yaml.hpp"
#include "kernel/yaml_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::importer {
namespace {

constexpr JsonLimits json_limits{.bytes = openapi_bytes_max, .depth = 64};
constexpr YamlLimits yaml_limits{.bytes = openapi_bytes_max, .depth = 64, .nodes = 1'000'000};
constexpr std::string_view unknown_server = "http://127.0.0.1:8089";

const json::value* member(const json::value& from, std::string_view name) {
    const auto* object = from.if_object();
    return object == nullptr ? nullptr : object->if_contains(name);
}

std::string text_in(const json::value& from, std::string_view name) {
    const auto* value = member(from, name);
    return value != nullptr && value->is_string() ? std::string{value->get_string()} : "";
}

template <class Visit>
void each(const json::value& from, std::string_view name, const Visit& visit) {
    const auto* list = member(from, name);
    if (list == nullptr || !list->is_array()) return;
    for (const json::value& item : list->get_array()) visit(item);
}

bool is_true(const json::value& from, std::string_view name) {
    const auto* value = member(from, name);
    return value != nullptr && *value == true;
}

std::string as_text(const json::value& value) {
    return value.is_string() ? std::string{value.get_string()} : to_text(value);
}

void replace_all(std::string& text, const std::string& what, const std::string& with) {
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
}

Result<json::value> parse(std::string_view text) {
    if (const auto begin = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
        begin != text.npos && text[begin] == '{') {
        auto document = parse_json(text, json_limits);
        if (document) return document;
        return fail(Errc::invalid, "no OpenAPI document: " + document.error().detail);
    }
    const YamlDocument document = parse_yaml("the document", text, yaml_limits);
    const auto wrong = std::ranges::find(document.findings, Severity::error, &Finding::severity);
    if (wrong == document.findings.end()) return to_json(document.root);
    return fail(
        Errc::invalid,
        fmt::format("no OpenAPI document: line {}: {}", wrong->at.line, wrong->message));
}

class Reader {
public:
    explicit Reader(const json::value& root) : root_{root}, references_{root} {}

    Result<Draft> read() {
        const std::string version = text_in(root_, "openapi");
        if (!version.starts_with("3.")) {
            return fail(
                Errc::invalid, member(root_, "swagger") != nullptr
                                   ? "this is Swagger 2; convert it to OpenAPI 3 first"
                                   : "no OpenAPI document: it does not begin with openapi: 3.x");
        }
        if (const auto* info = member(root_, "info")) draft_.title = text_in(*info, "title");
        read_server();
        const auto* paths = member(root_, "paths");
        if (paths != nullptr && paths->is_object()) {
            for (const auto& [path, item] : paths->get_object()) read_path(path, item);
        }
        if (draft_.calls.empty()) return fail(Errc::invalid, "the document has no operations");
        for (const std::string& lost : references_.lost()) {
            draft_.notes.push_back(fmt::format("'{}' leads nowhere and was left out", lost));
        }
        return std::move(draft_);
    }

private:
    void read_server() {
        std::string url;
        each(root_, "servers", [&](const json::value& server) {
            if (!url.empty()) return;
            url = text_in(server, "url");
            const auto* variables = member(server, "variables");
            if (variables == nullptr || !variables->is_object()) return;
            for (const auto& [name, variable] : variables->get_object()) {
                replace_all(
                    url, fmt::format("{{{}}}", std::string_view{name}),
                    text_in(variable, "default"));
            }
        });
        const bool whole = url.find("://") != url.npos;
        auto parsed = parse_request_url(whole ? url : fmt::format("{}/{}", unknown_server, url));
        if (!parsed) parsed = parse_request_url(unknown_server);
        draft_.base_url = parsed->base;
        if (!whole || draft_.base_url == unknown_server) {
            draft_.notes.push_back(fmt::format(
                "the document names no server with a host; sut/local/sut.yaml says {}",
                unknown_server));
        }
        prefix_ = parsed->path.substr(0, parsed->path.find('?'));
        while (prefix_.ends_with('/')) prefix_.pop_back();
        if (prefix_.starts_with("//")) prefix_.erase(0, 1);
    }

    void read_path(std::string_view path, const json::value& written) {
        const json::value* item = references_.follow(written);
        if (item == nullptr) return;
        constexpr std::array<std::string_view, 7> methods{"get",  "put",     "post", "delete",
                                                          "head", "options", "patch"};
        for (const auto method : methods) {
            const auto* operation = member(*item, method);
            if (operation == nullptr || !operation->is_object()) continue;
            Call call{.id = name_from(text_in(*operation, "operationId"))};
            call.method.clear();
            for (const char c : method) call.method += static_cast<char>(c - 'a' + 'A');
            call.path = prefix_ + std::string{path};
            if (!call.path.starts_with('/')) call.path.insert(0, "/");
            if (call.id.empty()) call.id = call_name(method, path);
            query_.clear();
            each(*item, "parameters", [&](const json::value& each) { add_parameter(each, call); });
            each(*operation, "parameters", [&](const json::value& each) {
                add_parameter(each, call);
            });
            if (!query_.empty())
                call.path += (call.path.find('?') == call.path.npos ? '?' : '&') + query_;
            if (const auto* body = member(*operation, "requestBody")) add_body(*body, call);
            add_security(*operation, call);
            add_call(draft_, std::move(call));
        }
    }

    json::value sample_in(const json::value& place) {
        if (const auto* example = member(place, "example")) return *example;
        if (const auto* examples = member(place, "examples");
            examples != nullptr && examples->is_object() && !examples->get_object().empty()) {
            const auto* first = references_.follow(examples->get_object().begin()->value());
            if (const auto* value = first == nullptr ? nullptr : member(*first, "value"))
                return *value;
        }
        const auto* schema = member(place, "schema");
        return schema == nullptr ? json::value("text") : sample_of(*schema, references_);
    }

    void add_parameter(const json::value& written, Call& call) {
        const json::value* parameter = references_.follow(written);
        if (parameter == nullptr) return;
        const std::string name = text_in(*parameter, "name");
        const std::string in = text_in(*parameter, "in");
        if (name.empty()) return;
        // What may be left out is left out, unless the document shows how it is used.
        const bool wanted = is_true(*parameter, "required") ||
                            member(*parameter, "example") != nullptr ||
                            member(*parameter, "examples") != nullptr;
        if (in != "path" && !wanted) return;
        const std::string value = as_text(sample_in(*parameter));
        if (in == "path")
            replace_all(call.path, fmt::format("{{{}}}", name), percent_encoded(value));
        if (in == "header") call.headers.push_back({name, value});
        if (in == "query") {
            query_ += fmt::format(
                "{}{}={}", query_.empty() ? "" : "&", percent_encoded(name),
                percent_encoded(value));
        }
    }

    void add_body(const json::value& written, Call& call) {
        const json::value* body = references_.follow(written);
        const auto* content = body == nullptr ? nullptr : member(*body, "content");
        if (content == nullptr || !content->is_object() || content->get_object().empty()) return;
        const auto& kinds = content->get_object();
        const auto is_json = [](const auto& kind) {
            return std::string_view{kind.key()}.find("json") != std::string_view::npos;
        };
        const auto* chosen = std::ranges::find_if(kinds, is_json);
        if (chosen == kinds.end()) chosen = kinds.begin();
        const std::string type{chosen->key()};
        const json::value sample = sample_in(chosen->value());
        if (type.find("x-www-form-urlencoded") != type.npos && sample.is_object()) {
            for (const auto& [name, value] : sample.get_object()) {
                call.body += fmt::format(
                    "{}{}={}", call.body.empty() ? "" : "&", percent_encoded(name),
                    percent_encoded(as_text(value)));
            }
        } else if (type.starts_with("multipart/")) {
            draft_.notes.push_back(
                fmt::format("the body of '{}' is {}: give it by hand", call.id, printable(type)));
            return;
        } else {
            call.body = is_json(*chosen) ? to_text(sample) : as_text(sample);
        }
        call.headers.push_back({"content-type", type});
    }

    // The first of the ways in; its value is a secret and comes from the environment.
    void add_security(const json::value& operation, Call& call) {
        const auto* ways = member(operation, "security");
        if (ways == nullptr) ways = member(root_, "security");
        if (ways == nullptr || !ways->is_array() || ways->get_array().empty()) return;
        const auto* way = ways->get_array().front().if_object();
        if (way == nullptr) return;
        for (const auto& needed : *way) add_scheme(needed.key(), call);
    }
    void add_scheme(std::string_view name, Call& call) {
        const auto* components = member(root_, "components");
        const auto* schemes =
            components == nullptr ? nullptr : member(*components, "securitySchemes");
        const auto* written = schemes == nullptr ? nullptr : member(*schemes, name);
        const auto* scheme = written == nullptr ? nullptr : references_.follow(*written);
        if (scheme == nullptr) return;
        const bool key = text_in(*scheme, "type") == "apiKey";
        if (!key) return call.headers.push_back({"authorization", ""});
        const std::string in = text_in(*scheme, "in");
        if (in == "cookie") return call.headers.push_back({"cookie", ""});
        const std::string header = text_in(*scheme, "name");
        if (in == "header" && is_secret(header)) return call.headers.push_back({header, ""});
        draft_.notes.push_back(fmt::format(
            "'{}' wants the key '{}' in its {}: give it by hand", call.id, printable(header),
            printable(in)));
    }

    const json::value& root_;
    References references_;
    Draft draft_{};
    std::string prefix_{};
    std::string query_{}; // of the operation that is read
};

} // namespace

Result<Draft> read_openapi(std::string_view text) {
    const auto document = parse(text);
    if (!document) return fail(document.error());
    return Reader{*document}.read();
}

} // namespace hive::importer
