#pragma once

#include "kernel/finding.hpp"
#include "template/arena.hpp"
#include "template/regex.hpp"
#include "template/value.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::templates {

// What the machine does, on a stack of values. `at` means what the comment says.
enum class Op : std::uint8_t {
    // Values put on the stack.
    constant,     // at: the constant
    load,         // at: the variable
    payload,      // as text
    payload_json, // as a value, read at most once per item
    headers,
    vars,
    item,
    now,
    now_iso,
    bound,  // at: the name
    loop,   // the innermost loop: index, length, first, last, revindex
    list,   // at: how many values become one list
    map,    // at: how many pairs of key and value become one map
    member, // at: the constant that names it
    index,
    // Operators: they take one or two values and put one back.
    negate,
    logical_not,
    truth,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    power,
    concat,
    equal,
    not_equal,
    less,
    less_equal,
    greater,
    greater_equal,
    in,
    contains,
    matches, // the whole text
    range,
    // Output, variables and control.
    text,        // at: the constant
    emit,        // takes a value
    yield,       // as emit, of a template that is one expression: who wants a value gets it here
    store,       // at: the variable; takes a value
    jump,        // at: where
    jump_unless, // at: where, when the value it takes is false
    and_jump,    // at: where, with the value, when it is false
    or_jump,     // at: where, with the value, when it is true
    have_jump,   // at: where, with the value, when it is not null
    true_jump,   // at: where, with the value, when it counts as true
    loop_begin,  // at: where to when there is nothing; aux: the variable
    loop_next,   // at: where the body begins
    call,        // at: the function; count: arguments; aux: its pattern, from 1
    eval,        // at: the scope, for text known only now
    halt,
};

struct Instruction {
    Op op = Op::halt;
    std::uint8_t count = 0;
    std::uint16_t aux = 0;
    std::uint32_t at = 0;
};

struct Local {
    std::string name;
    std::uint32_t slot = 0;
};

// What an eval of text known only at run time can see.
struct Scope {
    std::vector<Local> locals;
    std::string signature; // the same for scopes that see the same
};

// A template ready to run: nothing in it changes any more, so that any thread may run it.
struct Program {
    std::vector<Instruction> code;
    std::vector<std::uint32_t> places; // of each instruction in the source
    std::vector<Value> constants;
    std::vector<std::string> names; // bound by the context
    std::vector<Regex> patterns;
    std::vector<Scope> scopes;
    std::vector<std::uint32_t> line_starts;
    Arena memory; // of the constants
    std::size_t stack = 0;
    std::size_t slots = 0;
    bool is_expression = false;

    Position position(std::size_t offset) const noexcept;
};

} // namespace hive::templates
