#include "template/function_groups.hpp"
#include "template/machine.hpp"
#include "template/number_pattern.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace hive::templates {
namespace {

// The number that a filter is about; null, and a failure, when it is none.
Value number_at(Machine& machine, const Args& args, std::size_t at) {
    const Value number = machine.number_of(args[at]);
    if (number.is_null()) {
        machine.fail(
            Errc::invalid, fmt::format("this needs a number, not {}", name_of(args[at].kind())));
    }
    return number;
}

Value absolute(Machine& machine, const Args& args) {
    const Value number = number_at(machine, args, 0);
    if (number.is(Kind::real)) return Value::of(std::abs(number.real()));
    if (number.is(Kind::integer) && number.integer() < 0)
        return operate(machine, Op::negate, number, {});
    return number;
}

// Halves go away from zero, as at school.
Value round(Machine& machine, const Args& args) {
    const Value number = number_at(machine, args, 0);
    const auto digits = args.size() < 2 ? 0 : machine.integer_of(args[1]).value_or(-1);
    if (digits < 0 || digits > 15) return machine.fail(Errc::invalid, "round keeps 0 to 15 digits");
    if (!number.is(Kind::real)) return number;
    const double factor = std::pow(10.0, static_cast<double>(digits));
    return Value::of(std::round(number.real() * factor) / factor);
}

Value number_format(Machine& machine, const Args& args) {
    const Value number = number_at(machine, args, 0);
    if (number.is_null()) return {};
    const std::string_view pattern = args.size() < 2 ? "#,##0.###" : machine.text_of(args[1]);
    const Status written = append_formatted(machine.buffer(), number, pattern);
    return written ? machine.made() : machine.fail(written.error());
}

Status check_number_format(std::span<const Known> args) {
    if (args.size() < 2 || !args[1] || !args[1]->is(Kind::text)) return {};
    std::string out;
    return append_formatted(out, Value::of(std::int64_t{0}), args[1]->text());
}

Value to_int(Machine& machine, const Args& args) {
    const auto number = machine.integer_of(args[0]);
    if (number) return Value::of(*number);
    return machine.fail(
        Errc::invalid, fmt::format("int needs a number, not {}", name_of(args[0].kind())));
}

Value to_number(Machine& machine, const Args& args) {
    return number_at(machine, args, 0);
}

// max(1, 2, 3) or max([1, 2, 3])
Value extreme(Machine& machine, const Args& args, Op better) {
    const auto list = args.size() == 1 && args[0].is(Kind::list)
                          ? args[0].list()
                          : std::span<const Value>{args.values, args.size()};
    Value best;
    for (const Value& item : list) {
        if (!machine.charge(1)) return {};
        if (best.is_null() || operate(machine, better, item, best).truthy()) best = item;
    }
    return best;
}

Value largest(Machine& machine, const Args& args) {
    return extreme(machine, args, Op::greater);
}
Value smallest(Machine& machine, const Args& args) {
    return extreme(machine, args, Op::less);
}

Value range(Machine& machine, const Args& args) {
    const auto step = args.size() < 3 ? 1 : machine.integer_of(args[2]).value_or(0);
    if (step < 1)
        return machine.fail(Errc::invalid, "the step of a range is a whole number from 1");
    const Value all = operate(machine, Op::range, args[0], args[1]);
    if (step == 1 || machine.failed()) return all;
    const auto every = static_cast<std::size_t>(step);
    const auto some = machine.new_list((all.list().size() + every - 1) / every);
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = all.list()[i * every];
    return Value::of(std::span<const Value>{some});
}

Value is_empty(Machine& machine, const Args& args) {
    const Value value = machine.plain(args[0]);
    const bool holds = value.is(Kind::text) || value.is(Kind::list) || value.is(Kind::map);
    return Value::of(value.is_null() || (holds && !value.truthy()));
}
Value is_null(Machine& /*machine*/, const Args& args) {
    return Value::of(args[0].is_null());
}
Value is_defined(Machine& /*machine*/, const Args& args) {
    return Value::of(!args[0].is_null());
}
Value is_even(Machine& machine, const Args& args) {
    const auto number = machine.integer_of(args[0]);
    if (!number) return machine.fail(Errc::invalid, "even and odd are for whole numbers");
    return Value::of(*number % 2 == 0);
}
Value is_odd(Machine& machine, const Args& args) {
    return Value::of(!is_even(machine, args).truthy());
}
Value is_map(Machine& /*machine*/, const Args& args) {
    return Value::of(args[0].is(Kind::map) || args[0].is(Kind::headers));
}
Value is_iterable(Machine& machine, const Args& args) {
    return Value::of(args[0].is(Kind::list) || is_map(machine, args).truthy());
}
Value is_string(Machine& /*machine*/, const Args& args) {
    return Value::of(args[0].is(Kind::text));
}
Value is_number(Machine& /*machine*/, const Args& args) {
    return Value::of(args[0].is_number());
}
Value is_equal(Machine& machine, const Args& args) {
    return operate(machine, Op::equal, args[0], args[1]);
}

} // namespace

std::span<const Function> number_filters() {
    static constexpr std::array<Function, 6> filters{{
        {"abs", 1, 1, absolute},
        {"round", 1, 2, round},
        {"numberformat", 1, 2, number_format, check_number_format},
        {"int", 1, 1, to_int},
        {"toNumber", 1, 1, to_number},
        {"number", 1, 1, to_number},
    }};
    return filters;
}

std::span<const Function> number_functions() {
    static constexpr std::array<Function, 3> functions{{
        {"max", 1, Function::any, largest},
        {"min", 1, Function::any, smallest},
        {"range", 2, 3, range},
    }};
    return functions;
}

std::span<const Function> value_tests() {
    static constexpr std::array<Function, 10> tests{{
        {"empty", 1, 1, is_empty},
        {"null", 1, 1, is_null},
        {"defined", 1, 1, is_defined},
        {"even", 1, 1, is_even},
        {"odd", 1, 1, is_odd},
        {"map", 1, 1, is_map},
        {"iterable", 1, 1, is_iterable},
        {"string", 1, 1, is_string},
        {"number", 1, 1, is_number},
        {"equalTo", 2, 2, is_equal},
    }};
    return tests;
}

} // namespace hive::templates
