#include "call/frame.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::call {
namespace {

constexpr char stx = '\x02';
constexpr char etx = '\x03';
constexpr std::size_t delimiter_max = 64;

std::size_t prefix_bytes(Framing framing) {
    return framing == Framing::length_16 ? 2 : 4;
}

void append_length(std::string& out, std::size_t length, std::size_t bytes) {
    for (std::size_t i = bytes; i-- > 0;) out += static_cast<char>((length >> (8 * i)) & 0xffU);
}

} // namespace

Status check(const FrameRules& rules) {
    if (rules.bytes_max == 0)
        return fail(Errc::invalid, "a frame of at most 0 bytes holds nothing");
    if (rules.framing == Framing::delimiter &&
        (rules.delimiter.empty() || rules.delimiter.size() > delimiter_max))
        return fail(Errc::invalid, "a delimiter needs between 1 and 64 bytes");
    if (rules.framing == Framing::fixed_length &&
        (rules.length == 0 || rules.length > rules.bytes_max))
        return fail(
            Errc::invalid,
            fmt::format("the fixed length must be between 1 and {} bytes", rules.bytes_max));
    return {};
}

Status append_frame(std::string& out, std::string_view payload, const FrameRules& rules) {
    switch (rules.framing) {
    case Framing::none: out += payload; return {};
    case Framing::delimiter:
        // It would end the message early, and the rest would be another message.
        if (payload.find(rules.delimiter) != payload.npos)
            return fail(Errc::invalid, "the payload contains the delimiter");
        (out += payload) += rules.delimiter;
        return {};
    case Framing::stx_etx:
        if (payload.find(etx) != payload.npos)
            return fail(Errc::invalid, "the payload contains the byte 03 (ETX)");
        ((out += stx) += payload) += etx;
        return {};
    case Framing::length_16:
    case Framing::length_32: {
        const std::size_t bytes = prefix_bytes(rules.framing);
        if (payload.size() > (std::uint64_t{1} << (8 * bytes)) - 1)
            return fail(
                Errc::invalid,
                fmt::format(
                    "{} bytes are more than a length of {} bytes can say", payload.size(), bytes));
        append_length(out, payload.size(), bytes);
        out += payload;
        return {};
    }
    case Framing::fixed_length:
        if (payload.size() != rules.length)
            return fail(
                Errc::invalid, fmt::format(
                                   "the payload has {} bytes and every frame has {}",
                                   payload.size(), rules.length));
        out += payload;
        return {};
    }
    std::abort();
}

void FrameReader::start(const FrameRules& rules, std::string& payload) {
    rules_ = &rules;
    payload_ = &payload;
    payload.clear();
    progress_ = Progress::incomplete;
    failure_ = {};
    matched_ = 0;
    wanted_ = rules.framing == Framing::fixed_length ? rules.length : 0;
    begun_ = false;
}

std::size_t FrameReader::feed(std::string_view bytes) {
    if (progress_ != Progress::incomplete) return 0;
    switch (rules_->framing) {
    case Framing::none: return feed_open(bytes);
    case Framing::delimiter: return feed_delimited(bytes);
    case Framing::stx_etx: return feed_enclosed(bytes);
    case Framing::length_16:
    case Framing::length_32: return feed_prefix(bytes);
    case Framing::fixed_length: return feed_counted(bytes);
    }
    std::abort();
}

void FrameReader::end_of_stream() {
    if (progress_ != Progress::incomplete) return;
    if (rules_->framing == Framing::none) {
        progress_ = Progress::whole;
        return;
    }
    breaks(
        ErrorClass::closed_early,
        fmt::format(
            "the peer closed the connection after {} bytes of a message", payload_->size()));
}

void FrameReader::breaks(ErrorClass error, std::string detail) {
    progress_ = Progress::broken;
    failure_ = {error, std::move(detail)};
}

std::size_t FrameReader::feed_delimited(std::string_view bytes) {
    const std::string& delimiter = rules_->delimiter;
    // A delimiter may begin in an earlier piece: what was kept is searched from there on.
    const std::size_t kept = payload_->size();
    const std::size_t room = rules_->bytes_max + delimiter.size() - kept;
    const std::string_view taken = bytes.substr(0, room);
    *payload_ += taken;
    const std::size_t from = kept - std::min(kept, delimiter.size() - 1);
    const std::size_t at = payload_->find(delimiter, from);
    if (at != std::string::npos) {
        payload_->resize(at);
        progress_ = Progress::whole;
        return at + delimiter.size() - kept;
    }
    if (taken.size() == room) {
        payload_->resize(rules_->bytes_max);
        breaks(
            ErrorClass::body_too_large,
            fmt::format("no delimiter within {} bytes", rules_->bytes_max));
    }
    return taken.size();
}

std::size_t FrameReader::feed_enclosed(std::string_view bytes) {
    std::size_t used = 0;
    if (!begun_) {
        if (bytes.empty()) return 0;
        if (bytes.front() != stx) {
            breaks(
                ErrorClass::malformed_response,
                fmt::format(
                    "a message begins with the byte 02 (STX), this one with {:02x}",
                    static_cast<unsigned char>(bytes.front())));
            return 0;
        }
        begun_ = true;
        used = 1;
    }
    const std::string_view rest = bytes.substr(used);
    const std::size_t room = rules_->bytes_max - payload_->size();
    const std::size_t end = rest.find(etx);
    if (end != rest.npos && end <= room) {
        *payload_ += rest.substr(0, end);
        progress_ = Progress::whole;
        return used + end + 1;
    }
    const std::string_view taken = rest.substr(0, room);
    *payload_ += taken;
    if (rest.size() > room)
        breaks(
            ErrorClass::body_too_large,
            fmt::format("no byte 03 (ETX) within {} bytes", rules_->bytes_max));
    return used + taken.size();
}

std::size_t FrameReader::feed_prefix(std::string_view bytes) {
    const std::size_t prefix = prefix_bytes(rules_->framing);
    std::size_t used = 0;
    for (; matched_ < prefix && used < bytes.size(); ++matched_, ++used) {
        wanted_ = (wanted_ << 8U) | static_cast<unsigned char>(bytes[used]);
    }
    if (matched_ < prefix) return used;
    if (wanted_ > rules_->bytes_max) {
        breaks(
            ErrorClass::body_too_large,
            fmt::format(
                "the peer announced {} bytes and {} are allowed", wanted_, rules_->bytes_max));
        return used;
    }
    return used + feed_counted(bytes.substr(used));
}

std::size_t FrameReader::feed_counted(std::string_view bytes) {
    const std::string_view taken = bytes.substr(0, wanted_ - payload_->size());
    *payload_ += taken;
    if (payload_->size() == wanted_) progress_ = Progress::whole;
    return taken.size();
}

std::size_t FrameReader::feed_open(std::string_view bytes) {
    const std::string_view taken = bytes.substr(0, rules_->bytes_max - payload_->size());
    *payload_ += taken;
    if (taken.size() < bytes.size())
        breaks(
            ErrorClass::body_too_large,
            fmt::format("the peer sent more than {} bytes", rules_->bytes_max));
    return taken.size();
}

} // namespace hive::call
