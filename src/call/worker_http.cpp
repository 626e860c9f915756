#include "call/lane_core.hpp"
#include "call/worker.hpp"

#include <boost/asio/post.hpp>

#include <cstdlib>
#include <utility>

namespace hive::call {

// With TLS; without it goes directly.
Async<void> Worker::exchange_http() {
    begin_http();
    if (!sent_at_once()) co_await send_rest();
    if (expired_ && !done_.ok()) co_return;
    await_answer();
    // Behind what else is ready now: by then the answer has often come, and reading at once finds
    // it. Else each call would pay for a read that finds nothing.
    co_await asio::post(lane_.io(), as_result);
    for (bool more = true; more;) {
        const auto [error, count] = co_await connection_->stream().read_some(connection_->room());
        more = take_answer(error, count);
    }
}

void Worker::begin_http() {
    reader_.start(
        {&done_.status, &done_.headers, &done_.body, &done_.body_bytes},
        done_.call.request.starts_with("HEAD "));
    limit(total_deadline_, ErrorClass::total_timeout);
}

// Even a broken connection may hold an answer: a server that refuses a long body early.
void Worker::await_answer() {
    const TimePoint sent = lane_.now();
    unsent_.error = ErrorClass::none;
    if (done_.ok())
        done_.at.sent = sent;
    else
        unsent_ = std::exchange(done_.failure, {});
    unsent_stale_ = stale_;
    limit(sent + lane_.options().timeouts.first_byte, ErrorClass::first_byte_timeout);
}

bool Worker::take_answer(const error_code& error, std::size_t count) {
    using Progress = ResponseReader::Progress;
    if (!received(error, count)) {
        if (unsent_.error == ErrorClass::none || expired_) return false;
        fail(std::move(unsent_));
        stale_ = unsent_stale_;
        return false;
    }
    const TimePoint now = lane_.now();
    if (ended_) {
        reader_.end_of_stream();
        stale_ = done_.reused && done_.received_bytes == received_before_;
    } else if (done_.at.first_byte == TimePoint{}) {
        done_.at.first_byte = now;
        limit(total_deadline_, ErrorClass::total_timeout);
    }
    connection_->use(reader_.feed(connection_->unread()));
    switch (reader_.progress()) {
    case Progress::head:
    case Progress::body: return true;
    case Progress::broken: fail(reader_.failure()); return false;
    case Progress::whole:
        succeed(now);
        // Bytes that nobody asked for would be taken for the next answer.
        keep_ = reader_.keep_alive() && !ended_ && connection_->unread().empty() &&
                done_.at.sent != TimePoint{};
        return false;
    }
    std::abort();
}

} // namespace hive::call
