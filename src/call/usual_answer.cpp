#include "call/usual_answer.hpp"

#include <array>

namespace hive::call {
namespace {

constexpr std::string_view version = "HTTP/1.1 ";
constexpr std::size_t digits_max = 9; // of a length

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

enum Kind : unsigned char { other = 0, of_name = 1, of_text = 2 };
constexpr auto kinds = [] {
    std::array<unsigned char, 256> made{};
    for (unsigned i = 0; i < made.size(); ++i) {
        const char c = static_cast<char>(i);
        if (is_letter(c) || is_digit(c) || c == '-' || c == '_') made[i] |= of_name;
        if (i >= 0x20 && i != 0x7f) made[i] |= of_text;
    }
    return made;
}();

std::size_t skip(std::string_view bytes, std::size_t from, Kind kind) {
    while (from < bytes.size() && (kinds[static_cast<unsigned char>(bytes[from])] & kind) != 0)
        ++from;
    return from;
}

bool is_line_end(std::string_view bytes, std::size_t at) {
    return at + 1 < bytes.size() && bytes[at] == '\r' && bytes[at + 1] == '\n';
}

bool same(std::string_view text, std::string_view lower_case) {
    if (text.size() != lower_case.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c =
            text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] | 0x20) : text[i];
        if (c != lower_case[i]) return false;
    }
    return true;
}

// What the fields say of the body and the connection.
class Meaning {
public:
    // False: not as usual. The names are told apart by their length first.
    bool take(std::string_view name, std::string_view value) {
        switch (name.size()) {
        case 7: return !same(name, "upgrade");
        case 10: return !same(name, "connection") || same(value, "keep-alive");
        case 14: return !same(name, "content-length") || take_length(value);
        case 16: return !same(name, "proxy-connection");
        case 17: return !same(name, "transfer-encoding");
        default: return true;
        }
    }
    std::optional<std::size_t> length() const { return length_; }

private:
    bool take_length(std::string_view digits) {
        if (length_ || digits.size() > digits_max) return false;
        std::size_t length = 0;
        for (const char c : digits) {
            if (!is_digit(c)) return false;
            length = 10 * length + static_cast<std::size_t>(c - '0');
        }
        length_ = length;
        return true;
    }
    std::optional<std::size_t> length_;
};

// Where the first line ends; 0: not as usual.
std::size_t read_status(std::string_view bytes, unsigned& status) {
    constexpr std::size_t end = version.size() + 3;
    if (bytes.size() < end || !bytes.starts_with(version)) return 0;
    status = 0;
    for (std::size_t i = version.size(); i < end; ++i) {
        if (!is_digit(bytes[i])) return 0;
        status = 10 * status + static_cast<unsigned>(bytes[i] - '0');
    }
    if (status < 200 || status == 204 || status == 304) return 0; // they have rules of their own
    std::size_t at = end;
    if (at < bytes.size() && bytes[at] == ' ') at = skip(bytes, at, of_text);
    return is_line_end(bytes, at) ? at + 2 : 0;
}

} // namespace

std::optional<UsualAnswer> read_usual_answer(std::string_view bytes, Headers& headers) {
    UsualAnswer answer{};
    Meaning meaning;
    std::size_t at = read_status(bytes, answer.status);
    if (at == 0) return std::nullopt;
    while (!is_line_end(bytes, at)) {
        const std::size_t name_end = skip(bytes, at, of_name);
        const std::size_t value = name_end + 2;
        if (name_end == at || bytes.substr(name_end, 2) != ": ") return std::nullopt;
        const std::size_t end = skip(bytes, value, of_text);
        if (end == value || !is_line_end(bytes, end)) return std::nullopt;
        if (bytes[value] == ' ' || bytes[end - 1] == ' ') return std::nullopt;
        if (!meaning.take(bytes.substr(at, name_end - at), bytes.substr(value, end - value)))
            return std::nullopt;
        headers.add({at, name_end, value, end});
        at = end + 2;
    }
    if (!meaning.length()) return std::nullopt;
    answer.head_bytes = at + 2;
    answer.body_bytes = *meaning.length();
    if (bytes.size() - answer.head_bytes < answer.body_bytes) return std::nullopt;
    headers.set_text(bytes.substr(0, answer.head_bytes));
    return answer;
}

} // namespace hive::call
