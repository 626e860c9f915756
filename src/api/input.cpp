#include "api/input.hpp"

#include "api/idempotency.hpp"
#include "api/schema.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::api {
namespace {

Problem invalid_input(std::vector<FieldProblem> errors, std::string_view what) {
    return {
        .status = 400,
        .code = "invalid-input",
        .detail = fmt::format("the {} has {} problem(s)", what, errors.size()),
        .errors = std::move(errors)};
}

// One `name=value` of the query.
void read_pair(CallState& state, std::string_view pair, std::vector<FieldProblem>& errors) {
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const auto name = decode_query_text(pair.substr(0, equals));
    const auto text = decode_query_text(pair.substr(std::min(equals + 1, pair.size())));
    if (!name || !text) {
        errors.push_back(
            {name ? *name : std::string{"query"}, (name ? text : name).error().detail});
        return;
    }
    const auto& declared = state.route->query;
    const auto at = std::ranges::find(declared, *name, &QueryParameter::name);
    if (at == declared.end()) {
        errors.push_back({*name, "is not a parameter of this operation"});
        return;
    }
    ParameterValue& slot = state.query[static_cast<std::size_t>(at - declared.begin())];
    if (!std::holds_alternative<std::monostate>(slot)) {
        errors.push_back({*name, "appears more than once"});
        return;
    }
    auto value = parse_parameter(*at, *text);
    if (!value) {
        errors.push_back({*name, value.error().detail});
    } else {
        slot = std::move(*value);
    }
}

} // namespace

std::optional<Problem> read_query(CallState& state) {
    const auto& declared = state.route->query;
    if (declared.empty() && state.request->query.empty()) return std::nullopt;
    state.query.assign(declared.size(), {});
    std::vector<FieldProblem> errors;
    for (std::string_view rest = state.request->query; !rest.empty();) {
        const std::size_t end = std::min(rest.find('&'), rest.size());
        if (end > 0) read_pair(state, rest.substr(0, end), errors);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    for (std::size_t i = 0; i < declared.size(); ++i) {
        if (!std::holds_alternative<std::monostate>(state.query[i])) continue;
        if (declared[i].required) errors.push_back({declared[i].name, "is required"});
        state.query[i] = declared[i].fallback;
    }
    if (errors.empty()) return std::nullopt;
    return invalid_input(std::move(errors), "query");
}

std::optional<Problem> read_idempotency_key(CallState& state) {
    const Idempotency rule = state.route->idempotency;
    const auto header = state.request->header("Idempotency-Key");
    if (!header && rule != Idempotency::required) return std::nullopt;
    const bool reading =
        state.request->method == http::Method::get || state.request->method == http::Method::head;
    if (rule == Idempotency::ignored || (rule == Idempotency::refused && reading)) {
        return std::nullopt;
    }
    if (rule == Idempotency::refused) {
        return Problem{
            .status = 400,
            .code = "idempotency-key-refused",
            .detail = "the answer to this is not kept, so a repeated request would be done again: "
                      "send it without Idempotency-Key, and look before you repeat it"};
    }
    auto key = parse_idempotency_key(header.value_or(""));
    if (!key) {
        return Problem{.status = 400, .code = "idempotency-key", .detail = key.error().detail};
    }
    state.idempotency_key = std::move(*key);
    return std::nullopt;
}

std::optional<Problem> read_body(CallState& state, const json::object& schemas) {
    const http::Request& request = *state.request;
    const auto& declared = state.route->request;
    if (!declared) {
        if (request.body.empty()) return std::nullopt;
        return Problem{
            .status = 400, .code = "unexpected-body", .detail = "this operation takes no body"};
    }
    if (!declared->required && request.body.empty()) {
        state.body = json::object{};
        return std::nullopt;
    }
    const std::string_view sent = request.header("Content-Type").value_or("");
    const std::string_view type = http::trimmed(sent.substr(0, sent.find(';')));
    if (!http::equal_ignoring_case(type, declared->type)) {
        return Problem{
            .status = 415,
            .code = "wrong-media-type",
            .detail = fmt::format("send the body as {}", declared->type)};
    }
    if (declared->type != json_type) return std::nullopt;
    auto parsed = parse_json(
        request.body, {.bytes = request.body.size(), .depth = state.route->limits.json_depth});
    if (!parsed) {
        return Problem{.status = 400, .code = "invalid-json", .detail = parsed.error().detail};
    }
    auto errors = validate(declared->schema, *parsed, schemas);
    if (!errors.empty()) return invalid_input(std::move(errors), "body");
    state.body = std::move(*parsed);
    return std::nullopt;
}

} // namespace hive::api
