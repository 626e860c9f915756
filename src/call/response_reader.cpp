#include "call/response_reader.hpp"

#include "call/usual_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace hive::call {

// The parser's callbacks; it knows its reader by `data`.
struct ParserEvents {
    static ResponseReader& reader(http_parser* parser) {
        return *static_cast<ResponseReader*>(parser->data);
    }
    static int name(http_parser* parser, const char* at, std::size_t size) {
        return reader(parser).on_header_name({at, size});
    }
    static int value(http_parser* parser, const char* at, std::size_t size) {
        ResponseReader& self = reader(parser);
        self.in_name_ = false;
        self.into_.headers->append_value({at, size});
        return 0;
    }
    static int head_end(http_parser* parser) { return reader(parser).on_head_end(); }
    static int body(http_parser* parser, const char* at, std::size_t size) {
        return reader(parser).on_body({at, size});
    }
    static int chunk(http_parser* parser) {
        // The last one: trailers follow, and their bytes have to be counted from here.
        if (parser->content_length == 0) {
            reader(parser).trailers_ = true;
            http_parser_pause(parser, 1);
        }
        return 0;
    }
    static int end(http_parser* parser) { return reader(parser).on_end(); }

    static const http_parser_settings& settings() {
        static const http_parser_settings all = [] {
            http_parser_settings made{};
            made.on_header_field = name;
            made.on_header_value = value;
            made.on_headers_complete = head_end;
            made.on_body = body;
            made.on_chunk_header = chunk;
            made.on_message_complete = end;
            return made;
        }();
        return all;
    }
};

void ResponseReader::start(const Into& into, bool answers_head) {
    into_ = into;
    answers_head_ = answers_head;
    failure_.error = ErrorClass::none;
    failure_.detail.clear();
    head_left_ = limits_.head_bytes;
    keep_alive_ = until_close_ = false;
    untouched_ = true;
    clear_answer();
}

void ResponseReader::start_parser() {
    http_parser_init(&parser_, HTTP_RESPONSE);
    parser_.data = this;
    clear_answer();
}

void ResponseReader::clear_answer() {
    progress_ = Progress::head;
    in_name_ = trailers_ = false;
    *into_.status = 0;
    *into_.body_bytes = 0;
    into_.headers->clear();
    into_.body->clear();
}

// All of a usual answer or nothing.
std::size_t ResponseReader::feed_usual(std::string_view bytes) {
    if (answers_head_) return 0;
    const auto answer = read_usual_answer(bytes, *into_.headers);
    if (!answer || answer->head_bytes > limits_.head_bytes ||
        answer->body_bytes > limits_.body_bytes)
        return 0;
    *into_.status = answer->status;
    *into_.body_bytes = answer->body_bytes;
    *into_.body =
        bytes.substr(answer->head_bytes, std::min(answer->body_bytes, limits_.kept_body_bytes));
    progress_ = Progress::whole;
    keep_alive_ = true;
    return answer->head_bytes + answer->body_bytes;
}

std::size_t ResponseReader::feed(std::string_view bytes) {
    std::size_t used = 0;
    if (progress_ == Progress::head && !bytes.empty() && std::exchange(untouched_, false)) {
        used = feed_usual(bytes);
        if (used == 0) start_parser();
    }
    while (used < bytes.size() && (progress_ == Progress::head || progress_ == Progress::body)) {
        // Heads are given to the parser only as far as they may go: whether one is too long must
        // not depend on how its bytes were cut.
        const bool head = progress_ == Progress::head || trailers_;
        std::size_t size = bytes.size() - used;
        if (head) size = std::min(size, head_left_);
        if (size == 0) {
            breaks(
                ErrorClass::headers_too_large,
                fmt::format("the head of the answer has more than {} bytes", limits_.head_bytes));
            break;
        }
        const std::size_t parsed =
            http_parser_execute(&parser_, &ParserEvents::settings(), bytes.data() + used, size);
        if (head) head_left_ -= std::min(parsed, head_left_);
        used += parsed;
        judge();
    }
    return used;
}

void ResponseReader::judge() {
    const auto error = HTTP_PARSER_ERRNO(&parser_);
    if (error == HPE_OK || progress_ == Progress::broken) return;
    if (error == HPE_PAUSED) {
        http_parser_pause(&parser_, 0);
        // A 1xx answer is over, and the real one follows.
        const bool interim =
            progress_ == Progress::whole && parser_.status_code < 200 && parser_.status_code != 101;
        if (interim) start_parser();
        return;
    }
    breaks(
        error == HPE_HEADER_OVERFLOW ? ErrorClass::headers_too_large
                                     : ErrorClass::malformed_response,
        fmt::format("the answer is not HTTP/1.1: {}", http_errno_description(error)));
}

void ResponseReader::end_of_stream() {
    if (progress_ == Progress::whole || progress_ == Progress::broken) return;
    if (progress_ == Progress::body && until_close_) {
        progress_ = Progress::whole;
        return;
    }
    breaks(
        ErrorClass::closed_early,
        progress_ == Progress::head
            ? std::
                  string{"the server closed the connection before the head of its answer was whole"}
            : fmt::format(
                  "the server closed the connection after {} bytes of the body",
                  *into_.body_bytes));
}

void ResponseReader::breaks(ErrorClass error, std::string detail) {
    progress_ = Progress::broken;
    failure_ = {error, std::move(detail)};
}

int ResponseReader::on_header_name(std::string_view piece) {
    // The parser lets spaces pass, and other programs read such a name in different ways.
    if (piece.find(' ') != piece.npos) {
        breaks(ErrorClass::malformed_response, "the name of a header has a space in it");
        return -1;
    }
    if (!in_name_) into_.headers->begin_field();
    in_name_ = true;
    into_.headers->append_name(piece);
    return 0;
}

// Whatever such an answer says of a length, no body follows.
bool ResponseReader::has_no_body() const noexcept {
    const unsigned status = parser_.status_code;
    return answers_head_ || status == 204 || status == 304 || (status < 200 && status != 101);
}

int ResponseReader::on_head_end() {
    in_name_ = false;
    if (parser_.http_major != 1) {
        breaks(
            ErrorClass::malformed_response, fmt::format(
                                                "the answer is HTTP/{}.{} and not HTTP/1.1",
                                                parser_.http_major, parser_.http_minor));
        return -1;
    }
    *into_.status = static_cast<unsigned>(parser_.status_code);
    progress_ = Progress::body;
    http_parser_pause(&parser_, 1); // what follows does not count as head
    constexpr std::uint64_t unknown = std::numeric_limits<std::uint64_t>::max();
    const bool says_length = parser_.content_length != unknown;
    if (has_no_body()) return 1;
    if (says_length && parser_.content_length > limits_.body_bytes) {
        breaks(
            ErrorClass::body_too_large,
            fmt::format(
                "the server announced a body of {} bytes and {} are allowed",
                parser_.content_length, limits_.body_bytes));
        return -1;
    }
    until_close_ = !says_length && (parser_.flags & F_CHUNKED) == 0;
    return 0;
}

int ResponseReader::on_body(std::string_view piece) {
    std::uint64_t& total = *into_.body_bytes;
    const std::string_view allowed = piece.substr(0, limits_.body_bytes - total);
    total += allowed.size();
    std::string& body = *into_.body;
    if (body.size() < limits_.kept_body_bytes)
        body += allowed.substr(0, limits_.kept_body_bytes - body.size());
    if (allowed.size() == piece.size()) return 0;
    breaks(
        ErrorClass::body_too_large,
        fmt::format("the body of the answer has more than {} bytes", limits_.body_bytes));
    return -1;
}

int ResponseReader::on_end() {
    progress_ = Progress::whole;
    keep_alive_ = http_should_keep_alive(&parser_) != 0 && parser_.upgrade == 0;
    http_parser_pause(&parser_, 1);
    return 0;
}

} // namespace hive::call
