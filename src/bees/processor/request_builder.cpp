#include "bees/processor/request_builder.hpp"

#include "call/http_request.hpp"
#include "kernel/json.hpp"
#include "wire/base64.hpp"

#include <fmt/format.h>

#include <vector>

namespace hive::bees {
namespace {

constexpr std::size_t others_max = 256;

Result<const json::object*> request_in(const json::value& document) {
    const auto* object = document.if_object();
    if (object == nullptr) return fail(Errc::invalid, "the request is not a JSON object");
    const auto* nested = object->if_contains("request");
    if (nested == nullptr) return object;
    if (!nested->is_object()) return fail(Errc::invalid, "request: is not an object");
    return &nested->get_object();
}

Result<std::string_view>
text_in(const json::object& request, std::string_view name, std::string_view fallback) {
    const auto* value = request.if_contains(name);
    if (value == nullptr || value->is_null()) return fallback;
    if (!value->is_string()) return fail(Errc::invalid, fmt::format("{}: is not a text", name));
    return std::string_view{value->get_string()};
}

// A body that is not a text is sent as JSON.
std::string_view body_in(const json::object& request, std::string& buffer) {
    const auto* value = request.if_contains("body");
    if (value == nullptr || value->is_null()) return {};
    if (value->is_string()) return value->get_string();
    buffer = to_text(*value);
    return buffer;
}

struct Fields {
    std::vector<call::RequestField> fields{};
    std::vector<std::string> texts{}; // of values that are no texts
};

Status read_headers(const json::object& request, Fields& out) {
    const auto* value = request.if_contains("headers");
    if (value == nullptr || value->is_null()) return {};
    const auto* headers = value->if_object();
    if (headers == nullptr) return fail(Errc::invalid, "headers: is not an object");
    out.texts.reserve(headers->size()); // views into it stay
    for (const auto& [name, each] : *headers) {
        if (each.is_string()) {
            out.fields.push_back({name, each.get_string()});
        } else {
            out.texts.push_back(to_text(each));
            out.fields.push_back({name, out.texts.back()});
        }
    }
    return {};
}

bool is_absolute(std::string_view path) {
    return path.starts_with("http://") || path.starts_with("https://");
}

// Templates of public bundles write the tag at the end of the body themselves, and then YAML adds a
// line break.
std::string_view without_end(std::string_view body, const call::FrameRules& rules) {
    if (rules.framing != call::Framing::delimiter) return body;
    const std::string_view text = body.substr(0, body.find_last_not_of(" \r\n\t") + 1);
    if (!text.ends_with(rules.delimiter)) return body;
    return text.substr(0, text.size() - rules.delimiter.size());
}

} // namespace

Result<std::unique_ptr<RequestBuilder>> RequestBuilder::make(const ProcessorConfig& config) {
    auto url = call::Url::parse(config.base_url);
    if (!url) return fail(url.error());
    std::unique_ptr<RequestBuilder> builder{new RequestBuilder};
    builder->offer_http_ = call::is_http(url->scheme);
    // Reading this machine's authorities takes longer than all the rest: only who needs them.
    if (call::is_secure(url->scheme) || !config.verify_tls || config.tls != TlsSettings{}) {
        auto tls = call::TlsClient::load(
            {.verify = config.verify_tls,
             .ca_file = config.tls.ca_file,
             .certificate_file = config.tls.certificate_file,
             .key_file = config.tls.key_file,
             .server_name = config.tls.server_name,
             .offer_http = builder->offer_http_});
        if (!tls) return fail(tls.error());
        builder->tls_ = *std::move(tls);
    }
    auto base = call::Target::make(*url, builder->tls_);
    if (!base) return fail(base.error());
    builder->base_ = *std::move(base);
    builder->base_path_ = url->path;
    if (builder->base_path_.ends_with('/')) builder->base_path_.pop_back();
    builder->keep_alive_ = config.keep_alive;
    builder->keeps_body_ = options_of(config).kept_body_bytes > 0;
    if (!config.rules.empty()) {
        auto judge = worker::ResultJudge::compile(config.rules);
        if (!judge) return fail(judge.error());
        builder->usual_judge_ = std::make_shared<const worker::ResultJudge>(*std::move(judge));
    }
    if (!call::is_http(url->scheme)) {
        builder->tcp_ = std::make_shared<const call::TcpRules>(call::TcpRules{
            .behaviour = config.tcp.behaviour,
            .frame =
                {config.tcp.framing, config.tcp.delimiter, config.tcp.length, config.tcp.bytes_max},
            .idle = config.tcp.idle});
    }
    return builder;
}

Status RequestBuilder::build(const wire::WorkItem& item, call::Call& out) {
    if (item.payload_encoding() == wire::Encoding::utf8) {
        return tcp_ ? build_tcp(item.payload(), out) : build_http(item.payload(), out);
    }
    const auto bytes = wire::from_base64(item.payload());
    if (!bytes) return fail(Errc::invalid, "the payload is not base64");
    return tcp_ ? build_tcp(*bytes, out) : build_http(*bytes, out);
}

Status RequestBuilder::build_http(std::string_view payload, call::Call& out) {
    if (payload != last_payload_ || last_request_.empty()) {
        last_request_.clear();
        if (auto ok = read_http(payload); !ok) return ok;
        last_payload_ = payload;
        last_judge_ = judge_;
    }
    judge_ = last_judge_;
    out.target = last_target_;
    out.request.assign(last_request_);
    return {};
}

Status RequestBuilder::read_http(std::string_view payload) {
    const auto document = parse_json(payload, {.bytes = std::size_t{16} << 20U, .depth = 64});
    if (!document) return fail(document.error());
    const auto request = request_in(*document);
    if (!request) return fail(request.error());
    if (auto ok = read_judge(*document); !ok) return ok;
    const auto method = text_in(**request, "method", "GET");
    if (!method) return fail(method.error());
    const auto path = text_in(**request, "path", "");
    if (!path) return fail(path.error());
    Fields fields;
    if (auto ok = read_headers(**request, fields); !ok) return ok;
    std::string buffer;
    call::RequestParts parts{
        .method = *method,
        .headers = fields.fields,
        .body = body_in(**request, buffer),
        .keep_alive = keep_alive_};
    std::string whole;
    if (is_absolute(*path)) {
        auto target = target_of(*path);
        if (!target) return fail(target.error());
        last_target_ = *std::move(target);
        whole = call::Url::parse(*path)->path;
    } else {
        last_target_ = base_;
        whole = base_path_;
        if (!path->empty() && !path->starts_with('/') && !path->starts_with('?')) whole += '/';
        whole += *path;
        if (whole.empty()) whole = "/";
    }
    parts.path = whole;
    return call::append_request(last_request_, *last_target_, parts);
}

Result<std::shared_ptr<const call::Target>> RequestBuilder::target_of(std::string_view text) {
    const auto url = call::Url::parse(text);
    if (!url) return fail(url.error());
    const std::string key = fmt::format("{}://{}", name_of(url->scheme), authority_of(*url));
    if (const auto known = others_.find(key); known != others_.end()) return known->second;
    if (others_.size() >= others_max) others_.clear(); // whoever uses one holds it
    if (call::is_secure(url->scheme) && tls_ == nullptr) {
        auto tls = call::TlsClient::load({.offer_http = offer_http_});
        if (!tls) return fail(tls.error());
        tls_ = *std::move(tls);
    }
    auto target = call::Target::make(*url, tls_);
    if (!target) return fail(target.error());
    others_.emplace(key, *target);
    return target;
}

Status RequestBuilder::read_judge(const json::value& document) {
    judge_ = usual_judge_;
    const auto* object = document.if_object();
    const auto* rules = object == nullptr ? nullptr : object->if_contains("resultRules");
    if (rules == nullptr || rules->is_null()) return {};
    std::string key = to_text(*rules);
    if (const auto known = judges_.find(key); known != judges_.end()) {
        judge_ = known->second;
        return {};
    }
    if (!rules->is_object()) return fail(Errc::invalid, "resultRules: is not an object");
    auto read = bind<worker::ResultRules>(rules->get_object(), "resultRules");
    if (!read) return fail(read.error());
    auto judge = worker::ResultJudge::compile(*read);
    if (!judge) return fail(judge.error());
    if (judge->needs_response_body() && !keeps_body_) {
        return fail(
            Errc::invalid, "resultRules: look at the body of the answer, which the processor does "
                           "not keep; set its config.result to FULL");
    }
    if (judges_.size() >= others_max) judges_.clear(); // whoever uses one holds it
    judge_ = std::make_shared<const worker::ResultJudge>(*std::move(judge));
    judges_.emplace(std::move(key), judge_);
    return {};
}

Status RequestBuilder::build_tcp(std::string_view payload, call::Call& out) {
    out.target = base_;
    out.tcp = tcp_;
    out.request.clear();
    judge_ = usual_judge_;
    if (payload.starts_with('{')) {
        const auto document = parse_json(payload, {.bytes = std::size_t{16} << 20U, .depth = 64});
        const auto request = document ? request_in(*document) : fail(document.error());
        if (request && (*request)->contains("body")) {
            if (auto ok = read_judge(*document); !ok) return ok;
            if (auto ok = read_tcp_rules(**request, out); !ok) return ok;
            std::string buffer;
            return call::append_frame(
                out.request, without_end(body_in(**request, buffer), out.tcp->frame),
                out.tcp->frame);
        }
    }
    return call::append_frame(out.request, payload, tcp_->frame);
}

// A request may say itself how its answer is recognised.
Status RequestBuilder::read_tcp_rules(const json::object& request, call::Call& out) {
    json::object own;
    for (const char* name : {"behavior", "endTag", "maxBytes"}) {
        if (const auto* value = request.if_contains(name)) own[name] = *value;
    }
    if (own.empty()) return {};
    std::string key = to_text(own);
    if (const auto known = tcp_others_.find(key); known != tcp_others_.end()) {
        out.tcp = known->second;
        return {};
    }
    TcpSettings settings{
        .behaviour = tcp_->behaviour,
        .bytes_max = static_cast<std::uint32_t>(tcp_->frame.bytes_max)};
    FieldTable fields;
    describe(fields, settings);
    FieldProblems problems;
    fields.read(own, "request", problems);
    if (!problems.empty()) return fail(Errc::invalid, to_text(problems));
    call::TcpRules rules = *tcp_;
    rules.behaviour = settings.behaviour;
    rules.frame.bytes_max = settings.bytes_max;
    if (!settings.delimiter.empty()) {
        rules.frame.framing = call::Framing::delimiter;
        rules.frame.delimiter = settings.delimiter;
    }
    if (auto ok = call::check(rules.frame); !ok) return ok;
    if (tcp_others_.size() >= others_max) tcp_others_.clear();
    out.tcp = std::make_shared<const call::TcpRules>(std::move(rules));
    tcp_others_.emplace(std::move(key), out.tcp);
    return {};
}

} // namespace hive::bees
