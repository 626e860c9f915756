#include "template/machine.hpp"

#include "kernel/timestamp.hpp"
#include "template/compiler.hpp"
#include "template/template.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace hive::templates {
namespace {

constexpr bool is_unary(Op op) {
    return op == Op::negate || op == Op::logical_not || op == Op::truth;
}

} // namespace

Machine::Machine(ContextState& state, std::string& out)
    : state_{state}, out_{out}, out_room_{out.size() + state.limits.output_bytes},
      steps_{state.limits.steps}, rounds_{state.limits.loop_rounds} {
    state_.memory.clear();
    state_.loops.clear();
    state_.retired.clear();
}

bool Machine::run(const Program& program) {
    auto* const slots = state_.memory.array<Value>(program.slots);
    if (slots == nullptr) {
        fail(Errc::limit, "the variables need more memory than memory_bytes allows");
        return false;
    }
    std::fill_n(slots, program.slots, Value{});
    return execute(program, slots);
}

bool Machine::evaluate(const Program& program) {
    wants_value_ = true;
    if (!run(program)) return false;
    if (result_.is(Kind::headers) || result_.is(Kind::item)) result_ = plain(result_);
    return !failed_;
}

bool Machine::execute(const Program& program, Value* slots) {
    Value* top = state_.memory.array<Value>(program.stack + 1);
    if (top == nullptr) {
        fail(Errc::limit, "the stack needs more memory than memory_bytes allows");
        return false;
    }
    const std::span<const Function> functions = all_functions();
    for (std::size_t next = 0;;) {
        const std::size_t here = next++;
        const Instruction& now = program.code[here];
        if (steps_-- == 0) charge(1);
        switch (now.op) {
        case Op::constant: *top++ = program.constants[now.at]; break;
        case Op::load: *top++ = slots[now.at]; break;
        case Op::text: print(program.constants[now.at].text()); break;
        case Op::yield:
            if (wants_value_) {
                result_ = *--top;
                return !failed_;
            }
            [[fallthrough]];
        case Op::emit: emit(*--top); break;
        case Op::store: slots[now.at] = *--top; break;
        case Op::call: {
            top -= now.count;
            const Regex* pattern = now.aux == 0 ? nullptr : &program.patterns[now.aux - 1U];
            const Args args{top, now.count, pattern};
            if (charge_for(args)) *top = functions[now.at].call(*this, args);
            ++top;
            break;
        }
        case Op::jump: next = now.at; break;
        case Op::jump_unless: next = (--top)->truthy() ? next : now.at; break;
        case Op::and_jump: next = (--top)->truthy() ? next : (++top, now.at); break;
        case Op::or_jump:
        case Op::true_jump: next = (--top)->truthy() ? (++top, now.at) : next; break;
        case Op::have_jump: next = (--top)->is_null() ? next : (++top, now.at); break;
        case Op::loop_begin: next = begin_loop(*--top, now.aux, slots) ? next : now.at; break;
        case Op::loop_next: next = next_round(slots) ? now.at : next; break;
        case Op::eval:
            result_ = top[-1];
            top[-1] = eval(program, program.scopes[now.at], slots);
            break;
        case Op::halt: return true;
        default:
            if (now.op < Op::negate) {
                top = push_value(program, now, top);
            } else if (is_unary(now.op)) {
                top[-1] = operate(*this, now.op, top[-1], {});
            } else {
                --top;
                top[-1] = operate(*this, now.op, top[-1], *top);
            }
        }
        if (failed_) [[unlikely]] {
            locate(program, here);
            return false;
        }
    }
}

Value* Machine::push_value(const Program& program, const Instruction& now, Value* top) {
    switch (now.op) {
    case Op::payload: *top = Value::of(state_.input.payload); break;
    case Op::payload_json: *top = payload_json(); break;
    case Op::headers:
        *top = state_.input.headers == nullptr ? Value{} : Value::of(*state_.input.headers);
        break;
    case Op::vars: *top = vars(); break;
    case Op::item:
        *top = state_.input.item == nullptr ? Value{} : Value::of(*state_.input.item);
        break;
    case Op::now: *top = Value::of(state_.input.now); break;
    case Op::now_iso:
        append_timestamp(buffer(), state_.input.now);
        *top = made();
        break;
    case Op::bound: *top = bound(program.names[now.at]); break;
    case Op::loop: *top = loop_value(); break;
    case Op::list:
        top -= now.at;
        *top = make_list(top, now.at);
        break;
    case Op::map:
        top -= std::size_t{now.at} * 2;
        *top = make_map(top, now.at);
        break;
    case Op::member:
        --top;
        *top = member(*top, program.constants[now.at].text());
        break;
    default: // Op::index
        top -= 2;
        *top = index(*top, top[1]);
    }
    return top + 1;
}

Value Machine::fail(Errc code, std::string why) {
    if (!failed_) error_ = {code, std::move(why)};
    failed_ = true;
    return {};
}

bool Machine::charge(std::uint64_t steps) {
    // The counter may have wrapped below zero by one instruction.
    if (steps <= steps_ && steps_ <= state_.limits.steps) {
        steps_ -= steps;
        return true;
    }
    steps_ = 0;
    fail(
        Errc::limit,
        fmt::format("more than {} steps; do less in one template", state_.limits.steps));
    return false;
}

bool Machine::charge_for(const Args& args) {
    std::uint64_t weight = 0;
    for (std::size_t i = 0; i < args.size(); ++i) weight += args[i].weight();
    constexpr std::uint64_t weight_per_step = 32;
    return weight < weight_per_step || charge(weight / weight_per_step);
}

void Machine::locate(const Program& program, std::size_t instruction) {
    const Position at = program.position(program.places[instruction]);
    error_.detail = fmt::format("line {}, column {}: {}", at.line, at.column, error_.detail);
}

void Machine::print(std::string_view text) {
    if (out_.size() + text.size() > out_room_) {
        fail(
            Errc::limit,
            fmt::format("the text would be longer than {} bytes", state_.limits.output_bytes));
        return;
    }
    out_ += text;
}

void Machine::emit(const Value& value) {
    if (value.is(Kind::text)) return print(value.text());
    if (value.is(Kind::integer)) {
        append_number(out_, value.integer());
        return print({}); // looks at the bound
    }
    if (!value.is_null()) print(text_of(value));
}

Value Machine::bound(std::string_view name) const {
    const auto at = std::ranges::find(state_.bindings, name, &Binding::name);
    return at == state_.bindings.end() ? Value{} : at->value;
}

Value Machine::loop_value() {
    if (state_.loops.empty()) return {};
    const Loop& loop = state_.loops.back();
    const auto entries = new_map(5);
    if (entries.empty()) return {};
    const auto number = [](std::size_t n) { return Value::of(static_cast<std::int64_t>(n)); };
    entries[0] = {"index", number(loop.index)};
    entries[1] = {"length", number(loop.size)};
    entries[2] = {"first", Value::of(loop.index == 0)};
    entries[3] = {"last", Value::of(loop.index + 1 == loop.size)};
    entries[4] = {"revindex", number(loop.size - loop.index - 1)};
    return Value::of(std::span<const Entry>{entries});
}

Value Machine::make_list(const Value* values, std::size_t size) {
    const auto items = new_list(size);
    std::copy_n(values, items.size(), items.begin());
    return Value::of(std::span<const Value>{items});
}

Value Machine::make_map(const Value* values, std::size_t size) {
    const auto entries = new_map(size);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        entries[i] = {text_of(values[2 * i]), values[2 * i + 1]};
    }
    return Value::of(std::span<const Entry>{entries});
}

bool Machine::begin_loop(const Value& over, std::uint32_t slot, Value* slots) {
    Value items = plain(over);
    if (items.is(Kind::map)) {
        const auto pairs = new_list(items.map().size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            const auto pair = new_map(2);
            if (pair.empty()) return false;
            pair[0] = {"key", Value::of(items.map()[i].key)};
            pair[1] = {"value", items.map()[i].value};
            pairs[i] = Value::of(std::span<const Entry>{pair});
        }
        items = Value::of(std::span<const Value>{pairs});
    }
    if (items.is_null()) return false;
    if (!items.is(Kind::list)) {
        fail(
            Errc::invalid,
            fmt::format("'for' goes through lists and maps, not {}", name_of(items.kind())));
        return false;
    }
    if (items.list().empty()) return false;
    state_.loops.push_back({items.list().data(), items.list().size(), 0, slot});
    slots[slot] = items.list().front();
    return true;
}

bool Machine::next_round(Value* slots) {
    Loop& loop = state_.loops.back();
    if (++loop.index == loop.size) {
        state_.loops.pop_back();
        return false;
    }
    if (rounds_-- == 0) {
        rounds_ = 0;
        fail(Errc::limit, fmt::format("more than {} rounds of loops", state_.limits.loop_rounds));
        return false;
    }
    slots[loop.slot] = loop.items[loop.index];
    return true;
}

std::shared_ptr<const Program> Machine::program_of(const Scope& scope, std::string_view text) {
    std::string key{text};
    key += '\n';
    key += scope.signature;
    if (const auto known = state_.evals.find(key); known != state_.evals.end())
        return known->second;
    if (!charge(100 + text.size() * 4)) return nullptr;
    std::vector<std::string_view> names;
    for (const Binding& binding : state_.bindings) names.push_back(binding.name);
    Compiler compiler{text, {.names = names}};
    compiler.compile_expression(scope.locals);
    auto program = compiler.finish();
    if (!program) {
        const Finding& first = program.error().front();
        fail(
            Errc::invalid, fmt::format(
                               "eval of a text with a mistake at line {}, column {}: {}",
                               first.at.line, first.at.column, first.message));
        return nullptr;
    }
    if (state_.evals.size() >= ContextState::cache_max) {
        for (auto& [text_of_it, old] : state_.evals) state_.retired.push_back(std::move(old));
        state_.evals.clear();
    }
    state_.evals.emplace(std::move(key), *program);
    return *std::move(program);
}

// What to eval is in result_: the machine has no other parameter to spare.
Value Machine::eval(const Program& program, const Scope& scope, const Value* slots) {
    const Value text = result_;
    if (!text.is(Kind::text)) return text; // a value already: nothing to read
    if (eval_depth_ == eval_depth_max) {
        return fail(
            Errc::limit, fmt::format("more than {} evals inside one another", eval_depth_max));
    }
    const auto inner = program_of(scope, text.text());
    if (inner == nullptr) return {};
    auto* const copies = state_.memory.array<Value>(inner->slots);
    if (copies == nullptr)
        return fail(Errc::limit, "eval needs more memory than memory_bytes allows");
    std::fill_n(copies, inner->slots, Value{});
    std::copy_n(slots, std::min(inner->slots, program.slots), copies);
    ++eval_depth_;
    const bool wanted = std::exchange(wants_value_, true);
    const bool done = execute(*inner, copies);
    wants_value_ = wanted;
    --eval_depth_;
    return done ? result_ : Value{};
}

Status Template::render(Context& context, std::string& out) const {
    const std::size_t before = out.size();
    Machine machine{context.state(), out};
    if (machine.run(*program_)) return {};
    out.resize(before);
    return hive::fail(machine.take_error());
}

Result<Value> Template::evaluate(Context& context) const {
    std::string& out = context.state().output;
    out.clear();
    Machine machine{context.state(), out};
    if (!machine.evaluate(*program_)) return hive::fail(machine.take_error());
    if (program_->is_expression) return machine.result();
    return Value::of(std::string_view{out});
}

bool Template::is_constant() const noexcept {
    return std::ranges::all_of(program_->code, [](const Instruction& instruction) {
        return instruction.op == Op::text || instruction.op == Op::halt;
    });
}

bool Template::is_expression() const noexcept {
    return program_->is_expression;
}

} // namespace hive::templates
