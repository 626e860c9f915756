#include "template/machine.hpp"
#include "wire/work_item.hpp"

#include <array>

namespace hive::templates {
namespace {

constexpr std::array<std::string_view, 7> item_members{
    "payload", "headers", "messageId", "contentType", "traceId", "swarmId", "steps"};

Value optional_text(const std::optional<std::string>& text) {
    return text ? Value::of(std::string_view{*text}) : Value{};
}

} // namespace

Value Machine::payload_json() {
    if (!state_.payload_json) {
        const std::string_view payload = state_.input.payload;
        if (payload.size() > state_.limits.payload_bytes) {
            return fail(
                Errc::limit, "the payload is longer than payload_bytes and cannot be read as JSON");
        }
        // The values stay for every template of the item, and so do the texts of this reader.
        const auto read =
            state_.payload_reader.read(payload, state_.item_memory, JsonReader::Texts::stay);
        if (!read && read.error().code == Errc::limit) return fail(read.error());
        state_.payload_json = read.value_or(Value{});
    }
    return *state_.payload_json;
}

Value Machine::vars() {
    const Value own = bound("vars");
    if (!own.is_null() || state_.input.headers == nullptr) return own;
    if (!state_.header_vars) {
        const wire::HeaderValue* const found = state_.input.headers->find("vars");
        if (found == nullptr) return {};
        const auto read =
            state_.reader.read(found->str(), state_.item_memory, JsonReader::Texts::copy);
        state_.header_vars = read.value_or(Value{});
    }
    return *state_.header_vars;
}

Value Machine::parse_json(std::string_view text) {
    // The same text was perhaps read already.
    if (text.data() == state_.input.payload.data() && text.size() == state_.input.payload.size()) {
        return payload_json();
    }
    if (text.size() > state_.limits.payload_bytes) {
        return fail(
            Errc::limit, "the text is longer than payload_bytes and cannot be read as JSON");
    }
    if (!charge(text.size() / 8)) return {};
    const auto read = state_.reader.read(text, state_.memory, JsonReader::Texts::copy);
    if (!read && read.error().code == Errc::limit) return fail(read.error());
    return read.value_or(Value{});
}

Value Machine::header(const wire::Headers& headers, std::string_view name) {
    const wire::HeaderValue* const found = headers.find(name);
    if (found == nullptr) return {};
    if (!found->is_json()) return Value::of(std::string_view{found->str()});
    // Most are whole numbers.
    const Value number = number_of(Value::of(std::string_view{found->str()}));
    return number.is(Kind::integer) ? number : parse_json(found->str());
}

Value Machine::headers_map(const wire::Headers& headers) {
    const auto entries = new_map(headers.size());
    std::size_t i = 0;
    for (const auto& [name, value] : headers) {
        if (i == entries.size()) break; // no memory left
        entries[i++] = {name, header(headers, name)};
    }
    return Value::of(std::span<const Entry>{entries});
}

Value Machine::item_member(const wire::WorkItem& item, std::string_view name) {
    if (name == "payload") return Value::of(state_.input.payload);
    if (name == "headers") return Value::of(item.headers);
    if (name == "messageId") return optional_text(item.message_id);
    if (name == "contentType") return optional_text(item.content_type);
    if (name == "traceId") return Value::of(std::string_view{item.trace_id});
    if (name == "swarmId") return optional_text(item.swarm_id);
    if (name != "steps") return {};
    const auto steps = new_list(item.steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const auto entries = new_map(2);
        if (entries.empty()) return {};
        entries[0] = {"payload", Value::of(std::string_view{item.steps[i].payload})};
        entries[1] = {"headers", Value::of(item.steps[i].headers)};
        steps[i] = Value::of(std::span<const Entry>{entries});
    }
    return Value::of(std::span<const Value>{steps});
}

Value Machine::item_map(const wire::WorkItem& item) {
    const auto entries = new_map(item_members.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i] = {item_members[i], item_member(item, item_members[i])};
    }
    return Value::of(std::span<const Entry>{entries});
}

Value Machine::plain(const Value& value) {
    if (value.is(Kind::headers)) return headers_map(value.headers());
    if (value.is(Kind::item)) return item_map(value.item());
    return value;
}

const Value* Machine::lookup(std::span<const Entry> entries, std::string_view key) {
    constexpr std::uint64_t bytes_per_step = 256;
    if (!charge(entries.size() * (key.size() + 32) / bytes_per_step)) return nullptr;
    return find(entries, key);
}

// What is not there is null: templates ask with `??`, `is empty` and `default`.
Value Machine::member(const Value& of, std::string_view name) {
    switch (of.kind()) {
    case Kind::map: {
        const Value* const found = lookup(of.map(), name);
        return found == nullptr ? Value{} : *found;
    }
    case Kind::headers: return header(of.headers(), name);
    case Kind::item: return item_member(of.item(), name);
    case Kind::instant: {
        constexpr std::int64_t giga = 1'000'000'000;
        const std::int64_t nanos = of.instant().time_since_epoch().count();
        const std::int64_t seconds = nanos / giga - (nanos % giga < 0 ? 1 : 0);
        if (name == "epochSecond") return Value::of(seconds);
        if (name == "nano") return Value::of(nanos - seconds * giga);
        if (name == "epochMilli")
            return Value::of((nanos - seconds * giga) / 1'000'000 + seconds * 1000);
        return {};
    }
    case Kind::list: return index(of, Value::of(name));
    default: return {};
    }
}

Value Machine::index(const Value& of, const Value& key) {
    if (of.is(Kind::list)) {
        const auto at = integer_of(key);
        const auto items = of.list();
        if (!at || *at < 0 || static_cast<std::uint64_t>(*at) >= items.size()) return {};
        return items[static_cast<std::size_t>(*at)];
    }
    if (of.is_null()) return {};
    return member(of, text_of(key));
}

} // namespace hive::templates
