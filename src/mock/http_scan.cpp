#include "mock/http_scan.hpp"

#include "kernel/http_token.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace hive::mock {
namespace {

constexpr std::size_t headers_max = 100;

Scanned bad(int status, std::string_view reason) {
    return {.state = Scanned::State::bad, .status = status, .reason = reason};
}

bool is_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
    });
}

// Compares without regard to case; `lower` is in lower case.
bool same(std::string_view text, std::string_view lower) {
    return text.size() == lower.size() && std::ranges::equal(text, lower, [](char a, char b) {
               return (a >= 'A' && a <= 'Z' ? static_cast<char>(a + 32) : a) == b;
           });
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

class HeadReader {
public:
    explicit HeadReader(std::string_view head) : rest_{head} {}

    Scanned read() {
        Scanned out;
        out.head.size = rest_.size();
        rest_.remove_suffix(2); // each line keeps its own end
        if (!request_line(out)) return out;
        for (std::size_t count = 0; !rest_.empty(); ++count) {
            if (count == headers_max) return bad(431, "too many header fields");
            const auto line = next_line();
            const std::size_t colon = line.find(':');
            if (colon == line.npos || !is_http_token(line.substr(0, colon)))
                return bad(400, "a header field has no name");
            const std::string_view value = trimmed(line.substr(colon + 1));
            if (!is_text(value)) return bad(400, "a header field holds control characters");
            if (!header(line.substr(0, colon), value, out)) return out;
        }
        out.state = Scanned::State::whole;
        return out;
    }

private:
    std::string_view next_line() {
        const std::size_t end = rest_.find("\r\n");
        const std::string_view line = rest_.substr(0, end);
        rest_.remove_prefix(end + 2);
        return line;
    }

    bool request_line(Scanned& out) {
        const std::string_view line = next_line();
        const std::size_t first = line.find(' ');
        const std::size_t second = first == line.npos ? first : line.find(' ', first + 1);
        if (second == line.npos) return refuse(out, bad(400, "the request line has no version"));
        out.head.method = line.substr(0, first);
        out.head.target = line.substr(first + 1, second - first - 1);
        const std::string_view version = line.substr(second + 1);
        if (!is_http_token(out.head.method)) return refuse(out, bad(400, "the method is no word"));
        if (out.head.target.empty() || !is_text(out.head.target))
            return refuse(out, bad(400, "the target is empty or holds control characters"));
        if (version == "HTTP/1.1") return true;
        out.head.keep_alive = false;
        if (version == "HTTP/1.0") return true;
        return refuse(out, bad(version.starts_with("HTTP/") ? 505 : 400, "not HTTP/1.1"));
    }

    bool header(std::string_view name, std::string_view value, Scanned& out) {
        const char first = static_cast<char>(name.front() | 0x20);
        if (first == 'c' && same(name, "content-length")) return length(value, out);
        if (first == 'c' && same(name, "connection")) {
            if (same(value, "close")) out.head.keep_alive = false;
            if (same(value, "keep-alive")) out.head.keep_alive = true;
        } else if (first == 't' && same(name, "transfer-encoding")) {
            return refuse(out, bad(501, "bodies need a Content-Length here"));
        } else if (first == 'e' && same(name, "expect")) {
            out.head.expects_continue = same(value, "100-continue");
        }
        return true;
    }

    bool length(std::string_view value, Scanned& out) {
        std::uint64_t length = 0;
        const char* end = value.data() + value.size();
        const auto [stop, error] = std::from_chars(value.data(), end, length);
        if (value.empty() || error == std::errc::invalid_argument || stop != end)
            return refuse(out, bad(400, "Content-Length is no number"));
        if (length_ && *length_ != length)
            return refuse(out, bad(400, "there are two Content-Lengths"));
        if (error != std::errc{} || length > body_max)
            return refuse(out, bad(413, "the body is too large"));
        length_ = length;
        out.head.body = length;
        return true;
    }

    static bool refuse(Scanned& out, const Scanned& why) {
        out = why;
        return false;
    }

    std::string_view rest_;
    std::optional<std::uint64_t> length_{};
};

} // namespace

Scanned scan_request(std::string_view bytes) {
    const std::size_t end = bytes.substr(0, head_max).find("\r\n\r\n");
    if (end != bytes.npos) return HeadReader{bytes.substr(0, end + 4)}.read();
    if (bytes.size() >= head_max) return bad(431, "the head is too large");
    // What can never become a request is refused at once, not when its sender gets tired.
    const std::string_view start = bytes.substr(0, std::min<std::size_t>(bytes.size(), 8));
    const std::size_t word = start.find(' ');
    const std::string_view method = start.substr(0, word);
    if (!start.empty() && !is_http_token(method)) return bad(400, "the method is no word");
    return {};
}

} // namespace hive::mock
