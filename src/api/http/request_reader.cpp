#include "api/http/request_reader.hpp"

#include "api/http/head_rules.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace hive::http {

namespace beast = boost::beast;

// Receives the parts of a message straight into the Request: no copy of a header, no container of
// Beast's. Trailers are parsed and dropped: nothing we serve gives them a meaning.
class RequestReader::Parser final : public beast::http::basic_parser<true> {
public:
    Parser(Request& request, const std::size_t& body_max) : request_{request}, body_max_{body_max} {
        // Both bounds are kept by RequestReader, which knows the route.
        body_limit(boost::none);
        header_limit(std::numeric_limits<std::uint32_t>::max());
    }

    bool has_room(std::uint64_t more) const {
        return request_.body.size() <= body_max_ && more <= body_max_ - request_.body.size();
    }
    std::uint64_t chunk_left() const { return chunk_left_; } // none: a line comes next

private:
    using View = beast::string_view;
    using Code = beast::error_code;

    static std::string_view view(View text) { return {text.data(), text.size()}; }

    // The signature is Beast's.
    // NOLINTNEXTLINE(readability-function-size)
    void on_request_impl(beast::http::verb, View method, View target, int version, Code&) override {
        request_.method_text = view(method);
        request_.method = method_of(request_.method_text);
        request_.target = view(target);
        request_.version = version;
    }
    void on_response_impl(int, View, int, Code&) override {}
    void on_field_impl(beast::http::field, View name, View value, Code&) override {
        if (!is_header_done()) request_.headers.push_back({view(name), view(value)});
    }
    void on_header_impl(Code&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, Code&) override {}
    std::size_t on_body_impl(View body, Code& error) override { return append(body, error); }
    void on_chunk_header_impl(std::uint64_t size, View, Code& error) override {
        // Known before its bytes come, so that the answer does not depend on how they come.
        if (!has_room(size)) error = beast::http::error::body_limit;
        chunk_left_ = size;
    }
    std::size_t on_chunk_body_impl(std::uint64_t, View body, Code& error) override {
        chunk_left_ -= std::min<std::uint64_t>(chunk_left_, body.size());
        return append(body, error);
    }
    void on_finish_impl(Code&) override {}

    std::size_t append(View body, Code& error) {
        if (!has_room(body.size())) {
            error = beast::http::error::body_limit;
            return 0;
        }
        request_.body.append(body.data(), body.size());
        return body.size();
    }

    Request& request_;
    const std::size_t& body_max_;
    std::uint64_t chunk_left_ = 0;
};

namespace {

// How long the line before a chunk is at least, with the end of the chunk before it.
std::size_t chunk_line(std::string_view input) {
    constexpr std::string_view line_end = "\r\n";
    const std::size_t begin = input.starts_with(line_end) ? line_end.size() : 0;
    const std::size_t end = input.find(line_end, begin);
    return end == input.npos ? input.size() + 1 : end + line_end.size();
}

// Does the request line end in `HTTP/` and two digits? Then it is a version, only not ours.
bool names_version(std::string_view head) {
    const std::string_view line = head.substr(0, head.find("\r\n"));
    if (line.size() < 9) return false;
    const std::string_view end = line.substr(line.size() - 9);
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return end.starts_with(" HTTP/") && digit(end[6]) && end[7] == '.' && digit(end[8]);
}

} // namespace

RequestReader::RequestReader(const Limits& limits)
    : limits_{limits}, scan_{limits}, body_max_{limits.body_bytes} {}

RequestReader::~RequestReader() = default;

void RequestReader::refuse(Refusal refusal) {
    refusal_ = std::move(refusal);
    progress_ = Progress::refused;
}

std::size_t RequestReader::feed(std::string_view input) {
    switch (progress_) {
    case Progress::head: return feed_head(input);
    case Progress::body: return feed_body(input);
    case Progress::whole:
    case Progress::refused: return 0;
    }
    return 0;
}

std::size_t RequestReader::feed_head(std::string_view input) {
    // RFC 9112 §2.2: an empty line before the request line is ignored; one is enough.
    if (!skipped_empty_line_ && input.starts_with("\r\n")) {
        skipped_empty_line_ = true;
        scan_.restart();
        return 2;
    }
    const std::size_t length = scan_.advance(input);
    if (scan_.refusal()) {
        refuse(*scan_.refusal());
        return 0;
    }
    if (length == 0) return 0;
    request_.head.assign(input.substr(0, length));
    parse_head();
    return length;
}

void RequestReader::parse_head() {
    parser_ = std::make_unique<Parser>(request_, body_max_);
    beast::error_code error;
    parser_->put(boost::asio::buffer(request_.head), error);
    if (error || !parser_->is_header_done()) {
        const bool version =
            error == beast::http::error::bad_version && names_version(request_.head);
        refuse(Refusal{
            version ? 505U : 400U, version ? "unknown-version" : "bad-request",
            version ? "we speak HTTP/1.1" : fmt::format("malformed head: {}", error.message())});
        return;
    }
    request_.keep_alive = parser_->keep_alive();
    if (auto refusal = check_head(request_, limits_)) return refuse(std::move(*refusal));
    progress_ = request_.has_body() ? Progress::body : Progress::whole;
}

void RequestReader::allow_body(std::size_t bytes_max) {
    body_max_ = bytes_max;
    if (request_.content_length.value_or(0) <= bytes_max) return;
    refuse(Refusal{413, "body-too-large", fmt::format("the body is over {} bytes", bytes_max)});
}

std::size_t RequestReader::feed_body(std::string_view input) {
    constexpr std::size_t last_chunk_bytes = 5;
    const std::size_t longest = limits_.head_bytes; // a line before a chunk; all trailers together
    std::size_t used = 0;
    bool too_long = false;
    beast::error_code error;
    while (used < input.size() && !parser_->is_done() && !too_long) {
        const std::string_view rest = input.substr(used);
        // Beast asserts on four bytes of `0 CRLF CRLF` when it saw three before. Whatever is left
        // of a chunked body has at least these five, so to wait for them costs nothing.
        if (request_.chunked && rest.size() < last_chunk_bytes) break;
        const bool line = request_.chunked && parser_->chunk_left() == 0;
        too_long = line && chunk_line(rest) > longest;
        if (too_long) break;
        const std::size_t taken =
            parser_->put(boost::asio::buffer(rest.data(), rest.size()), error);
        used += taken;
        too_long = line && taken > longest;
        if (error || taken == 0) break;
    }
    if (error == beast::http::error::body_limit) {
        refuse(Refusal{413, "body-too-large", fmt::format("the body is over {} bytes", body_max_)});
    } else if (error && error != beast::http::error::need_more) {
        refuse(Refusal{400, "bad-body", fmt::format("malformed body: {}", error.message())});
    } else if (too_long || (!parser_->is_done() && input.size() - used >= longest)) {
        // Beast waits for the end of one however long it is. However its bytes come, we do not.
        refuse(Refusal{400, "bad-body", "a chunk header or trailer is too long"});
    } else if (parser_->is_done()) {
        progress_ = Progress::whole;
    }
    return used;
}

bool RequestReader::expects_continue() const noexcept {
    return request_.version >= 11 && request_.lists("Expect", "100-continue");
}

void RequestReader::next() {
    request_.clear();
    scan_.restart();
    body_max_ = limits_.body_bytes;
    progress_ = Progress::head;
    skipped_empty_line_ = false;
}

} // namespace hive::http
