#pragma once

#include "api/http/head_scan.hpp"
#include "api/http/limits.hpp"
#include "api/http/refusal.hpp"
#include "api/http/request.hpp"

#include <memory>
#include <optional>
#include <string_view>

namespace hive::http {

// Turns bytes into requests, one after the other, without any I/O. Beast's parser does the parsing;
// what it tolerates and we do not is refused around it.
class RequestReader {
public:
    enum class Progress : std::uint8_t {
        head,    // more bytes of the head are needed
        body,    // the head is whole; the body is not
        whole,   // request() is complete; call next() when done with it
        refused, // refusal() says why; the connection cannot be used any more
    };

    explicit RequestReader(const Limits& limits);
    ~RequestReader();

    // Uses a prefix of `input` and says how long it was; the caller offers the rest again, with
    // more behind it. Stops at the end of the head, so that allow_body() can come first.
    std::size_t feed(std::string_view input);

    // Replaces Limits::body_bytes for this request.
    void allow_body(std::size_t bytes_max);
    void next();

    Progress progress() const noexcept { return progress_; }
    bool started() const noexcept { return scan_.started(); }
    bool expects_continue() const noexcept;
    Request& request() noexcept { return request_; }
    const Refusal& refusal() const noexcept { return refusal_; }

private:
    class Parser;

    std::size_t feed_head(std::string_view input);
    std::size_t feed_body(std::string_view input);
    void parse_head();
    void refuse(Refusal refusal);

    const Limits& limits_;
    Request request_;
    HeadScan scan_;
    // Made anew per message: Beast's parser cannot be reset.
    std::unique_ptr<Parser> parser_;
    Refusal refusal_;
    std::size_t body_max_;
    Progress progress_ = Progress::head;
    bool skipped_empty_line_ = false;
};

} // namespace hive::http
