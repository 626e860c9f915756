#include "api/ws/message_reader.hpp"

#include <algorithm>
#include <utility>

namespace hive::ws {
namespace {

constexpr std::size_t kept_bytes = 4096; // of buffers, between messages

} // namespace

Violation MessageReader::violation(CloseCode code, std::string_view reason) {
    broken_ = true;
    return {code, reason};
}

Incoming MessageReader::next() {
    if (message_done_) {
        message_done_ = false;
        message_.clear();
        if (message_.capacity() > kept_bytes) message_.shrink_to_fit();
        kind_ = Opcode::continuation;
    }
    if (std::exchange(control_done_, false)) control_.clear();
    while (!broken_) {
        if (!in_frame_) {
            Incoming begun = frame_begins();
            if (!std::holds_alternative<NeedMore>(begun)) return begun;
            if (!in_frame_) break;
        }
        Incoming arrived = payload_arrives();
        if (!std::holds_alternative<NeedMore>(arrived)) return arrived;
        if (in_frame_) break; // the payload is not whole yet
    }
    input_.erase(0, used_);
    used_ = 0;
    if (input_.empty() && input_.capacity() > kept_bytes) input_.shrink_to_fit();
    return NeedMore{};
}

Incoming MessageReader::frame_begins() {
    const FrameHeaderRead read = read_frame_header(std::string_view{input_}.substr(used_));
    if (read.state == FrameHeaderRead::State::need_more) return NeedMore{};
    if (read.state == FrameHeaderRead::State::broken) {
        return violation(CloseCode::protocol_error, read.problem);
    }
    if (!read.header.masked) {
        return violation(CloseCode::protocol_error, "a client must mask its frames");
    }
    frame_ = read.header;
    if (!is_control(frame_.opcode)) {
        const bool continues = frame_.opcode == Opcode::continuation;
        if (continues == (kind_ == Opcode::continuation)) {
            return violation(
                CloseCode::protocol_error,
                continues ? "there is no message to continue" : "the last message is not finished");
        }
        if (frame_.length > message_max_ - std::min(message_max_, message_.size())) {
            return violation(CloseCode::too_big, "the message is too large");
        }
        if (!continues) {
            kind_ = frame_.opcode;
            utf8_.restart();
        }
    }
    used_ += read.bytes;
    frame_got_ = 0;
    in_frame_ = true;
    return NeedMore{};
}

Incoming MessageReader::payload_arrives() {
    const std::size_t size = static_cast<std::size_t>(
        std::min<std::uint64_t>(input_.size() - used_, frame_.length - frame_got_));
    char* data = input_.data() + used_;
    unmask(data, size, frame_.mask, static_cast<std::size_t>(frame_got_));
    const std::string_view piece{data, size};
    if (is_control(frame_.opcode)) {
        control_ += piece;
    } else {
        if (kind_ == Opcode::text && !utf8_.accept(piece)) {
            return violation(CloseCode::invalid_data, "the text is not UTF-8");
        }
        message_ += piece;
    }
    used_ += size;
    frame_got_ += size;
    if (frame_got_ < frame_.length) return NeedMore{};
    in_frame_ = false;
    return frame_ends();
}

Incoming MessageReader::frame_ends() {
    if (is_control(frame_.opcode)) return control_ends();
    if (!frame_.final) return NeedMore{};
    message_done_ = true;
    if (kind_ == Opcode::binary) return BinaryMessage{message_};
    if (!utf8_.at_boundary()) {
        return violation(CloseCode::invalid_data, "the text ends inside a character");
    }
    return TextMessage{message_};
}

Incoming MessageReader::control_ends() {
    control_done_ = true; // the views below point into control_, which the next call clears
    const std::string& payload = control_;
    if (frame_.opcode == Opcode::ping) return Ping{payload};
    if (frame_.opcode == Opcode::pong) return Pong{payload};
    broken_ = true; // nothing may follow a close frame
    if (payload.empty()) return Closing{};
    if (payload.size() == 1) {
        return violation(CloseCode::protocol_error, "a close code has two bytes");
    }
    const auto code = static_cast<std::uint16_t>(
        static_cast<unsigned char>(payload[0]) << 8U | static_cast<unsigned char>(payload[1]));
    const std::string_view reason = std::string_view{payload}.substr(2);
    if (!is_valid_close(code)) {
        return violation(CloseCode::protocol_error, "the close code may not be sent");
    }
    if (!is_utf8(reason)) {
        return violation(CloseCode::invalid_data, "the close reason is not UTF-8");
    }
    return Closing{static_cast<CloseCode>(code), reason};
}

} // namespace hive::ws
