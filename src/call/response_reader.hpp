#pragma once

#include "call/error_class.hpp"
#include "call/headers.hpp"

#include <http_parser.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hive::call {

// Reads answers of an HTTP/1.1 server from bytes that come in any pieces. Does no I/O, and keeps no
// more of a body than it was told to. 1xx answers are skipped, but for 101.
class ResponseReader {
public:
    struct Limits {
        std::size_t head_bytes; // of all heads and trailers of one answer together
        std::uint64_t body_bytes;
        std::size_t kept_body_bytes;
    };
    // Where the answer is written to; buffers of an earlier one are used again.
    struct Into {
        unsigned* status = nullptr;
        Headers* headers = nullptr;
        std::string* body = nullptr;
        std::uint64_t* body_bytes = nullptr;
    };
    enum class Progress : std::uint8_t { head, body, whole, broken };

    explicit ResponseReader(const Limits& limits) : limits_{limits} {}
    ResponseReader(const ResponseReader&) = delete;
    ResponseReader& operator=(const ResponseReader&) = delete;

    void start(const Into& into, bool answers_head);
    // Returns how many bytes were used; those behind a whole answer belong to nobody yet.
    std::size_t feed(std::string_view bytes);
    void end_of_stream(); // no more will come

    Progress progress() const noexcept { return progress_; }
    const Failure& failure() const noexcept { return failure_; }
    bool keep_alive() const noexcept { return keep_alive_; }        // of a whole answer
    bool ends_with_stream() const noexcept { return until_close_; } // the body says no length

private:
    friend struct ParserEvents; // the callbacks of the C parser

    std::size_t feed_usual(std::string_view bytes);
    void start_parser();
    void clear_answer();
    void judge();
    bool has_no_body() const noexcept;
    void breaks(ErrorClass error, std::string detail);
    int on_header_name(std::string_view piece);
    int on_head_end();
    int on_body(std::string_view piece);
    int on_end();

    Limits limits_;
    Into into_{};
    http_parser parser_{};
    Progress progress_ = Progress::head;
    Failure failure_;
    std::size_t head_left_ = 0;
    bool answers_head_ = false;
    bool untouched_ = false; // no byte has come
    bool in_name_ = false;
    bool trailers_ = false;
    bool keep_alive_ = false;
    bool until_close_ = false;
};

} // namespace hive::call
