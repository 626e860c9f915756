#pragma once

#include "kernel/result.hpp"
#include "template/context_state.hpp"
#include "template/function.hpp"
#include "template/program.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hive::templates {

// Runs a program once. Functions are handed the machine: for memory, for text, and to fail.
class Machine {
public:
    Machine(ContextState& state, std::string& out);

    bool run(const Program& program);
    // As run, but stops at the value that the program is an expression for.
    bool evaluate(const Program& program);
    const Value& result() const { return result_; }
    Error take_error() { return std::move(error_); }

    ContextState& state() { return state_; }

    // The first failure counts; whoever fails returns what this returns.
    Value fail(Errc code, std::string why);
    Value fail(Error error) { return fail(error.code, std::move(error.detail)); }
    bool failed() const { return failed_; }
    // Work that grows with the data counts as steps; false when there were too many.
    bool charge(std::uint64_t steps);

    // Text as it would be printed; the view lives as long as the render.
    std::string_view text_of(const Value& value);
    std::optional<std::int64_t> integer_of(const Value& value) const; // also of text
    Value number_of(const Value& value) const; // also of text; null when it is none
    void append(std::string& out, const Value& value);
    void append_json(std::string& out, const Value& value, std::size_t depth = 0);

    // Emptied, to build a text in; made() turns it into a value.
    std::string& buffer();
    Value made() { return keep(state_.buffer); }
    Value keep(std::string_view text);
    // Empty when there is no memory left, and then the machine has failed.
    std::span<Value> new_list(std::size_t size);
    std::span<Entry> new_map(std::size_t size);

    // Lists as they are; maps, headers and items as the maps they stand for.
    Value plain(const Value& value);
    Value member(const Value& of, std::string_view name);
    Value index(const Value& of, const Value& key);
    Value parse_json(std::string_view text); // null when it is not JSON
    Value payload_json();
    // A pattern that is only known now; null when it is wrong, and then the machine has failed.
    const Regex* pattern(const Args& args, std::size_t at);
    // Null when it is not there. Costs by the number of keys, and by what comparing them takes.
    const Value* lookup(std::span<const Entry> entries, std::string_view key);
    std::optional<bool> equal(const Value& a, const Value& b, std::size_t depth = 0);

private:
    bool execute(const Program& program, Value* slots);
    Value* push_value(const Program& program, const Instruction& instruction, Value* top);
    Value bound(std::string_view name) const;
    Value vars();
    Value loop_value();
    Value eval(const Program& program, const Scope& scope, const Value* slots);
    std::shared_ptr<const Program> program_of(const Scope& scope, std::string_view text);
    Value make_list(const Value* values, std::size_t size);
    Value make_map(const Value* values, std::size_t size);
    // What a function looks at costs by its size.
    bool charge_for(const Args& args);
    // Where to go on: behind the loop when there is nothing to go through.
    bool begin_loop(const Value& over, std::uint32_t slot, Value* slots);
    bool next_round(Value* slots);
    void print(std::string_view text);
    void emit(const Value& value);
    Value headers_map(const wire::Headers& headers);
    Value header(const wire::Headers& headers, std::string_view name);
    Value item_map(const wire::WorkItem& item);
    Value item_member(const wire::WorkItem& item, std::string_view name);
    void locate(const Program& program, std::size_t instruction);

    ContextState& state_;
    std::string& out_;
    std::size_t out_room_;
    std::uint64_t steps_;
    std::uint64_t rounds_;
    std::size_t eval_depth_ = 0;
    bool wants_value_ = false;
    bool failed_ = false;
    Value result_{};
    Error error_{};
};

// + - * / and the rest: operators.cpp
Value operate(Machine& machine, Op op, const Value& a, const Value& b);

} // namespace hive::templates
