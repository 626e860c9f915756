#include "kernel/text.hpp"
#include "template/function_groups.hpp"
#include "template/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace hive::templates {
namespace {

// Where character `index` of a text begins.
std::size_t offset_of(std::string_view text, std::size_t index) {
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        const bool begins = (static_cast<unsigned char>(text[at]) & 0xc0U) != 0x80U;
        if (begins && index-- == 0) break;
    }
    return at;
}

std::size_t length_of(const Value& value) {
    if (value.is(Kind::text)) return width_of(value.text());
    if (value.is(Kind::list)) return value.list().size();
    return value.is(Kind::map) ? value.map().size() : 0;
}

Value length(Machine& machine, const Args& args) {
    const Value value = machine.plain(args[0]);
    if (value.is(Kind::text)) machine.charge(value.text().size() / 32);
    if (value.is_number() || value.is(Kind::boolean) || value.is(Kind::instant)) {
        return machine.fail(Errc::invalid, fmt::format("{} has no length", name_of(value.kind())));
    }
    return Value::of(static_cast<std::int64_t>(length_of(value)));
}

Value slice(Machine& machine, const Args& args) {
    const Value value = args[0].is(Kind::list) ? args[0] : Value::of(machine.text_of(args[0]));
    const std::size_t size = length_of(value);
    if (value.is(Kind::text)) machine.charge(value.text().size() / 16);
    const auto from = machine.integer_of(args[1]);
    const auto to = args.size() < 3 ? static_cast<std::int64_t>(size) : machine.integer_of(args[2]);
    if (!from || !to || *from < 0 || *to < *from) {
        return machine.fail(Errc::invalid, "slice needs a first place and one behind the last");
    }
    const std::size_t first = std::min(static_cast<std::size_t>(*from), size);
    const std::size_t last = std::min(static_cast<std::size_t>(*to), size);
    if (value.is(Kind::list)) return Value::of(value.list().subspan(first, last - first));
    const std::size_t begin = offset_of(value.text(), first);
    const std::size_t end = offset_of(value.text(), last);
    return Value::of(value.text().substr(begin, end - begin));
}

Value first(Machine& machine, const Args& args) {
    const Value value = machine.plain(args[0]);
    if (value.is(Kind::list)) return value.list().empty() ? Value{} : value.list().front();
    if (value.is(Kind::map)) return value.map().empty() ? Value{} : value.map().front().value;
    const std::string_view text = machine.text_of(value);
    return Value::of(text.substr(0, offset_of(text, 1)));
}

Value last(Machine& machine, const Args& args) {
    const Value value = machine.plain(args[0]);
    if (value.is(Kind::list)) return value.list().empty() ? Value{} : value.list().back();
    if (value.is(Kind::map)) return value.map().empty() ? Value{} : value.map().back().value;
    const std::string_view text = machine.text_of(value);
    const std::size_t size = width_of(text);
    return Value::of(size == 0 ? text : text.substr(offset_of(text, size - 1)));
}

// The list that a filter is about; nothing, and a failure, when it is none.
std::optional<std::span<const Value>>
list_of(Machine& machine, const Value& value, std::string_view filter) {
    if (value.is(Kind::list)) return value.list();
    if (value.is_null()) return std::span<const Value>{};
    machine.fail(
        Errc::invalid, fmt::format("{} needs a list, not {}", filter, name_of(value.kind())));
    return std::nullopt;
}

Value join(Machine& machine, const Args& args) {
    const auto items = list_of(machine, args[0], "join");
    if (!items) return {};
    const std::string_view between =
        args.size() < 2 ? std::string_view{} : machine.text_of(args[1]);
    std::string out;
    for (const Value& item : *items) {
        if (&item != items->data()) out += between;
        machine.append(out, item);
        if (!machine.charge(1 + between.size() / 32)) return {};
        if (out.size() > machine.state().limits.memory_bytes) break; // keep() will say so
    }
    return machine.keep(out);
}

Value reverse(Machine& machine, const Args& args) {
    if (args[0].is(Kind::text)) {
        std::string& out = machine.buffer();
        std::string_view rest = args[0].text();
        while (!rest.empty()) { // whole characters, not bytes
            std::size_t at = rest.size() - 1;
            while (at > 0 && (static_cast<unsigned char>(rest[at]) & 0xc0U) == 0x80U) --at;
            out += rest.substr(at);
            rest = rest.substr(0, at);
        }
        return machine.made();
    }
    const auto items = list_of(machine, args[0], "reverse");
    if (!items) return {};
    const auto turned = machine.new_list(items->size());
    if (turned.size() == items->size()) std::ranges::reverse_copy(*items, turned.begin());
    return Value::of(std::span<const Value>{turned});
}

Value sorted(Machine& machine, const Args& args, std::string_view filter) {
    const auto items = list_of(machine, args[0], filter);
    if (!items) return {};
    const bool texts = std::ranges::all_of(*items, [](const Value& v) { return v.is(Kind::text); });
    const bool whole =
        std::ranges::all_of(*items, [](const Value& v) { return v.is(Kind::integer); });
    // What is not a number has no place in an order, and a sort that meets it goes astray.
    const bool numbers = std::ranges::all_of(
        *items, [](const Value& v) { return v.is_number() && !std::isnan(v.number()); });
    if (!numbers && !texts) {
        return machine.fail(
            Errc::invalid, fmt::format("{} needs a list of numbers or one of texts", filter));
    }
    std::uint64_t weight = items->size();
    for (const Value& item : *items) weight += item.weight() / 32;
    if (!machine.charge(weight * std::bit_width(items->size()))) return {};
    const auto copy = machine.new_list(items->size());
    if (copy.size() != items->size()) return {};
    std::ranges::copy(*items, copy.begin());
    std::ranges::sort(copy, [&](const Value& a, const Value& b) {
        if (texts) return a.text() < b.text();
        return whole ? a.integer() < b.integer() : a.number() < b.number();
    });
    return Value::of(std::span<const Value>{copy});
}

Value sort(Machine& machine, const Args& args) {
    return sorted(machine, args, "sort");
}

Value rsort(Machine& machine, const Args& args) {
    const Value up = sorted(machine, args, "rsort");
    if (machine.failed()) return {};
    return reverse(machine, {&up, 1});
}

Value merge(Machine& machine, const Args& args) {
    const Value left = machine.plain(args[0]);
    const Value right = machine.plain(args[1]);
    if (left.is(Kind::list) && right.is(Kind::list)) return operate(machine, Op::add, left, right);
    if (!left.is(Kind::map) || !right.is(Kind::map)) {
        return machine.fail(Errc::invalid, "merge needs two lists or two maps");
    }
    // Of equal keys the last counts; keeping only that one keeps printing and length honest.
    const auto entries = machine.new_map(left.map().size() + right.map().size());
    if (entries.size() != left.map().size() + right.map().size()) return {};
    std::size_t size = 0;
    for (const Entry& entry : left.map()) {
        if (machine.lookup(right.map(), entry.key) == nullptr) entries[size++] = entry;
    }
    for (const Entry& entry : right.map()) entries[size++] = entry;
    return Value::of(std::span<const Entry>{entries.first(size)});
}

Value keys(Machine& machine, const Args& args) {
    const Value map = machine.plain(args[0]);
    if (!map.is(Kind::map)) {
        return machine.fail(
            Errc::invalid, fmt::format("keys needs a map, not {}", name_of(map.kind())));
    }
    const auto names = machine.new_list(map.map().size());
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = Value::of(map.map()[i].key);
    return Value::of(std::span<const Value>{names});
}

Value unique(Machine& machine, const Args& args) {
    const auto items = list_of(machine, args[0], "unique");
    if (!items) return {};
    const auto kept = machine.new_list(items->size());
    std::size_t size = 0;
    for (const Value& item : *items) {
        if (kept.size() != items->size()) return {};
        const bool known = std::ranges::any_of(kept.first(size), [&](const Value& other) {
            return machine.equal(item, other).value_or(true);
        });
        if (machine.failed()) return {};
        if (!known) kept[size++] = item;
    }
    return Value::of(std::span<const Value>{kept.first(size)});
}

} // namespace

std::span<const Function> list_filters() {
    static constexpr std::array<Function, 11> filters{{
        {"length", 1, 1, length},
        {"slice", 2, 3, slice},
        {"first", 1, 1, first},
        {"last", 1, 1, last},
        {"join", 1, 2, join},
        {"reverse", 1, 1, reverse},
        {"sort", 1, 1, sort},
        {"rsort", 1, 1, rsort},
        {"merge", 2, 2, merge},
        {"keys", 1, 1, keys},
        {"unique", 1, 1, unique},
    }};
    return filters;
}

} // namespace hive::templates
