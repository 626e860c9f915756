#include "kernel/text.hpp"
#include "template/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::templates {
namespace {

constexpr std::string_view spaces = " \t\r\n";

// The text behind a tag loses its first line break, as in Pebble.
std::string_view without_newline(std::string_view text) {
    if (text.starts_with("\r\n")) return text.substr(2);
    if (text.starts_with('\n') || text.starts_with('\r')) return text.substr(1);
    return text;
}

std::size_t find_open(std::string_view source, std::size_t from) {
    for (std::size_t at = source.find('{', from); at != source.npos && at + 1 < source.size();
         at = source.find('{', at + 1)) {
        const char next = source[at + 1];
        if (next == '{' || next == '%' || next == '#') return at;
    }
    return source.npos;
}

} // namespace

void Compiler::compile_template() {
    for (;;) {
        const std::size_t open = find_open(source_, at_);
        if (open == source_.npos) break;
        const bool trims = source_.substr(open + 2).starts_with('-') && source_[open + 1] != '#';
        text_until(open, trims);
        tag_at(open);
    }
    text_until(source_.size(), false);
    for (const Block& block : blocks_) {
        const std::string_view word = block.is_loop ? "for" : "if";
        refuse(
            block.place, "syntax", fmt::format("this '{}' is not closed", word),
            fmt::format("add {{% end{} %}}", word));
    }
    // A lone expression can be asked for its value.
    const bool alone = prints_ == 1 && !code().empty() && code().back().op == Op::emit;
    const bool only = alone && std::ranges::none_of(code(), [](const Instruction& instruction) {
                          return instruction.op == Op::text || instruction.op == Op::store ||
                                 instruction.op == Op::loop_begin;
                      });
    if (only && blocks_.empty() && source_.starts_with("{{") && source_.ends_with("}}")) {
        code().back().op = Op::yield;
        program_->is_expression = true;
    }
}

void Compiler::text_until(std::size_t end, bool trim_end) {
    std::string_view text = source_.substr(at_, end - at_);
    if (trim_next_) text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    if (newline_next_ && !trim_next_) text = without_newline(text);
    if (trim_end) text = text.substr(0, text.find_last_not_of(spaces) + 1);
    append_text(text);
    trim_next_ = false;
    newline_next_ = false;
    at_ = end;
}

void Compiler::tag_at(std::size_t open) {
    const char kind = source_[open + 1];
    if (kind == '#') return comment_at(open);
    const bool trims = source_.substr(open + 2).starts_with('-');
    Reading reading{.lexer = Lexer{source_, open + (trims ? 3U : 2U), Dialect::tag}};
    reading_ = &reading;
    height_ = 0;
    depth_ = 0;
    at_ = open;
    if (kind == '{') {
        print_tag();
    } else {
        statement_tag();
    }
    reading_ = nullptr;
}

void Compiler::print_tag() {
    const std::size_t where = place();
    const std::size_t start = here();
    if (!expression()) return behind_tag(skip_to("}}"));
    ++prints_;
    // Text that never changes is written as text.
    const Known known = known_since(start);
    if (known && known->is(Kind::text)) {
        code().back().op = Op::text;
    } else {
        emit({.op = Op::emit}, where);
    }
    close_tag("}}");
}

// Behind the closing bracket, or with a finding behind wherever it is.
void Compiler::close_tag(std::string_view bracket) {
    std::size_t at = peek().at;
    if (peek().kind == TokenKind::end) {
        const std::string_view rest = source_.substr(at);
        const bool trims = rest.starts_with('-');
        if (rest.substr(trims ? 1 : 0).starts_with(bracket)) {
            at_ = at + bracket.size() + (trims ? 1U : 0U);
            trim_next_ = trims;
            newline_next_ = true;
            return;
        }
        if (rest.empty()) {
            refuse(at_, "syntax", fmt::format("this tag is not closed; add '{}'", bracket));
            at_ = source_.size();
            return;
        }
    }
    unexpected(fmt::format("'{}' or an operator", bracket));
    behind_tag(skip_to(bracket));
}

std::size_t Compiler::skip_to(std::string_view bracket) const {
    const std::size_t from = std::max(at_ + 2, reading_->lexer.position());
    const std::size_t found = source_.find(bracket, std::min(from, source_.size()));
    return found == source_.npos ? source_.size() : found + bracket.size();
}

void Compiler::behind_tag(std::size_t at) {
    at_ = at;
    newline_next_ = true;
}

void Compiler::comment_at(std::size_t open) {
    const std::size_t close = source_.find("#}", open + 2);
    if (close == source_.npos) {
        refuse(open, "syntax", "this comment is not closed; add '#}'");
        return behind_tag(source_.size());
    }
    behind_tag(close + 2);
}

void Compiler::statement_tag() {
    const Token word = take();
    const std::size_t where = place_of(word.at);
    bool understood = false;
    if (word.kind == TokenKind::name && word.text == "verbatim") return verbatim();
    if (word.kind != TokenKind::name) {
        refuse(where, "syntax", "expected a tag like 'set', 'if' or 'for'");
    } else if (word.text == "set") {
        understood = set_statement();
    } else if (word.text == "if") {
        understood = if_statement(where);
    } else if (word.text == "elseif") {
        understood = elseif_statement(where);
    } else if (word.text == "else") {
        understood = else_statement(where);
    } else if (word.text == "for") {
        understood = for_statement(where);
    } else if (word.text == "endif") {
        understood = end_statement(where, false);
    } else if (word.text == "endfor") {
        understood = end_statement(where, true);
    } else {
        understood = unknown_statement(word);
    }
    if (!understood) return behind_tag(skip_to("%}"));
    close_tag("%}");
}

bool Compiler::unknown_statement(const Token& word) {
    static constexpr std::array<std::string_view, 9> known{
        "set", "if", "elseif", "else", "endif", "for", "endfor", "verbatim", "endverbatim"};
    const auto meant = nearest(word.text, known);
    return refuse(
        place_of(word.at), "unknown-tag", fmt::format("there is no tag '{}'", printable(word.text)),
        meant ? fmt::format("did you mean '{}'?", *meant)
              : "tags: set, if, elseif, else, endif, for, endfor, verbatim, endverbatim");
}

// What stands between is text, whatever it looks like.
void Compiler::verbatim() {
    const std::size_t start = at_;
    close_tag("%}");
    if (newline_next_) {
        at_ = source_.size() - without_newline(source_.substr(at_)).size();
    }
    const std::size_t end = source_.find("endverbatim", at_);
    const std::size_t open = end == source_.npos ? end : source_.rfind("{%", end);
    const std::size_t close = end == source_.npos ? end : source_.find("%}", end);
    if (open == source_.npos || close == source_.npos || open < at_) {
        refuse(start, "syntax", "this 'verbatim' is not closed", "add {% endverbatim %}");
        return behind_tag(source_.size());
    }
    append_text(source_.substr(at_, open - at_));
    behind_tag(close + 2);
}

bool Compiler::set_statement() {
    const Token name = take();
    if (name.kind != TokenKind::name) {
        return refuse(place_of(name.at), "syntax", "expected the name of a variable");
    }
    if (!expect("=", "behind the name") || !expression()) return false;
    emit({.op = Op::store, .at = slot_of(name.text, true)}, place_of(name.at));
    return true;
}

bool Compiler::is_too_deep(std::size_t place) {
    if (blocks_.size() < options_.limits.depth) return false;
    refuse(
        place, "limit",
        fmt::format("tags inside one another more than {} deep", options_.limits.depth));
    return true;
}

bool Compiler::if_statement(std::size_t place) {
    if (is_too_deep(place)) return false;
    Block block{.place = place};
    const bool understood = expression();
    block.pending = emit({.op = Op::jump_unless}, place);
    blocks_.push_back(std::move(block));
    return understood;
}

bool Compiler::elseif_statement(std::size_t place) {
    if (blocks_.empty() || blocks_.back().is_loop) {
        return refuse(place, "syntax", "'elseif' without an open 'if'");
    }
    if (blocks_.back().has_else) return refuse(place, "syntax", "'elseif' behind 'else'");
    blocks_.back().ends.push_back(emit({.op = Op::jump}, place));
    land(*blocks_.back().pending);
    const bool understood = expression();
    blocks_.back().pending = emit({.op = Op::jump_unless}, place);
    return understood;
}

bool Compiler::else_statement(std::size_t place) {
    if (blocks_.empty()) return refuse(place, "syntax", "'else' without an open 'if' or 'for'");
    Block& block = blocks_.back();
    if (block.has_else) return refuse(place, "syntax", "a second 'else'");
    block.has_else = true;
    if (block.is_loop)
        emit({.op = Op::loop_next, .at = static_cast<std::uint32_t>(block.body)}, place);
    block.ends.push_back(emit({.op = Op::jump}, place));
    land(*block.pending);
    block.pending.reset();
    return true;
}

bool Compiler::for_statement(std::size_t place) {
    if (is_too_deep(place)) return false;
    Block block{.is_loop = true, .place = place};
    const Token name = take();
    const bool understood =
        name.kind == TokenKind::name && expect("in", "behind the name") && expression();
    if (name.kind != TokenKind::name) {
        refuse(place_of(name.at), "syntax", "expected the name of a variable");
    }
    scopes_.emplace_back();
    if (program_->slots > UINT16_MAX) {
        return refuse(place, "limit", "more than 65536 variables in one template");
    }
    const auto slot = static_cast<std::uint16_t>(program_->slots++);
    scopes_.back().push_back({.name = std::string{name.text}, .slot = slot});
    block.pending = emit({.op = Op::loop_begin, .aux = slot}, place);
    block.body = here();
    blocks_.push_back(std::move(block));
    return understood;
}

bool Compiler::end_statement(std::size_t place, bool is_loop) {
    if (blocks_.empty() || blocks_.back().is_loop != is_loop) {
        const std::string_view word = is_loop ? "for" : "if";
        return refuse(place, "syntax", fmt::format("'end{}' without an open '{}'", word, word));
    }
    Block& block = blocks_.back();
    if (is_loop && !block.has_else) {
        emit({.op = Op::loop_next, .at = static_cast<std::uint32_t>(block.body)}, place);
    }
    if (block.pending) land(*block.pending);
    for (const std::size_t jump : block.ends) land(jump);
    blocks_.pop_back();
    if (is_loop) scopes_.pop_back();
    return true;
}

} // namespace hive::templates
