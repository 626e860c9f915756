#include "call/lane_core.hpp"
#include "call/worker.hpp"

#include <fmt/format.h>

namespace hive::call {

Async<void> Worker::exchange_tcp() {
    const TcpRules& rules = *done_.call.tcp;
    limit(total_deadline_, ErrorClass::total_timeout);
    if (!sent_at_once()) co_await send_rest();
    if (!done_.ok()) co_return;
    const TimePoint sent = lane_.now();
    done_.at.sent = sent;
    limit(sent + lane_.options().timeouts.first_byte, ErrorClass::first_byte_timeout);
    switch (rules.behaviour) {
    case Behaviour::fire_and_forget:
        keep_ = true;
        succeed(sent);
        break;
    case Behaviour::echo:
        echo_rules_ = {
            .framing = Framing::fixed_length,
            .length = done_.call.request.size(),
            .bytes_max = rules.frame.bytes_max};
        if (echo_rules_.length > rules.frame.bytes_max) {
            fail(
                {ErrorClass::body_too_large,
                 fmt::format(
                     "an echo of {} bytes is longer than the {} that are allowed",
                     echo_rules_.length, rules.frame.bytes_max)});
            co_return;
        }
        frame_.start(echo_rules_, done_.body);
        co_await read_message();
        break;
    case Behaviour::request_response:
        frame_.start(rules.frame, done_.body);
        co_await read_message();
        break;
    case Behaviour::streaming: co_await read_stream(); break;
    }
    done_.body_bytes = done_.body.size();
}

// Bytes behind the message stay with the connection: they begin the next one.
Async<void> Worker::read_message() {
    using Progress = FrameReader::Progress;
    for (;;) {
        if (!connection_->unread().empty()) {
            if (done_.at.first_byte == TimePoint{}) {
                done_.at.first_byte = lane_.now();
                limit(total_deadline_, ErrorClass::total_timeout);
            }
            connection_->use(frame_.feed(connection_->unread()));
        }
        if (ended_ && frame_.progress() == Progress::incomplete) {
            // Nothing at all is no answer, however it is framed.
            if (done_.at.first_byte == TimePoint{}) {
                fail(asio::error::eof);
                co_return;
            }
            frame_.end_of_stream();
        }
        if (frame_.progress() != Progress::incomplete) break;
        const auto [error, count] = co_await connection_->stream().read_some(connection_->room());
        if (!received(error, count)) co_return;
    }
    if (frame_.progress() == Progress::broken) {
        fail(frame_.failure());
        co_return;
    }
    succeed(lane_.now());
    keep_ = !ended_;
}

// The silence at its end is no part of the answer: last_byte is the time of the last byte. The
// connection is not kept, since what comes late would be taken for the next answer.
Async<void> Worker::read_stream() {
    const TcpRules& rules = *done_.call.tcp;
    while (done_.body.size() < rules.frame.bytes_max && !ended_) {
        const auto [error, count] = co_await connection_->stream().read_some(connection_->room());
        if (!received(error, count)) co_return;
        const std::string_view got = connection_->unread();
        if (got.empty()) continue;
        const TimePoint now = lane_.now();
        if (done_.at.first_byte == TimePoint{}) done_.at.first_byte = now;
        succeed(now);
        done_.body += got.substr(0, rules.frame.bytes_max - done_.body.size());
        connection_->use(got.size());
        limit(now + rules.idle, ErrorClass::none);
    }
    if (done_.at.first_byte == TimePoint{}) fail(asio::error::eof);
}

} // namespace hive::call
