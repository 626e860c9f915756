#pragma once

#include "template/function.hpp"
#include "template/lexer.hpp"
#include "template/program.hpp"
#include "template/template.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::templates {

// Turns a template into a program in one pass. What cannot be understood becomes a finding, and the
// reading goes on behind the tag, so that one look shows all there is to mend.
class Compiler {
public:
    Compiler(std::string_view source, const CompileOptions& options);

    void compile_template();
    // The text given to eval at run time, which sees the variables around it.
    void compile_expression(std::span<const Local> locals);
    tl::expected<std::shared_ptr<const Program>, Findings> finish();

private:
    struct Variable {
        std::string name;
        std::uint32_t slot = 0;
        bool defined = true; // false: used, and perhaps set further down
    };
    struct Unresolved {
        std::string name;
        std::size_t code = 0; // the instruction that uses it
        std::size_t place = 0;
    };
    // An open `if` or `for`.
    struct Block {
        bool is_loop = false;
        bool has_else = false;
        std::size_t place = 0;
        std::optional<std::size_t> pending{}; // the jump that leads behind the current branch
        std::vector<std::size_t> ends{};      // the jumps that lead behind the whole
        std::size_t body = 0;
    };
    struct Operator;
    // What an eval is read with, put back when it is done.
    struct Reading {
        Lexer lexer;
        const std::vector<std::uint32_t>* places = nullptr; // of each byte in the source
        std::size_t base = 0;
    };

    // Tags: compiler_tags.cpp
    void text_until(std::size_t end, bool trim_end);
    void tag_at(std::size_t open);
    void print_tag();
    void statement_tag();
    void close_tag(std::string_view bracket);
    std::size_t skip_to(std::string_view bracket) const;
    void behind_tag(std::size_t at);
    void comment_at(std::size_t open);
    void verbatim();
    bool set_statement();
    bool if_statement(std::size_t place);
    bool elseif_statement(std::size_t place);
    bool else_statement(std::size_t place);
    bool for_statement(std::size_t place);
    bool end_statement(std::size_t place, bool is_loop);
    bool unknown_statement(const Token& word);
    bool is_too_deep(std::size_t place);

    // Expressions: compiler_expression.cpp
    bool expression();
    bool is_too_deep_inside();
    bool binary(int least);
    bool apply(const Operator& op, std::size_t start);
    bool unary();
    bool primary();
    bool postfix(bool is_payload);
    bool member();
    bool negation(std::size_t where);
    bool number();
    bool list_until(std::string_view close);
    bool braces();
    bool jump_over(Op jump, int precedence);
    bool ternary();
    static const Operator* operator_of(const Token& token);

    // Names and calls: compiler_calls.cpp
    bool variable(const Token& name);
    bool call(const Token& name, Table table);
    bool filter(std::size_t start);
    bool test(std::size_t start);
    bool arguments(std::vector<Known>& known);
    void finish_call(const Token& name, Table table, std::vector<Known>& known);
    bool eval_call(const Token& name);
    bool eval_constant(const Token& literal);
    std::uint16_t
    pattern_of(const Function& function, std::vector<Known>& known, std::size_t place);
    Known known_since(std::size_t start) const;
    std::uint32_t slot_of(std::string_view name, bool define);
    Scope visible() const;
    void forgive_names_since(std::size_t start);

    // The program: compiler.cpp
    std::size_t emit(Instruction instruction, std::size_t place);
    void push(const Value& constant, std::size_t place);
    void append_text(std::string_view text);
    void land(std::size_t jump) { code()[jump].at = static_cast<std::uint32_t>(code().size()); }
    std::vector<Instruction>& code() { return program_->code; }
    std::size_t here() const { return program_->code.size(); }
    std::string_view keep(std::string_view text);

    // Tokens of what is being read, and findings.
    const Token& peek() const { return reading_->lexer.peek(); }
    Token take() { return reading_->lexer.take(); }
    bool accept(std::string_view symbol);
    bool expect(std::string_view symbol, std::string_view why);
    std::size_t place_of(std::size_t at) const;
    std::size_t place() const { return place_of(peek().at); }
    // Always false, for `return refuse(...)`.
    bool
    refuse(std::size_t place, std::string_view code, std::string message, std::string hint = {});
    bool unexpected(std::string_view wanted);

    std::string_view source_;
    CompileOptions options_;
    std::shared_ptr<Program> program_;
    Findings findings_;
    std::vector<std::vector<Variable>> scopes_;
    std::vector<Unresolved> unresolved_;
    std::set<std::string> may_be_missing_;
    std::vector<Block> blocks_;
    Reading* reading_ = nullptr;
    std::size_t at_ = 0;        // in the source, between tags
    bool trim_next_ = false;    // the last tag ended in -}} or -%}
    bool newline_next_ = false; // a line break right behind a tag belongs to it
    std::size_t depth_ = 0;
    std::size_t height_ = 0; // of the stack
    std::size_t prints_ = 0;
};

} // namespace hive::templates
