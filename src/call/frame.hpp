#pragma once

#include "call/error_class.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hive::call {

// How messages are told apart on a TCP connection.
enum class Framing : std::uint8_t {
    none,         // the answer ends where the stream does
    delimiter,    // a message ends with some bytes
    stx_etx,      // between the bytes 02 and 03
    length_16,    // behind its length in two bytes, the higher first
    length_32,    // behind its length in four bytes
    fixed_length, // all have the same length
};

struct FrameRules {
    Framing framing = Framing::none;
    std::string delimiter{};      // for Framing::delimiter; 1 to 64 bytes
    std::size_t length = 0;       // for Framing::fixed_length
    std::size_t bytes_max = 8192; // of an answer without its frame
};

Status check(const FrameRules& rules);

// The payload as it goes onto the wire. Refuses what the framing cannot carry.
Status append_frame(std::string& out, std::string_view payload, const FrameRules& rules);

// Finds one message in bytes that come in any pieces, and never keeps more than `bytes_max`.
class FrameReader {
public:
    enum class Progress : std::uint8_t { incomplete, whole, broken };

    // `payload` is cleared and then holds the message without its frame.
    void start(const FrameRules& rules, std::string& payload);

    // Returns how many bytes were used; those behind the message are left to the next.
    std::size_t feed(std::string_view bytes);
    void end_of_stream(); // no more will come

    Progress progress() const noexcept { return progress_; }
    const Failure& failure() const noexcept { return failure_; }

private:
    std::size_t feed_delimited(std::string_view bytes);
    std::size_t feed_enclosed(std::string_view bytes);
    std::size_t feed_prefix(std::string_view bytes);
    std::size_t feed_counted(std::string_view bytes);
    std::size_t feed_open(std::string_view bytes);
    void breaks(ErrorClass error, std::string detail);

    const FrameRules* rules_ = nullptr;
    std::string* payload_ = nullptr;
    Progress progress_ = Progress::incomplete;
    Failure failure_;
    std::size_t matched_ = 0;  // bytes of the delimiter or prefix that were seen
    std::uint64_t wanted_ = 0; // the length that a prefix announced
    bool begun_ = false;       // STX was seen
};

} // namespace hive::call
