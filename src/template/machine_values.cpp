#include "kernel/json.hpp"
#include "kernel/timestamp.hpp"
#include "template/limits.hpp"
#include "template/machine.hpp"
#include "wire/work_item.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstring>

namespace hive::templates {
namespace {

constexpr std::size_t bytes_per_step = 32; // what copying or looking at text costs

} // namespace

std::string& Machine::buffer() {
    state_.buffer.clear();
    return state_.buffer;
}

Value Machine::keep(std::string_view text) {
    if (text.size() > bytes_per_step && !charge(text.size() / bytes_per_step)) return {};
    char* const at = state_.memory.bytes(text.size());
    if (at == nullptr) {
        return fail(
            Errc::limit,
            fmt::format(
                "the values need more than memory_bytes, {} bytes", state_.limits.memory_bytes));
    }
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    return Value::of(std::string_view{at, text.size()});
}

std::span<Value> Machine::new_list(std::size_t size) {
    if (!charge(size)) return {};
    auto* const at = state_.memory.array<Value>(size);
    if (at != nullptr) return {at, size};
    fail(
        Errc::limit, fmt::format("the values need more than {} bytes", state_.limits.memory_bytes));
    return {};
}

std::span<Entry> Machine::new_map(std::size_t size) {
    if (!charge(size)) return {};
    auto* const at = state_.memory.array<Entry>(size);
    if (at != nullptr) return {at, size};
    fail(
        Errc::limit, fmt::format("the values need more than {} bytes", state_.limits.memory_bytes));
    return {};
}

void Machine::append(std::string& out, const Value& value) {
    switch (value.kind()) {
    case Kind::null: break;
    case Kind::boolean: out += value.boolean() ? "true" : "false"; break;
    case Kind::integer: append_number(out, value.integer()); break;
    case Kind::real: append_number(out, value.real()); break;
    case Kind::text: out += value.text(); break;
    case Kind::instant: append_timestamp(out, value.instant()); break;
    case Kind::list:
    case Kind::map:
    case Kind::headers:
    case Kind::item: append_json(out, value);
    }
}

std::string_view Machine::text_of(const Value& value) {
    if (value.is(Kind::text)) return value.text();
    if (value.is_null()) return {};
    std::string text; // not the buffer: a function may be filling it
    append(text, value);
    const Value kept = keep(text);
    return kept.is(Kind::text) ? kept.text() : std::string_view{};
}

void Machine::append_json(std::string& out, const Value& given, std::size_t depth) {
    if (depth > value_depth_max) {
        fail(Errc::limit, fmt::format("a value nested more than {} deep", value_depth_max));
        return;
    }
    if (!charge(1)) return;
    const Value value = plain(given);
    const char* separator = "";
    switch (value.kind()) {
    case Kind::null: out += "null"; break;
    case Kind::text:
        charge(value.text().size() / bytes_per_step);
        append_json_string(out, value.text());
        break;
    case Kind::list:
        out += '[';
        for (const Value& item : value.list()) {
            out += std::exchange(separator, ",");
            append_json(out, item, depth + 1);
            if (failed_) return;
        }
        out += ']';
        break;
    case Kind::map:
        out += '{';
        for (const Entry& entry : value.map()) {
            out += std::exchange(separator, ",");
            append_json_string(out, entry.key);
            out += ':';
            append_json(out, entry.value, depth + 1);
            if (failed_) return;
        }
        out += '}';
        break;
    case Kind::instant:
        out += '"';
        append(out, value);
        out += '"';
        break;
    default: append(out, value);
    }
}

std::optional<std::int64_t> Machine::integer_of(const Value& value) const {
    const Value number = number_of(value);
    if (number.is(Kind::integer)) return number.integer();
    constexpr double most = 9223372036854774784.0; // the largest double below 2^63
    if (!number.is(Kind::real) || !(number.real() >= -most && number.real() <= most)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(number.real());
}

Value Machine::number_of(const Value& value) const {
    if (value.is_number()) return value;
    if (!value.is(Kind::text)) return {};
    std::string_view text = value.text();
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    if (text.starts_with('+')) text.remove_prefix(1);
    // Words that stand for numbers elsewhere, like "nan", are words here.
    if (text.find_first_of("0123456789") == text.npos) return {};
    const char* const end = text.data() + text.size();
    std::int64_t integer = 0;
    if (const auto read = std::from_chars(text.data(), end, integer);
        read.ec == std::errc{} && read.ptr == end) {
        return Value::of(integer);
    }
    double real = 0;
    const auto read = std::from_chars(text.data(), end, real);
    if (read.ec != std::errc{} || read.ptr != end) return {};
    return Value::of(real);
}

std::optional<bool> Machine::equal(const Value& left, const Value& right, std::size_t depth) {
    if (depth > value_depth_max) {
        fail(Errc::limit, fmt::format("values nested more than {} deep", value_depth_max));
        return std::nullopt;
    }
    if (!charge(1)) return std::nullopt;
    const Value a = plain(left);
    const Value b = plain(right);
    if (a.is(Kind::integer) && b.is(Kind::integer)) return a.integer() == b.integer();
    if (a.is_number() && b.is_number()) return a.number() == b.number();
    if (a.kind() != b.kind()) return false;
    switch (a.kind()) {
    case Kind::boolean: return a.boolean() == b.boolean();
    case Kind::instant: return a.instant() == b.instant();
    case Kind::text: return charge(a.text().size() / bytes_per_step) && a.text() == b.text();
    case Kind::list: {
        if (a.list().size() != b.list().size()) return false;
        for (std::size_t i = 0; i < a.list().size(); ++i) {
            const auto same = equal(a.list()[i], b.list()[i], depth + 1);
            if (!same || !*same) return same;
        }
        return true;
    }
    case Kind::map: {
        if (a.map().size() != b.map().size()) return false;
        for (const Entry& entry : a.map()) {
            const Value* const other = lookup(b.map(), entry.key);
            if (failed_) return std::nullopt;
            const auto same = other == nullptr ? false : equal(entry.value, *other, depth + 1);
            if (!same || !*same) return same;
        }
        return true;
    }
    default: return true; // null and null
    }
}

const Regex* Machine::pattern(const Args& args, std::size_t at) {
    if (args.pattern != nullptr) return args.pattern;
    const std::string_view text = text_of(args[at]);
    const auto known = state_.patterns.find(text);
    if (known != state_.patterns.end()) return &known->second;
    if (!charge(1000 + text.size() * 10)) return nullptr;
    auto compiled = Regex::compile(text);
    if (!compiled) {
        fail(compiled.error());
        return nullptr;
    }
    if (state_.patterns.size() >= ContextState::cache_max) state_.patterns.clear();
    return &state_.patterns.emplace(text, *std::move(compiled)).first->second;
}

} // namespace hive::templates
