// Dates, counted from the time the item was given; and the sequences.
#include "kernel/timestamp.hpp"
#include "template/date_pattern.hpp"
#include "template/function_groups.hpp"
#include "template/machine.hpp"
#include "template/sequence_format.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::templates {
namespace {

Status check_pattern(std::span<const Known> args) {
    const Known& pattern = args.back();
    if (!pattern || !pattern->is(Kind::text)) return {};
    return check_date_pattern(pattern->text());
}

Value formatted(Machine& machine, Timestamp time, const Value& pattern) {
    const std::string_view text = machine.text_of(pattern);
    const Status written = append_date(machine.buffer(), time, text);
    return written ? machine.made() : machine.fail(written.error());
}

// A time, or text that is one; anything else means now, as it always did.
Timestamp time_of(Machine& machine, const Value& value) {
    if (value.is(Kind::instant)) return value.instant();
    if (value.is(Kind::text)) {
        if (const auto time = parse_timestamp(value.text())) return *time;
    }
    return machine.state().input.now;
}

Value date_format(Machine& machine, const Args& args) {
    return formatted(machine, time_of(machine, args[0]), args[1]);
}

Status check_offset(std::span<const Known> args) {
    if (args[0] && args[0]->is(Kind::text)) {
        if (const auto moved = offset_by(Timestamp{}, args[0]->text()); !moved) {
            return fail(moved.error());
        }
    }
    return check_pattern(args);
}

Value datetime_offset(Machine& machine, const Args& args) {
    const auto moved = offset_by(machine.state().input.now, machine.text_of(args[0]));
    if (!moved) return machine.fail(moved.error());
    return formatted(machine, *moved, args[1]);
}

Status check_sequence(std::span<const Known> args) {
    if (args.size() == 5) {
        const auto whole = [](const Known& arg) { return arg && arg->is(Kind::integer); };
        if (whole(args[3]) && args[3]->integer() < 1) {
            return fail(Errc::invalid, "a sequence starts at 1 or above");
        }
        if (whole(args[3]) && whole(args[4]) && args[4]->integer() < args[3]->integer()) {
            return fail(Errc::invalid, "the largest number is below the first");
        }
    }
    const bool known = args[1] && args[2] && args[1]->is(Kind::text) && args[2]->is(Kind::text);
    return known ? check_sequence_format(args[1]->text(), args[2]->text()) : Status{};
}

Value written(Machine& machine, const Args& args, std::uint64_t number) {
    const std::string_view mode = machine.text_of(args[1]);
    const std::string_view format = machine.text_of(args[2]);
    const Status done = append_sequence(machine.buffer(), number, mode, format);
    return done ? machine.made() : machine.fail(done.error());
}

Value sequence(Machine& machine, const Args& args) {
    const auto count = machine.state().services.sequences.next(machine.text_of(args[0]));
    return count ? written(machine, args, *count) : machine.fail(count.error());
}

// start, start + 1, ..., max, and again.
Value sequence_with(Machine& machine, const Args& args) {
    const auto start = machine.integer_of(args[3]);
    const auto most = machine.integer_of(args[4]);
    if (!start || !most || *start < 1 || *most < *start) {
        return machine.fail(
            Errc::invalid, "a sequence needs a first number from 1 and a largest not below it");
    }
    const auto count = machine.state().services.sequences.next(machine.text_of(args[0]));
    if (!count) return machine.fail(count.error());
    const auto first = static_cast<std::uint64_t>(*start);
    const std::uint64_t size = static_cast<std::uint64_t>(*most) - first + 1;
    return written(machine, args, first + (*count - 1) % size);
}

Value reset_sequence(Machine& machine, const Args& args) {
    const auto was_there = machine.state().services.sequences.reset(machine.text_of(args[0]));
    return was_there ? Value::of(*was_there) : machine.fail(was_there.error());
}

} // namespace

std::span<const Function> time_functions() {
    static constexpr std::array<Function, 2> functions{{
        {"date_format", 2, 2, date_format, check_pattern},
        {"datetime_offset", 2, 2, datetime_offset, check_offset},
    }};
    return functions;
}

std::span<const Function> sequence_functions() {
    static constexpr std::array<Function, 3> functions{{
        {"sequence", 3, 3, sequence, check_sequence},
        {"sequenceWith", 5, 5, sequence_with, check_sequence},
        {"resetSequence", 1, 1, reset_sequence},
    }};
    return functions;
}

} // namespace hive::templates
