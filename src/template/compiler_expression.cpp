#include "kernel/text.hpp"
#include "template/compiler.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace hive::templates {

// How tightly an operator binds, as in Pebble; those of eval stand where they feel at home.
struct Compiler::Operator {
    enum class How : std::uint8_t { plain, logical_and, logical_or, coalesce, filter, test };

    std::string_view symbol;
    int precedence;
    Op op;
    How how = How::plain;
};

namespace {

constexpr int not_precedence = 16; // looser than comparing, tighter than `and`
constexpr int sign_precedence = 500;

} // namespace

const Compiler::Operator* Compiler::operator_of(const Token& token) {
    using How = Operator::How;
    static constexpr std::array<Operator, 37> operators{{
        {"or", 10, Op::or_jump, How::logical_or},
        {"||", 10, Op::or_jump, How::logical_or},
        {"and", 15, Op::and_jump, How::logical_and},
        {"&&", 15, Op::and_jump, How::logical_and},
        {"is", 20, Op::call, How::test},
        {"contains", 20, Op::contains},
        {"in", 20, Op::in},
        {"matches", 20, Op::matches},
        {"==", 30, Op::equal},
        {"eq", 30, Op::equal},
        {"equals", 30, Op::equal},
        {"!=", 30, Op::not_equal},
        {"ne", 30, Op::not_equal},
        {"<", 30, Op::less},
        {"lt", 30, Op::less},
        {"<=", 30, Op::less_equal},
        {"le", 30, Op::less_equal},
        {">", 30, Op::greater},
        {"gt", 30, Op::greater},
        {">=", 30, Op::greater_equal},
        {"ge", 30, Op::greater_equal},
        {"+", 40, Op::add},
        {"-", 40, Op::subtract},
        {"*", 60, Op::multiply},
        {"/", 60, Op::divide},
        {"div", 60, Op::divide},
        {"%", 60, Op::modulo},
        {"mod", 60, Op::modulo},
        {"|", 100, Op::call, How::filter},
        {"~", 110, Op::concat},
        {"..", 120, Op::range},
        {"??", 120, Op::have_jump, How::coalesce},
        {"^", 130, Op::power},
        {"**", 130, Op::power},
    }};
    if (token.kind != TokenKind::symbol && token.kind != TokenKind::name) return nullptr;
    for (const Operator& op : operators) {
        if (!op.symbol.empty() && op.symbol == token.text) return &op;
    }
    return nullptr;
}

void Compiler::compile_expression(std::span<const Local> locals) {
    for (const Local& local : locals) {
        scopes_.front().push_back({.name = local.name, .slot = local.slot});
        program_->slots = std::max<std::size_t>(program_->slots, local.slot + 1);
    }
    Reading reading{.lexer = Lexer{source_, 0, Dialect::eval}};
    reading_ = &reading;
    if (expression() && peek().kind != TokenKind::end) unexpected("an operator or the end");
    emit({.op = Op::yield}, 0);
    reading_ = nullptr;
}

bool Compiler::expression() {
    if (is_too_deep_inside() || !binary(0)) return false;
    bool understood = true;
    if (peek().is("?")) {
        understood = ternary();
    } else if (accept("?:")) {
        understood = jump_over(Op::true_jump, 0);
    }
    --depth_;
    return understood;
}

bool Compiler::is_too_deep_inside() {
    if (++depth_ <= options_.limits.depth) return false;
    refuse(
        place(), "limit",
        fmt::format("expressions inside one another more than {} deep", options_.limits.depth));
    return true;
}

bool Compiler::ternary() {
    const std::size_t where = place();
    take();
    const std::size_t otherwise = emit({.op = Op::jump_unless}, where);
    if (!expression() || !expect(":", "and what to take otherwise")) return false;
    const std::size_t end = emit({.op = Op::jump}, where);
    --height_; // only one of both values will be there
    land(otherwise);
    if (!expression()) return false;
    land(end);
    return true;
}

// A right side that is only looked at when the left one does not decide.
bool Compiler::jump_over(Op jump, int precedence) {
    const std::size_t at = emit({.op = jump}, place());
    const bool understood = precedence == 0 ? expression() : binary(precedence);
    land(at);
    return understood;
}

bool Compiler::binary(int least) {
    if (is_too_deep_inside()) return false;
    const std::size_t start = here();
    if (!unary()) return false;
    for (const Operator* op = operator_of(peek()); op != nullptr && op->precedence >= least;
         op = operator_of(peek())) {
        if (!apply(*op, start)) return false;
    }
    --depth_;
    return true;
}

bool Compiler::apply(const Operator& op, std::size_t start) {
    const std::size_t where = place();
    take();
    switch (op.how) {
    case Operator::How::filter: return filter(start);
    case Operator::How::test: return test(start);
    case Operator::How::coalesce:
        forgive_names_since(start);
        return jump_over(Op::have_jump, op.precedence + 1);
    case Operator::How::logical_and:
    case Operator::How::logical_or:
        if (!jump_over(op.op, op.precedence + 1)) return false;
        emit({.op = Op::truth}, where);
        return true;
    case Operator::How::plain: break;
    }
    if (!binary(op.precedence + 1)) return false;
    emit({.op = op.op}, where);
    return true;
}

bool Compiler::unary() {
    const std::size_t where = place();
    if (accept("not")) {
        if (!binary(not_precedence)) return false;
        emit({.op = Op::logical_not}, where);
        return true;
    }
    if (accept("!")) {
        if (!binary(sign_precedence)) return false;
        emit({.op = Op::logical_not}, where);
        return true;
    }
    if (accept("-")) return negation(where);
    if (accept("+")) return binary(sign_precedence);
    return primary();
}

// A negative number is a constant too, so that it can be checked where it is an argument.
bool Compiler::negation(std::size_t where) {
    const std::size_t start = here();
    if (!binary(sign_precedence)) return false;
    const Known known = known_since(start);
    if (known && known->is_number()) {
        program_->constants.back() =
            known->is(Kind::integer) ? Value::of(-known->integer()) : Value::of(-known->real());
        return true;
    }
    emit({.op = Op::negate}, where);
    return true;
}

bool Compiler::number() {
    const Token token = take();
    std::string_view digits = token.text;
    const bool whole = digits.find_first_of(".eE") == digits.npos;
    if (whole && (digits.ends_with('L') || digits.ends_with('l'))) digits.remove_suffix(1);
    const char* const end = digits.data() + digits.size();
    std::int64_t integer = 0;
    double real = 0;
    const auto read = whole ? std::from_chars(digits.data(), end, integer)
                            : std::from_chars(digits.data(), end, real);
    if (read.ec != std::errc{} || read.ptr != end) {
        return refuse(
            place_of(token.at), "syntax",
            fmt::format("'{}' is not a number this can hold", printable(token.text, 40)));
    }
    push(whole ? Value::of(integer) : Value::of(real), place_of(token.at));
    return true;
}

bool Compiler::primary() {
    const Token token = peek();
    const std::size_t where = place();
    if (token.kind == TokenKind::number) return number() && postfix(false);
    if (token.kind == TokenKind::string) {
        const Unquoted text = unquote(token.text, reading_->lexer.dialect());
        if (!text.closed) return unexpected("a value");
        if (token.text.starts_with('"') && text.text.find("#{") != text.text.npos) {
            return refuse(
                where, "syntax", "expressions inside a text, #{...}, are not known here",
                "close the text and join with ~");
        }
        take();
        push(Value::of(keep(text.text)), where);
        return postfix(false);
    }
    if (accept("(")) return expression() && expect(")", "to close the bracket") && postfix(false);
    if (accept("[")) return list_until("]") && postfix(false);
    if (accept("{")) return braces() && postfix(false);
    if (accept("#")) {
        const Token name = take();
        if (name.kind != TokenKind::name) {
            return refuse(place_of(name.at), "syntax", "expected a name behind '#'");
        }
        const bool ok = peek().is("(") ? call(name, Table::function) : variable(name);
        return ok && postfix(false);
    }
    if (token.kind != TokenKind::name || operator_of(token) != nullptr)
        return unexpected("a value");
    take();
    if (peek().is("(")) return call(token, Table::function) && postfix(false);
    if (token.text == "true" || token.text == "false") {
        push(Value::of(token.text == "true"), where);
    } else if (token.text == "null" || token.text == "none") {
        push(Value{}, where);
    } else if (!variable(token)) {
        return false;
    }
    return postfix(token.text == "payload");
}

bool Compiler::postfix(bool is_payload) {
    for (;;) {
        const std::size_t where = place();
        const bool dot = peek().is(".") || peek().is("?.");
        if (!dot && !peek().is("[")) return true;
        // `payload.id`: the payload is text, and what is meant is its JSON.
        if (is_payload && code().back().op == Op::payload) code().back().op = Op::payload_json;
        take();
        if (dot) {
            if (!member()) return false;
            continue;
        }
        if (!expression() || !expect("]", "to close the bracket")) return false;
        emit({.op = Op::index}, where);
    }
}

bool Compiler::member() {
    const Token name = take();
    if (name.kind != TokenKind::name && name.kind != TokenKind::number) {
        return refuse(place_of(name.at), "syntax", "expected a name behind '.'");
    }
    program_->constants.push_back(Value::of(keep(name.text)));
    const auto at = static_cast<std::uint32_t>(program_->constants.size() - 1);
    emit({.op = Op::member, .at = at}, place_of(name.at));
    if (!accept("(")) return true;
    // `workItem.payload()` is how Java spells `workItem.payload`.
    if (accept(")")) return true;
    return refuse(
        place_of(name.at), "syntax",
        fmt::format("'{}' is a method with arguments; methods cannot be called", name.text),
        "use a filter or a function");
}

bool Compiler::list_until(std::string_view close) {
    const std::size_t where = place();
    std::uint32_t count = 0;
    while (!peek().is(close)) {
        if (count > 0 && !expect(",", fmt::format("or '{}'", close))) return false;
        if (!expression()) return false;
        ++count;
    }
    take();
    emit({.op = Op::list, .at = count}, where);
    return true;
}

// {'a': 1}, or the lists of eval: {1, 2}. A bare word is a key.
bool Compiler::braces() {
    const std::size_t where = place();
    std::uint32_t count = 0;
    while (!peek().is("}")) {
        if (count > 0 && !expect(",", "or '}'")) return false;
        const Token key = peek();
        if (key.kind == TokenKind::name && reading_->lexer.after().starts_with(':')) {
            take();
            push(Value::of(keep(key.text)), place_of(key.at));
        } else if (!expression()) {
            return false;
        }
        ++count;
        if (count == 1 && !peek().is(":")) {
            if (!peek().is("}") && !expect(",", "or '}'")) return false;
            if (!list_until("}")) return false;
            ++code().back().at;
            --height_;
            return true;
        }
        if (!expect(":", "behind the key") || !expression()) return false;
    }
    take();
    emit({.op = Op::map, .at = count}, where);
    return true;
}

} // namespace hive::templates
