#include "importer/shell_words.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::importer {
namespace {

constexpr std::size_t bytes_max = std::size_t{1} << 20U;
constexpr std::size_t commands_max = 10'000;

void append_utf8(std::string& out, unsigned code) {
    if (code >= 0xd800 && code < 0xe000) code = 0xfffd; // half of a pair
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0U | (code >> 6U));
        put(0x80U | (code & 0x3fU));
    } else {
        put(0xe0U | (code >> 12U));
        put(0x80U | ((code >> 6U) & 0x3fU));
        put(0x80U | (code & 0x3fU));
    }
}

class Splitter {
public:
    explicit Splitter(std::string_view text) : text_{text} {}

    Result<std::vector<Words>> split() {
        if (text_.size() > bytes_max) {
            return fail(Errc::invalid, fmt::format("more than {} bytes", bytes_max));
        }
        if (find_invalid_utf8(text_)) return fail(Errc::invalid, "it is not UTF-8");
        while (at_ < text_.size()) {
            if (auto ok = step(); !ok) return fail(ok.error());
            if (commands_.size() > commands_max) {
                return fail(Errc::invalid, fmt::format("more than {} commands", commands_max));
            }
        }
        end_command();
        return std::move(commands_);
    }

private:
    Status step() {
        const char c = text_[at_];
        switch (c) {
        case '\'': return quoted();
        case '"': return double_quoted();
        case '\\': return escaped(), Status{};
        case '$':
            if (text_.substr(at_).starts_with("$'")) return ansi_quoted();
            break;
        case '#':
            if (!in_word_) return comment(), Status{};
            break;
        case ' ':
        case '\t':
        case '\r': return ++at_, end_word(), Status{};
        case '\n':
        case ';':
        case '&':
        case '|': return ++at_, end_command(), Status{};
        default: break;
        }
        put(c);
        ++at_;
        return {};
    }

    void put(char c) {
        word_ += c;
        in_word_ = true;
    }
    void end_word() {
        if (in_word_) words_.push_back(std::move(word_));
        word_.clear();
        in_word_ = false;
    }
    void end_command() {
        end_word();
        if (!words_.empty()) commands_.push_back(std::move(words_));
        words_.clear();
    }
    void comment() { at_ = std::min(text_.find('\n', at_), text_.size()); }
    void escaped() {
        ++at_;
        if (text_.substr(at_).starts_with("\r\n")) ++at_;
        if (at_ < text_.size() && text_[at_] != '\n') put(text_[at_]);
        ++at_; // a line that goes on leaves nothing
    }
    tl::unexpected<Error> open_quote(std::size_t begin) const {
        const auto line = std::count(text_.begin(), text_.begin() + static_cast<long>(begin), '\n');
        return fail(Errc::invalid, fmt::format("the quote in line {} is never closed", line + 1));
    }

    Status quoted() {
        const std::size_t begin = at_++;
        const auto end = text_.find('\'', at_);
        if (end == text_.npos) return open_quote(begin);
        word_ += text_.substr(at_, end - at_);
        in_word_ = true;
        at_ = end + 1;
        return {};
    }
    Status double_quoted() {
        const std::size_t begin = at_++;
        in_word_ = true;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '"') return ++at_, Status{};
            if (c != '\\' || at_ + 1 == text_.size()) {
                word_ += c;
                continue;
            }
            const char next = text_[++at_];
            if (next == '\n') continue;
            if (std::string_view{"$`\"\\"}.find(next) == std::string_view::npos) word_ += '\\';
            word_ += next;
        }
        return open_quote(begin);
    }
    Status ansi_quoted() {
        const std::size_t begin = at_;
        at_ += 2;
        in_word_ = true;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\'') return ++at_, Status{};
            if (c != '\\' || at_ + 1 == text_.size()) {
                word_ += c;
                continue;
            }
            ++at_;
            ansi_escape(text_[at_]);
        }
        return open_quote(begin);
    }
    void ansi_escape(char c) {
        switch (c) {
        case 'n': word_ += '\n'; break;
        case 't': word_ += '\t'; break;
        case 'r': word_ += '\r'; break;
        case 'x': append_utf8(word_, hex(2)); break;
        case 'u': append_utf8(word_, hex(4)); break;
        default: word_ += c; break;
        }
    }
    // Up to so many digits behind this place.
    unsigned hex(int digits) {
        unsigned code = 0;
        for (int i = 0; i < digits && at_ + 1 < text_.size(); ++i) {
            const char c = text_[at_ + 1];
            const bool digit = c >= '0' && c <= '9';
            const char small = static_cast<char>(c | 0x20);
            if (!digit && !(small >= 'a' && small <= 'f')) break;
            code = code * 16 + static_cast<unsigned>(digit ? c - '0' : small - 'a' + 10);
            ++at_;
        }
        return code;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::string word_{};
    bool in_word_ = false; // an empty one counts too
    Words words_{};
    std::vector<Words> commands_{};
};

} // namespace

Result<std::vector<Words>> shell_commands(std::string_view text) {
    return Splitter{text}.split();
}

} // namespace hive::importer
