#include "kernel/text.hpp"
#include "template/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::templates {
namespace {

struct Root {
    std::string_view name;
    Op op;
};

constexpr std::array<Root, 7> roots{{
    {"payload", Op::payload},
    {"payloadAsJson", Op::payload_json},
    {"headers", Op::headers},
    {"vars", Op::vars},
    {"workItem", Op::item},
    {"now", Op::now},
    {"nowIso", Op::now_iso},
}};

std::string_view word_of(Table table) {
    if (table == Table::filter) return "filter";
    return table == Table::test ? "test" : "function";
}

std::string count_text(const Function& function) {
    const auto arguments = [](unsigned count) {
        return fmt::format("{} argument{}", count, count == 1 ? "" : "s");
    };
    if (function.least == function.most) return arguments(function.least);
    if (function.most == Function::any) return "at least " + arguments(function.least);
    return fmt::format("{} to {}", function.least, arguments(function.most));
}

} // namespace

std::uint32_t Compiler::slot_of(std::string_view name, bool define) {
    for (std::size_t i = scopes_.size(); i-- > 0;) {
        const auto found = std::ranges::find(scopes_[i], name, &Variable::name);
        if (found == scopes_[i].end()) continue;
        if (define && !found->defined) {
            found->defined = true;
            std::erase_if(unresolved_, [&](const Unresolved& use) { return use.name == name; });
        }
        return found->slot;
    }
    const auto slot = static_cast<std::uint32_t>(program_->slots++);
    auto& scope = define ? scopes_.back() : scopes_.front();
    scope.push_back({.name = std::string{name}, .slot = slot, .defined = define});
    return slot;
}

bool Compiler::variable(const Token& name) {
    const std::size_t where = place_of(name.at);
    const bool is_local = std::ranges::any_of(scopes_, [&](const auto& scope) {
        return std::ranges::any_of(
            scope, [&](const Variable& v) { return v.defined && v.name == name.text; });
    });
    if (is_local) {
        emit({.op = Op::load, .at = slot_of(name.text, false)}, where);
        return true;
    }
    if (name.text == "loop" && std::ranges::any_of(blocks_, &Block::is_loop)) {
        emit({.op = Op::loop}, where);
        return true;
    }
    if (const auto root = std::ranges::find(roots, name.text, &Root::name); root != roots.end()) {
        emit({.op = root->op}, where);
        return true;
    }
    if (std::ranges::find(options_.names, name.text) != options_.names.end()) {
        program_->names.emplace_back(name.text);
        emit(
            {.op = Op::bound, .at = static_cast<std::uint32_t>(program_->names.size() - 1)}, where);
        return true;
    }
    // Perhaps a loop sets it for its next round; finish() reports what nobody set.
    const std::size_t at = emit({.op = Op::load, .at = slot_of(name.text, false)}, where);
    unresolved_.push_back({.name = std::string{name.text}, .code = at, .place = where});
    return true;
}

// `x ?? 1`, `x is defined` and `x | default(1)` are how a template asks whether there is an x: then
// it may be missing.
void Compiler::forgive_names_since(std::size_t start) {
    for (const Unresolved& use : unresolved_) {
        if (use.code >= start) may_be_missing_.insert(use.name);
    }
}

// Whether the code since `start` is one constant.
Known Compiler::known_since(std::size_t start) const {
    if (here() != start + 1 || program_->code.back().op != Op::constant) return std::nullopt;
    return program_->constants[program_->code.back().at];
}

bool Compiler::arguments(std::vector<Known>& known) {
    for (bool first = true; !peek().is(")"); first = false) {
        if (!first && !expect(",", "or ')'")) return false;
        const std::string_view behind = reading_->lexer.after();
        if (peek().kind == TokenKind::name && behind.starts_with('=') &&
            !behind.starts_with("==")) {
            return refuse(
                place(), "syntax", "arguments have no names here",
                "write the values alone, in their order");
        }
        const std::size_t start = here();
        if (!expression()) return false;
        known.push_back(known_since(start));
    }
    take();
    return true;
}

bool Compiler::call(const Token& name, Table table) {
    if (table == Table::function && name.text == "eval") return eval_call(name);
    if (table == Table::function && name.text == "T" &&
        reading_->lexer.dialect() == Dialect::eval) {
        return refuse(place_of(name.at), "syntax", "types cannot be used in expressions");
    }
    take(); // the bracket
    std::vector<Known> known;
    if (!arguments(known)) return false;
    finish_call(name, table, known);
    return true;
}

bool Compiler::filter(std::size_t start) {
    const Token name = take();
    if (name.kind != TokenKind::name) {
        return refuse(place_of(name.at), "syntax", "expected the name of a filter behind '|'");
    }
    if (name.text == "default") forgive_names_since(start);
    std::vector<Known> known{std::nullopt};
    if (accept("(") && !arguments(known)) return false;
    finish_call(name, Table::filter, known);
    return true;
}

bool Compiler::test(std::size_t start) {
    forgive_names_since(start);
    const std::size_t where = place();
    const bool negated = accept("not");
    const Token name = take();
    if (name.kind != TokenKind::name) {
        return refuse(place_of(name.at), "syntax", "expected a test like 'empty' behind 'is'");
    }
    std::vector<Known> known{std::nullopt};
    if (accept("(") && !arguments(known)) return false;
    finish_call(name, Table::test, known);
    if (negated) emit({.op = Op::logical_not}, where);
    return true;
}

void Compiler::finish_call(const Token& name, Table table, std::vector<Known>& known) {
    const std::size_t where = place_of(name.at);
    const auto found = find_function(table, name.text);
    if (!found) {
        const auto meant = nearest_function(table, name.text);
        refuse(
            where, fmt::format("unknown-{}", word_of(table)),
            fmt::format("there is no {} '{}'", word_of(table), printable(name.text, 40)),
            meant ? fmt::format("did you mean '{}'?", *meant) : "");
        push(Value{}, where); // so that reading goes on as if it were there
        return;
    }
    const Function& function = all_functions()[*found];
    if (known.size() < function.least || known.size() > function.most || known.size() > 254) {
        // A filter's first argument is not in its brackets.
        Function shown = function;
        const unsigned hidden = table == Table::function ? 0 : 1;
        shown.least = static_cast<std::uint8_t>(shown.least - hidden);
        if (shown.most != Function::any)
            shown.most = static_cast<std::uint8_t>(shown.most - hidden);
        refuse(
            where, "bad-argument",
            fmt::format(
                "'{}' takes {}, not {}", name.text, count_text(shown), known.size() - hidden));
        return;
    }
    if (function.check != nullptr) {
        if (const Status fine = function.check(known); !fine) {
            refuse(where, "bad-argument", fmt::format("{}: {}", name.text, fine.error().detail));
        }
    }
    emit(
        {.op = Op::call,
         .count = static_cast<std::uint8_t>(known.size()),
         .aux = pattern_of(function, known, where),
         .at = static_cast<std::uint32_t>(*found)},
        where);
}

// A pattern that is known now is compiled now, once; from 1, as 0 means that there is none.
std::uint16_t
Compiler::pattern_of(const Function& function, std::vector<Known>& known, std::size_t place) {
    if (function.pattern >= known.size() || !known[function.pattern]) return 0;
    if (!known[function.pattern]->is(Kind::text)) return 0;
    auto compiled = Regex::compile(known[function.pattern]->text());
    if (!compiled) {
        refuse(
            place, "bad-argument", fmt::format("{}: {}", function.name, compiled.error().detail));
        return 0;
    }
    if (program_->patterns.size() == UINT16_MAX) return 0;
    program_->patterns.push_back(*std::move(compiled));
    return static_cast<std::uint16_t>(program_->patterns.size());
}

Scope Compiler::visible() const {
    Scope seen;
    for (std::size_t i = scopes_.size(); i-- > 0;) {
        for (const Variable& variable : scopes_[i]) {
            const bool hidden =
                std::ranges::find(seen.locals, variable.name, &Local::name) != seen.locals.end();
            if (!variable.defined || hidden) continue;
            seen.locals.push_back({variable.name, variable.slot});
            seen.signature += fmt::format("{}={},", variable.name, variable.slot);
        }
    }
    return seen;
}

bool Compiler::eval_call(const Token& name) {
    take(); // the bracket
    const Token first = peek();
    const std::string_view behind = reading_->lexer.after();
    const std::size_t close = behind.find_first_not_of(" \t\r\n");
    if (first.kind == TokenKind::string && close != behind.npos && behind[close] == ')') {
        return eval_constant(first);
    }
    const std::size_t where = place_of(name.at);
    if (!expression()) return false;
    program_->scopes.push_back(visible());
    emit({.op = Op::eval, .at = static_cast<std::uint32_t>(program_->scopes.size() - 1)}, where);
    return expect(")", "to close 'eval'");
}

// Text that is known now becomes part of this program, and its mistakes are found now.
bool Compiler::eval_constant(const Token& literal) {
    const Unquoted text = unquote(literal.text, reading_->lexer.dialect());
    std::vector<std::uint32_t> places;
    for (const std::uint32_t from : text.from) {
        places.push_back(static_cast<std::uint32_t>(place_of(literal.at + from)));
    }
    Reading inner{.lexer = Lexer{text.text, 0, Dialect::eval}, .places = &places, .base = 0};
    if (places.empty()) inner.base = place_of(literal.at);
    Reading* const outer = std::exchange(reading_, &inner);
    bool understood = expression();
    if (understood && peek().kind != TokenKind::end) {
        understood = unexpected("an operator or the end of the text");
    }
    reading_ = outer;
    if (!understood) return false;
    take(); // the text
    return expect(")", "to close 'eval'");
}

} // namespace hive::templates
