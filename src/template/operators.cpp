#include "template/machine.hpp"
#include "template/text_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hive::templates {
namespace {

std::string_view symbol_of(Op op) {
    switch (op) {
    case Op::add: return "+";
    case Op::subtract: return "-";
    case Op::multiply: return "*";
    case Op::divide: return "/";
    case Op::modulo: return "%";
    case Op::power: return "^";
    default: return "a comparison";
    }
}

Value overflow(Machine& machine, Op op) {
    return machine.fail(
        Errc::invalid, fmt::format("the result of '{}' is beyond 64 bits", symbol_of(op)));
}

Value integer_power(Machine& machine, std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    if (base == 0 || base == 1) return Value::of(exponent == 0 ? std::int64_t{1} : base);
    if (base == -1) return Value::of(exponent % 2 == 0 ? std::int64_t{1} : base);
    for (std::int64_t i = 0; i < exponent; ++i) { // at most 63 rounds before it overflows
        if (__builtin_mul_overflow(result, base, &result)) return overflow(machine, Op::power);
    }
    return Value::of(result);
}

Value integers(Machine& machine, Op op, std::int64_t a, std::int64_t b) {
    std::int64_t result = 0;
    switch (op) {
    case Op::add:
        if (__builtin_add_overflow(a, b, &result)) return overflow(machine, op);
        break;
    case Op::subtract:
        if (__builtin_sub_overflow(a, b, &result)) return overflow(machine, op);
        break;
    case Op::multiply:
        if (__builtin_mul_overflow(a, b, &result)) return overflow(machine, op);
        break;
    case Op::power:
        if (b < 0) return Value::of(std::pow(static_cast<double>(a), static_cast<double>(b)));
        return integer_power(machine, a, b);
    default:
        if (b == 0) return machine.fail(Errc::invalid, "division by zero");
        if (b == -1) return integers(machine, Op::subtract, 0, op == Op::divide ? a : 0);
        result = op == Op::divide ? a / b : a % b;
    }
    return Value::of(result);
}

Value reals(Op op, double a, double b) {
    switch (op) {
    case Op::add: return Value::of(a + b);
    case Op::subtract: return Value::of(a - b);
    case Op::multiply: return Value::of(a * b);
    case Op::power: return Value::of(std::pow(a, b));
    case Op::divide: return Value::of(a / b);
    default: return Value::of(std::fmod(a, b));
    }
}

Value arithmetic(Machine& machine, Op op, const Value& a, const Value& b) {
    const Value left = machine.number_of(a);
    const Value right = machine.number_of(b);
    if (left.is_null() || right.is_null()) {
        const Value& wrong = left.is_null() ? a : b;
        return machine.fail(
            Errc::invalid, fmt::format(
                               "'{}' needs numbers, not {}", symbol_of(op),
                               wrong.is(Kind::text) ? "this text" : name_of(wrong.kind())));
    }
    if (left.is(Kind::integer) && right.is(Kind::integer)) {
        return integers(machine, op, left.integer(), right.integer());
    }
    return reals(op, left.number(), right.number());
}

Value concat(Machine& machine, const Value& a, const Value& b) {
    const std::string_view left = machine.text_of(a);
    const std::string_view right = machine.text_of(b);
    std::string& out = machine.buffer();
    out += left;
    out += right;
    return machine.made();
}

// Text is joined, a list grows by what comes, a map takes over the other's entries, numbers add.
Value add(Machine& machine, const Value& a, const Value& b) {
    if (a.is(Kind::list)) {
        const auto left = a.list();
        const auto right = b.is(Kind::list) ? b.list() : std::span<const Value>{&b, 1};
        const auto items = machine.new_list(left.size() + right.size());
        if (items.empty()) return {};
        std::copy(right.begin(), right.end(), std::copy(left.begin(), left.end(), items.begin()));
        return Value::of(std::span<const Value>{items});
    }
    if (a.is(Kind::text) || b.is(Kind::text)) return concat(machine, a, b);
    return arithmetic(machine, Op::add, a, b);
}

bool holds(Op op, auto order) {
    switch (op) {
    case Op::less: return order < 0;
    case Op::less_equal: return order <= 0;
    case Op::greater: return order > 0;
    default: return order >= 0;
    }
}

Value compare(Machine& machine, Op op, const Value& a, const Value& b) {
    if (a.is(Kind::instant) && b.is(Kind::instant))
        return Value::of(holds(op, a.instant() <=> b.instant()));
    if (a.is(Kind::text) && b.is(Kind::text)) {
        machine.charge(std::min(a.text().size(), b.text().size()) / 32);
        return Value::of(holds(op, a.text() <=> b.text()));
    }
    if (a.is_null() || b.is_null()) return Value::of(false); // nothing is neither more nor less
    const Value left = machine.number_of(a);
    const Value right = machine.number_of(b);
    if (left.is(Kind::integer) && right.is(Kind::integer)) {
        return Value::of(holds(op, left.integer() <=> right.integer()));
    }
    if (left.is_null() || right.is_null()) {
        return machine.fail(
            Errc::invalid,
            fmt::format("{} and {} have no order", name_of(a.kind()), name_of(b.kind())));
    }
    return Value::of(holds(op, left.number() <=> right.number()));
}

Value contains(Machine& machine, const Value& whole, const Value& part) {
    const Value plain = machine.plain(whole);
    if (plain.is(Kind::text)) {
        machine.charge(plain.text().size() / 32);
        return Value::of(find_text(plain.text(), machine.text_of(part)) != std::string_view::npos);
    }
    if (plain.is(Kind::map)) {
        return Value::of(machine.lookup(plain.map(), machine.text_of(part)) != nullptr);
    }
    if (plain.is_null()) return Value::of(false);
    if (!plain.is(Kind::list)) {
        return machine.fail(
            Errc::invalid, fmt::format("nothing is inside {}", name_of(plain.kind())));
    }
    for (const Value& item : plain.list()) {
        const auto same = machine.equal(item, part);
        if (!same) return {};
        if (*same) return Value::of(true);
    }
    return Value::of(false);
}

Value range(Machine& machine, const Value& from, const Value& to) {
    const auto first = machine.integer_of(from);
    const auto last = machine.integer_of(to);
    if (!first || !last) return machine.fail(Errc::invalid, "a range goes between whole numbers");
    if (*last < *first) return Value::of(std::span<const Value>{});
    const std::uint64_t size =
        static_cast<std::uint64_t>(*last) - static_cast<std::uint64_t>(*first);
    if (size >= machine.state().limits.loop_rounds) {
        return machine.fail(
            Errc::limit,
            fmt::format("a range of more than {} numbers", machine.state().limits.loop_rounds));
    }
    const auto items = machine.new_list(size + 1);
    for (std::size_t i = 0; i < items.size(); ++i) {
        items[i] = Value::of(*first + static_cast<std::int64_t>(i));
    }
    return Value::of(std::span<const Value>{items});
}

Value equality(Machine& machine, Op op, const Value& a, const Value& b) {
    const auto same = machine.equal(a, b);
    return same ? Value::of(*same == (op == Op::equal)) : Value{};
}

Value negate(Machine& machine, const Value& a) {
    if (a.is(Kind::real)) return Value::of(-a.real());
    return arithmetic(machine, Op::subtract, Value::of(std::int64_t{0}), a);
}

} // namespace

Value operate(Machine& machine, Op op, const Value& a, const Value& b) {
    switch (op) {
    case Op::negate: return negate(machine, a);
    case Op::logical_not: return Value::of(!a.truthy());
    case Op::truth: return Value::of(a.truthy());
    case Op::add: return add(machine, a, b);
    case Op::concat: return concat(machine, a, b);
    case Op::equal:
    case Op::not_equal: return equality(machine, op, a, b);
    case Op::less:
    case Op::less_equal:
    case Op::greater:
    case Op::greater_equal: return compare(machine, op, a, b);
    case Op::in: return contains(machine, b, a);
    case Op::contains: return contains(machine, a, b);
    case Op::range: return range(machine, a, b);
    case Op::matches: {
        const Value both[] = {a, b};
        const Regex* const pattern = machine.pattern({both, 2}, 1);
        if (pattern == nullptr) return {};
        const std::string_view text = machine.text_of(a);
        if (!machine.charge(pattern->steps_for(text))) return {};
        return Value::of(pattern->matches_all_of(text));
    }
    default: return arithmetic(machine, op, a, b);
    }
}

} // namespace hive::templates
