#include "template/context.hpp"

#include "kernel/timestamp.hpp"
#include "template/context_state.hpp"
#include "wire/base64.hpp"
#include "wire/work_item.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::templates {

Context::Context(Services services, RenderLimits limits)
    : state_{new ContextState{.services = services, .limits = limits}} {
    state_->memory.bound(limits.memory_bytes);
    state_->item_memory.bound(limits.memory_bytes);
}
Context::Context(Context&&) noexcept = default;
Context& Context::operator=(Context&&) noexcept = default;
Context::~Context() = default;

Status Context::bind(std::string_view name, const json::value& value) {
    auto memory = std::make_unique<Arena>();
    memory->bound(state_->limits.memory_bytes);
    const auto bound = from_json(value, *memory);
    if (!bound) {
        return fail(
            bound.error().code,
            fmt::format("'{}' cannot be shown to templates: {}", name, bound.error().detail));
    }
    auto& bindings = state_->bindings;
    const auto at = std::ranges::find(bindings, name, &Binding::name);
    if (at == bindings.end()) {
        bindings.push_back({std::string{name}, std::move(memory), *bound});
    } else {
        at->memory = std::move(memory);
        at->value = *bound;
    }
    return {};
}

void Context::start(const Input& input) {
    state_->input = input;
    state_->payload_json.reset();
    state_->header_vars.reset();
    state_->item_memory.clear();
}

void Context::start(const wire::WorkItem& item, Timestamp now) {
    std::string_view payload = item.payload();
    if (item.payload_encoding() == wire::Encoding::base64) {
        // What does not decode is shown as it is: the codec refuses such items at the door.
        if (auto decoded = wire::from_base64(payload)) {
            state_->decoded_payload = *std::move(decoded);
            payload = state_->decoded_payload;
        }
    }
    start({.payload = payload, .headers = &item.headers, .item = &item, .now = now});
}

namespace {

Result<json::value> json_of(const Value& value, std::size_t depth);

Result<json::value> array_of(std::span<const Value> items, std::size_t depth) {
    json::array array;
    array.reserve(items.size());
    for (const Value& item : items) {
        auto element = json_of(item, depth);
        if (!element) return element;
        array.push_back(*std::move(element));
    }
    return array;
}

Result<json::value> object_of(std::span<const Entry> entries, std::size_t depth) {
    json::object object;
    for (const Entry& entry : entries) {
        auto member = json_of(entry.value, depth);
        if (!member) return member;
        object[entry.key] = *std::move(member);
    }
    return object;
}

// Round brackets: curly ones would make an array of one.
Result<json::value> json_of(const Value& value, std::size_t depth) {
    if (depth > value_depth_max) return fail(Errc::limit, "the value is nested too deep");
    switch (value.kind()) {
    case Kind::null: return json::value(nullptr);
    case Kind::boolean: return json::value(value.boolean());
    case Kind::integer: return json::value(value.integer());
    case Kind::real: return json::value(value.real());
    case Kind::text: return json::value(json::string(value.text()));
    case Kind::instant: return json::value(format_timestamp(value.instant()));
    case Kind::list: return array_of(value.list(), depth + 1);
    case Kind::map: return object_of(value.map(), depth + 1);
    case Kind::headers:
    case Kind::item: break; // evaluate() has made maps of them
    }
    return json::value(nullptr);
}

} // namespace

Result<json::value> to_json(const Value& value) {
    return json_of(value, 0);
}

} // namespace hive::templates
