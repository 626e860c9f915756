#include "template/lexer.hpp"

#include <algorithm>
#include <array>

namespace hive::templates {
namespace {

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

constexpr std::array<std::string_view, 11> long_symbols{"==", "!=", "<=", ">=", "&&", "||",
                                                        "??", "?:", "?.", "..", "**"};
constexpr std::string_view short_symbols = "+-*/%~|<>!?:,.()[]{}=#^";

std::size_t word_size(std::string_view rest) {
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, is_word) - rest.begin());
}

std::size_t digits_size(std::string_view rest) {
    return static_cast<std::size_t>(std::ranges::find_if_not(rest, is_digit) - rest.begin());
}

// 12, 12L, 1.5, 1e9; `1..3` is a number, a range and a number.
std::size_t number_size(std::string_view rest) {
    std::size_t size = digits_size(rest);
    if (rest.substr(size).starts_with('.') && digits_size(rest.substr(size + 1)) > 0) {
        size += 1 + digits_size(rest.substr(size + 1));
    }
    if (size < rest.size() && (rest[size] == 'e' || rest[size] == 'E')) {
        std::size_t sign = size + 1;
        if (sign < rest.size() && (rest[sign] == '+' || rest[sign] == '-')) ++sign;
        const std::size_t exponent = digits_size(rest.substr(std::min(sign, rest.size())));
        if (exponent > 0) return sign + exponent;
    }
    // A suffix, or letters that make the number wrong as a whole.
    return size + word_size(rest.substr(size));
}

} // namespace

Lexer::Lexer(std::string_view text, std::size_t from, Dialect dialect)
    : text_{text}, at_{from}, dialect_{dialect} {
    advance();
}

Token Lexer::take() {
    const Token taken = token_;
    advance();
    return taken;
}

bool Lexer::at_close(std::string_view rest) const {
    if (dialect_ == Dialect::eval || braces_ > 0) return false;
    if (rest.starts_with('-')) rest.remove_prefix(1);
    return rest.starts_with("}}") || rest.starts_with("%}");
}

Token Lexer::string_token(std::string_view rest) const {
    const char quote = rest.front();
    const auto is_doubled = [&](std::size_t at) {
        return at + 1 < rest.size() && rest[at] == quote && rest[at + 1] == quote;
    };
    std::size_t i = 1;
    while (i < rest.size()) {
        if (is_doubled(i)) { // stands for itself
            i += 2;
            continue;
        }
        if (rest[i] == quote) break;
        i += dialect_ == Dialect::tag && rest[i] == '\\' ? 2 : 1;
    }
    return {TokenKind::string, rest.substr(0, std::min(i + 1, rest.size())), at_};
}

void Lexer::advance() {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::string_view rest = text_.substr(at_);
    token_ = {TokenKind::end, {}, at_};
    if (rest.empty() || at_close(rest)) return;
    const char c = rest.front();
    if (is_digit(c)) {
        token_ = {TokenKind::number, rest.substr(0, number_size(rest)), at_};
    } else if (is_word(c)) {
        token_ = {TokenKind::name, rest.substr(0, word_size(rest)), at_};
    } else if (c == '"' || c == '\'') {
        token_ = string_token(rest);
    } else if (const auto found = std::ranges::find_if(
                   long_symbols, [&](std::string_view symbol) { return rest.starts_with(symbol); });
               found != long_symbols.end()) {
        token_ = {TokenKind::symbol, rest.substr(0, 2), at_};
    } else if (short_symbols.find(c) != short_symbols.npos) {
        token_ = {TokenKind::symbol, rest.substr(0, 1), at_};
        if (c == '{') ++braces_;
        if (c == '}' && braces_ > 0) --braces_;
    } else {
        token_ = {TokenKind::unknown, rest.substr(0, 1), at_};
    }
    at_ += token_.text.size();
}

Unquoted unquote(std::string_view token, Dialect dialect) {
    Unquoted out;
    const char quote = token.front();
    std::size_t i = 1;
    for (; i < token.size() && !(token[i] == quote && i + 1 == token.size()); ++i) {
        const char next = i + 1 < token.size() ? token[i + 1] : '\0';
        const bool escape = dialect == Dialect::tag && token[i] == '\\' &&
                            (next == '\\' || next == '"' || next == '\'');
        if (escape || (token[i] == quote && next == quote)) ++i;
        out.from.push_back(static_cast<std::uint32_t>(i));
        out.text += token[i];
    }
    out.closed = i + 1 == token.size() && token.size() > 1;
    return out;
}

} // namespace hive::templates
