// The usual call: HTTP on a plain connection. No coroutine takes part in it and nothing is
// allocated or queued for it: when its socket has the answer, the call ends and the next one is
// sent at once.
#include "call/lane_core.hpp"
#include "call/worker.hpp"

namespace hive::call {
namespace {

constexpr int reads_max = 4; // in a row, so that a long answer does not keep the others waiting

} // namespace

// Never ends the exchange, so that whoever begins many of them does not nest them: what is known
// already is looked at soon.
void Worker::exchange_directly() {
    way_ = Way::direct;
    DirectSocket& socket = *connection_->direct();
    socket.serve(this);
    begin_http();
    sent_ = 0;
    send_directly();
    if (!sending_ && (unsent_.error != ErrorClass::none || !socket.is_drained()))
        socket.look_again();
}

void Worker::send_directly() {
    const std::string& request = done_.call.request;
    DirectSocket& socket = *connection_->direct();
    auto [error, count] = socket.write(asio::buffer(request) + sent_);
    sent_ += count;
    done_.sent_bytes += count;
    sending_ = error ? error == asio::error::would_block : sent_ < request.size();
    if (sending_) {
        error = socket.await_room();
        if (!error) return;
        sending_ = false;
    }
    if (error) fail(error);
    await_answer();
}

void Worker::on_ready() {
    if (sending_) send_directly();
    if (!sending_) read_directly();
}

void Worker::read_directly() {
    DirectSocket& socket = *connection_->direct();
    for (int i = 0; i < reads_max; ++i) {
        const auto [error, count] = socket.read(connection_->room());
        if (error == asio::error::would_block) return;
        if (!take_answer(error, count)) {
            end_directly();
            return;
        }
        if (socket.is_drained()) return;
    }
    socket.look_again();
}

void Worker::end_directly() {
    connection_->direct()->serve(nullptr);
    sending_ = false;
    end_attempt();
}

} // namespace hive::call
