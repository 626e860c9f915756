#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hive::templates {

enum class TokenKind : std::uint8_t {
    end,     // of the text, or the closing bracket of the tag
    name,    // also the words that are operators
    number,  // text as written
    string,  // with its quotes
    symbol,  // operators and punctuation
    unknown, // a character that has no meaning here
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::string_view text{};
    std::size_t at = 0; // in the text of the lexer

    bool is(std::string_view symbol) const {
        return (kind == TokenKind::symbol || kind == TokenKind::name) && text == symbol;
    }
};

// The expressions inside tags, or the text given to eval, which has quotes but no backslashes of
// its own.
enum class Dialect : std::uint8_t { tag, eval };

// Reads tokens from a place in a text. In a tag it stops in front of what closes the tag.
class Lexer {
public:
    Lexer(std::string_view text, std::size_t from, Dialect dialect);

    const Token& peek() const { return token_; }
    Token take();
    std::string_view after() const { return text_.substr(at_); } // what follows peek()
    std::size_t position() const { return token_.at; }
    Dialect dialect() const { return dialect_; }
    std::string_view text() const { return text_; }

private:
    void advance();
    bool at_close(std::string_view rest) const;
    Token string_token(std::string_view rest) const;

    std::string_view text_;
    std::size_t at_;
    Dialect dialect_;
    std::size_t braces_ = 0; // open ones: in {{ {'a': {}} }} only the last two close the tag
    Token token_;
};

// A string token without quotes and escapes; `from[i]` is where byte i stood in the token.
struct Unquoted {
    std::string text;
    std::vector<std::uint32_t> from;
    bool closed = true;
};
Unquoted unquote(std::string_view token, Dialect dialect);

} // namespace hive::templates
