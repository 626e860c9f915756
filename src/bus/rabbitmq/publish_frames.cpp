#include "bus/rabbitmq/publish_frames.hpp"

#include "bus/rabbitmq/errors.hpp"

#include <amqp_framing.h>

#include <array>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t envelope = 8; // of a frame: kind, channel and size before it, a mark behind
constexpr char end_mark = '\xce';
// Names are bounded by 255 bytes each, and what a property says of an error is bounded too.
using Scratch = std::array<char, 4096>;

amqp_bytes_t room_in(Scratch& scratch) {
    return {scratch.size(), scratch.data()};
}

} // namespace

bool PublishFrames::add(
    const Outgoing& message, const amqp_basic_properties_t& properties, Terms terms) {
    const std::size_t before = bytes_.size();
    if (add_method(message, terms) && add_header(message, properties, terms.channel)) {
        add_body(message.body, terms.channel);
        return true;
    }
    bytes_.resize(before);
    return false;
}

void PublishFrames::append(std::uint64_t number, std::size_t bytes) {
    while (bytes-- > 0) bytes_ += static_cast<char>((number >> (8 * bytes)) & 0xffU);
}

void PublishFrames::begin(Kind kind, amqp_channel_t channel, std::size_t size) {
    append(static_cast<std::uint8_t>(kind), 1);
    append(channel, 2);
    append(size, 4);
}

void PublishFrames::end() {
    bytes_ += end_mark;
}

bool PublishFrames::add_method(const Outgoing& message, Terms terms) {
    amqp_basic_publish_t method{};
    method.exchange = bytes_of(message.exchange);
    method.routing_key = bytes_of(message.key);
    method.mandatory = terms.mandatory ? 1 : 0;
    Scratch scratch;
    const int size = amqp_encode_method(AMQP_BASIC_PUBLISH_METHOD, &method, room_in(scratch));
    if (size < 0) return false;
    begin(Kind::method, terms.channel, static_cast<std::size_t>(size) + 4);
    append(AMQP_BASIC_PUBLISH_METHOD, 4);
    bytes_.append(scratch.data(), static_cast<std::size_t>(size));
    end();
    return true;
}

bool PublishFrames::add_header(
    const Outgoing& message, const amqp_basic_properties_t& properties, amqp_channel_t channel) {
    // The library does not change them, but does not say so.
    amqp_basic_properties_t copy = properties;
    Scratch scratch;
    const int size = amqp_encode_properties(AMQP_BASIC_CLASS, &copy, room_in(scratch));
    if (size < 0) return false;
    begin(Kind::header, channel, static_cast<std::size_t>(size) + 12);
    append(AMQP_BASIC_CLASS, 2);
    append(0, 2); // "weight", which nobody uses
    append(message.body.size(), 8);
    bytes_.append(scratch.data(), static_cast<std::size_t>(size));
    end();
    return true;
}

void PublishFrames::add_body(std::string_view body, amqp_channel_t channel) {
    while (!body.empty()) {
        const std::string_view part = body.substr(0, frame_max_ - envelope);
        begin(Kind::body, channel, part.size());
        bytes_ += part;
        end();
        body.remove_prefix(part.size());
    }
}

} // namespace hive::bus::rabbitmq
