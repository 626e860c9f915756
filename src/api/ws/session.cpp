#include "api/ws/session.hpp"

#include "kernel/overloaded.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <array>

namespace hive::ws {
namespace {

namespace asio = http::asio;

constexpr std::size_t read_bytes = 4U << 10U;
constexpr std::size_t gathered_frames = 32; // for one write

} // namespace

FramePtr make_frame(Opcode opcode, std::string_view payload) {
    auto frame = std::make_shared<std::string>();
    frame->reserve(payload.size() + 10);
    append_frame(*frame, opcode, payload);
    return frame;
}

asio::awaitable<void> Session::run() {
    stream_.on_stop([this] { close(CloseCode::going_away, "the server is shutting down"); });
    stream_.read_within(limits_.ping_after);
    for (bool open = true; open;) {
        std::string& input = reader_.input();
        const std::size_t before = input.size();
        input.resize(before + read_bytes);
        const auto [error, count] =
            co_await stream_.read_some(asio::buffer(input.data() + before, read_bytes));
        input.resize(before + count);
        if (error == asio::error::operation_aborted) {
            open = on_silence();
            continue;
        }
        if (error) break;
        if (!close_sent_) {
            ping_pending_ = false;
            stream_.read_within(limits_.ping_after);
        }
        for (Incoming incoming = reader_.next(); open; incoming = reader_.next()) {
            if (std::holds_alternative<NeedMore>(incoming)) break;
            open = handle(incoming);
        }
    }
    stream_.on_stop(nullptr);
    co_await finish_writing();
}

// Nothing came in time. False when that is the end.
bool Session::on_silence() {
    if (close_sent_ || ping_pending_ || writer_failed_) {
        writer_failed_ = true; // nobody reads: what is queued is dropped
        return false;
    }
    ping_pending_ = true;
    enqueue({make_frame(Opcode::ping, {})});
    stream_.read_within(limits_.pong_within);
    return true;
}

// False when this was the last thing to read.
bool Session::handle(const Incoming& incoming) {
    return std::visit(
        overloaded{
            [](const NeedMore&) { return true; },
            [&](const TextMessage& message) {
                if (!close_sent_) listener_.on_text(message.text);
                return true;
            },
            [&](const BinaryMessage& message) {
                if (!close_sent_) listener_.on_binary(message.bytes);
                return true;
            },
            [&](const Ping& ping) {
                // A client that pings without reading gets no more room than any other.
                if (!close_sent_ && !send(make_frame(Opcode::pong, ping.payload))) {
                    close(CloseCode::policy, "too many pings");
                }
                return true;
            },
            [](const Pong&) { return true; },
            [&](const Closing& closing) {
                const bool coded = closing.code != CloseCode::no_status;
                if (!close_sent_) close(coded ? closing.code : CloseCode::normal, {});
                return false;
            },
            [&](const Violation& violation) {
                close(violation.code, violation.reason);
                return false;
            }},
        incoming);
}

bool Session::send(FramePtr frame, std::uint64_t mark) {
    if (close_sent_) return true; // the goodbye was said; this is dropped, as the peer expects
    if (queue_.size() >= limits_.queued_frames ||
        queue_bytes_ + frame->size() > limits_.queued_bytes) {
        return false;
    }
    enqueue({std::move(frame), mark});
    return true;
}

void Session::close(CloseCode code, std::string_view reason) {
    if (close_sent_) return;
    close_sent_ = true;
    enqueue({make_frame(Opcode::close, close_payload(code, reason))});
    stream_.read_within(limits_.close_within);
}

void Session::cut(const Notice& notice, CloseCode code, std::string_view reason) {
    if (close_sent_) return;
    // A frame that is half on its way must be finished, or nothing after it can be read.
    const std::size_t kept = std::max<std::size_t>(in_flight_, front_sent_ > 0 ? 1 : 0);
    while (queue_.size() > kept) {
        queue_bytes_ -= queue_.back().frame->size();
        queue_.pop_back();
    }
    std::uint64_t last = last_mark_;
    for (const Queued& queued : queue_) last = std::max(last, queued.mark);
    enqueue({notice(last)});
    close(code, reason);
}

void Session::enqueue(Queued queued) {
    if (writer_failed_) return;
    queue_bytes_ += queued.frame->size();
    queue_.push_back(std::move(queued));
    if (!writing_) write_now();
}

std::size_t Session::gather(std::span<asio::const_buffer> into) const {
    const std::size_t count = std::min(queue_.size(), into.size());
    for (std::size_t i = 0; i < count; ++i) into[i] = asio::buffer(*queue_[i].frame);
    if (count > 0) into[0] += front_sent_;
    return count;
}

void Session::drop_sent(std::size_t bytes) {
    front_sent_ += bytes;
    while (!queue_.empty() && front_sent_ >= queue_.front().frame->size()) {
        const Queued& sent = queue_.front();
        front_sent_ -= sent.frame->size();
        queue_bytes_ -= sent.frame->size();
        last_mark_ = std::max(last_mark_, sent.mark);
        queue_.pop_front();
    }
}

// Most frames fit into the socket's buffer: no coroutine for those.
void Session::write_now() {
    while (!queue_.empty()) {
        std::array<asio::const_buffer, gathered_frames> buffers{};
        const std::size_t count = gather(buffers);
        const auto [error, sent] = stream_.try_write({buffers.data(), count});
        drop_sent(sent);
        if (error == asio::error::would_block) {
            writing_ = true;
            asio::co_spawn(stream_.executor(), write_rest(), asio::detached);
            return;
        }
        if (error) {
            fail_writing();
            return;
        }
    }
}

asio::awaitable<void> Session::write_rest() {
    while (!queue_.empty() && !writer_failed_) {
        std::array<asio::const_buffer, gathered_frames> buffers{};
        in_flight_ = gather(buffers);
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < in_flight_; ++i) bytes += buffers[i].size();
        const auto error = co_await stream_.write({buffers.data(), in_flight_});
        if (error) {
            fail_writing();
        } else {
            drop_sent(bytes);
        }
    }
    writing_ = false;
    in_flight_ = 0;
    if (!writer_failed_ && !close_sent_) listener_.on_drained();
    if (writer_done_ != nullptr) writer_done_->cancel();
}

void Session::fail_writing() {
    writer_failed_ = true;
    queue_.clear();
    queue_bytes_ = front_sent_ = 0;
    stream_.abort(); // wakes the reader, which then finds the end
}

asio::awaitable<void> Session::finish_writing() {
    if (writer_failed_ && writing_) stream_.abort();
    while (writing_) {
        // The writer's own deadline bounds this wait.
        asio::steady_timer done{stream_.executor(), asio::steady_timer::time_point::max()};
        writer_done_ = &done;
        co_await done.async_wait(asio::as_tuple(asio::use_awaitable));
        writer_done_ = nullptr;
    }
}

} // namespace hive::ws
