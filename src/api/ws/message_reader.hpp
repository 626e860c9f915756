#pragma once

#include "api/ws/frame.hpp"
#include "api/ws/utf8.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

namespace hive::ws {

struct TextMessage {
    std::string_view text;
};
struct BinaryMessage {
    std::string_view bytes;
};
struct Ping {
    std::string_view payload;
};
struct Pong {
    std::string_view payload;
};
struct Closing { // the peer wants to end
    CloseCode code = CloseCode::no_status;
    std::string_view reason;
};
struct Violation { // the connection must end with this code
    CloseCode code = CloseCode::protocol_error;
    std::string_view reason;
};
struct NeedMore {};

using Incoming = std::variant<NeedMore, TextMessage, BinaryMessage, Ping, Pong, Closing, Violation>;

// Turns the bytes of a client into messages, without any I/O: unmasks, joins fragments, checks
// UTF-8 as it arrives, holds everything to its bounds.
class MessageReader {
public:
    explicit MessageReader(std::size_t message_max) : message_max_{message_max} {}

    // Where the next bytes from the socket go: append them here, then call next() until NeedMore.
    std::string& input() noexcept { return input_; }

    // The next thing that is complete. Views stay valid until the following call.
    Incoming next();

private:
    Incoming frame_begins();
    Incoming payload_arrives();
    Incoming frame_ends();
    Incoming control_ends();
    Violation violation(CloseCode code, std::string_view reason);

    std::size_t message_max_;
    std::string input_;
    std::size_t used_ = 0; // of input_
    std::string message_;  // of the data frames so far
    std::string control_;
    FrameHeader frame_{};
    std::uint64_t frame_got_ = 0;
    Opcode kind_ = Opcode::continuation; // of the message; continuation: none has begun
    Utf8Check utf8_;
    bool in_frame_ = false;
    bool message_done_ = false;
    bool control_done_ = false;
    bool broken_ = false;
};

} // namespace hive::ws
