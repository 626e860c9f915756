#pragma once

#include "call/direct_socket.hpp"
#include "call/stream.hpp"
#include "kernel/clock.hpp"

#include <boost/asio/error.hpp>

#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace hive::call {

// A stream or a direct socket, with the bytes that were received and not used. Between two calls it
// is nobody's.
class Connection {
public:
    // Counts itself among those that are alive.
    Connection(
        std::unique_ptr<Stream> stream, std::shared_ptr<const Target> target, std::size_t& alive)
        : stream_{std::move(stream)}, target_{std::move(target)}, alive_{alive} {
        ++alive_;
    }
    Connection(
        std::unique_ptr<DirectSocket> direct, std::shared_ptr<const Target> target,
        std::size_t& alive)
        : direct_{std::move(direct)}, target_{std::move(target)}, alive_{alive} {
        ++alive_;
    }
    ~Connection() { --alive_; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    Stream& stream() noexcept { return *stream_; }                  // if it has no direct socket
    DirectSocket* direct() const noexcept { return direct_.get(); } // or null
    const Target* target() const noexcept { return target_.get(); }

    std::string_view unread() const noexcept { return {in_.data() + begin_, end_ - begin_}; }
    void use(std::size_t count) noexcept { begin_ += count; }
    // Throws away what has come, so that the peer does not block on answers that nobody awaits.
    // False: it has closed the connection.
    bool discard_unread() {
        for (int i = 0; i < discards_max; ++i) {
            begin_ = end_ = 0;
            const auto [error, count] = stream_->try_read(room());
            if (error) return error == asio::error::would_block;
        }
        return true;
    }

    // Where to read to. An answer that fills it gets more at a time; the next one starts small.
    asio::mutable_buffer room() {
        if (begin_ == end_) {
            if (end_ == in_.size()) in_ = std::vector<char>(in_.empty() ? small : large);
            begin_ = end_ = 0;
        } else if (end_ == in_.size()) {
            std::memmove(in_.data(), in_.data() + begin_, end_ - begin_);
            end_ -= begin_;
            begin_ = 0;
            if (end_ == in_.size()) in_.resize(2 * in_.size());
        }
        return asio::buffer(in_.data() + end_, in_.size() - end_);
    }
    void received(std::size_t count) noexcept { end_ += count; }

    void rest(TimePoint now) {
        resting_since_ = now;
        if (begin_ != end_) return;
        begin_ = end_ = 0;
        if (in_.size() > small) in_ = {};
    }
    // No good for another call. Bytes that come while it rests belong to no call of HTTP, but may
    // be a frame that came early.
    bool is_spoilt() noexcept {
        const Pulse pulse = direct_ ? direct_->pulse() : stream_->pulse();
        return pulse == Pulse::gone || (pulse == Pulse::talking && is_http(target_->scheme()));
    }
    // Something has come while it rested, or may have.
    bool has_stirred() const noexcept { return direct_ && !direct_->is_drained(); }
    TimePoint resting_since() const noexcept { return resting_since_; }

    void cancel() noexcept { // what waits for a stream
        if (stream_) stream_->cancel();
    }
    Failure explain(const error_code& error) const {
        return stream_ ? stream_->explain(error) : explain_system_error(error);
    }

private:
    static constexpr int discards_max = 16; // the rest can wait for the next call
    static constexpr std::size_t small = 4096;
    static constexpr std::size_t large = 65'536;

    // One of the two.
    std::unique_ptr<Stream> stream_{};
    std::unique_ptr<DirectSocket> direct_{};
    std::shared_ptr<const Target> target_; // may be forgotten by everybody else
    std::size_t& alive_;
    std::vector<char> in_; // [begin_, end_) is received and not used
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    TimePoint resting_since_{};
};

} // namespace hive::call
