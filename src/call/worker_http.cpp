#include "call/lane_core.hpp"
#include "call/worker.hpp"

#include <boost/asio/post.hpp>

namespace hive::call {

Async<void> Worker::exchange_http() {
    using Progress = ResponseReader::Progress;
    const std::string& request = done_.call.request;
    reader_.start(
        {&done_.status, &done_.headers, &done_.body, &done_.body_bytes},
        request.starts_with("HEAD "));
    limit(total_deadline_, ErrorClass::total_timeout);
    if (!sent_at_once()) co_await send_rest();
    const TimePoint sent = lane_.now();
    // Even a broken connection may hold an answer: a server that refuses a long body early.
    Failure unsent = std::move(done_.failure);
    const bool was_stale = stale_;
    done_.failure = {};
    if (expired_ && unsent.error != ErrorClass::none) {
        fail(std::move(unsent));
        co_return;
    }
    if (unsent.error == ErrorClass::none) done_.at.sent = sent;
    limit(sent + lane_.options().timeouts.first_byte, ErrorClass::first_byte_timeout);
    // Behind what else is ready now: by then the answer has often come, and reading at once finds
    // it. Else each call would pay for a read that finds nothing.
    co_await asio::post(lane_.io(), as_result);
    while (reader_.progress() == Progress::head || reader_.progress() == Progress::body) {
        const auto [error, count] = co_await connection_->stream().read_some(connection_->room());
        if (!received(error, count)) {
            if (unsent.error != ErrorClass::none && !expired_) {
                fail(std::move(unsent));
                stale_ = was_stale;
            }
            co_return;
        }
        if (!take_answer()) co_return;
    }
}

bool Worker::take_answer() {
    using Progress = ResponseReader::Progress;
    const TimePoint now = lane_.now();
    if (ended_) {
        reader_.end_of_stream();
        stale_ = done_.reused && done_.received_bytes == received_before_;
    } else if (done_.at.first_byte == TimePoint{}) {
        done_.at.first_byte = now;
        limit(total_deadline_, ErrorClass::total_timeout);
    }
    connection_->use(reader_.feed(connection_->unread()));
    if (reader_.progress() == Progress::broken) {
        fail(reader_.failure());
        return false;
    }
    if (reader_.progress() == Progress::whole) {
        succeed(now);
        // Bytes that nobody asked for would be taken for the next answer.
        keep_ = reader_.keep_alive() && !ended_ && connection_->unread().empty() &&
                done_.at.sent != TimePoint{};
    }
    return true;
}

} // namespace hive::call
