#pragma once

#include "api/http/stream.hpp"
#include "api/ws/message_reader.hpp"
#include "kernel/clock.hpp"

#include <boost/asio/steady_timer.hpp>

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace hive::ws {

// A frame as it goes over the wire; one of them is sent to many.
using FramePtr = std::shared_ptr<const std::string>;
FramePtr make_frame(Opcode opcode, std::string_view payload);

struct SessionLimits {
    std::size_t message_bytes = 64U << 10U; // from the client
    std::size_t queued_frames = 1024;       // not yet written to the client
    std::size_t queued_bytes = 4U << 20U;
    Duration ping_after = std::chrono::seconds{30}; // of silence
    Duration pong_within = std::chrono::seconds{10};
    Duration close_within = std::chrono::seconds{5}; // for the peer's close frame
};

// One WebSocket over a connection that was taken over. Lives on that connection's thread; send()
// and close() may be called there from outside while run() waits.
class Session {
public:
    // What to do with what the client sends.
    class Listener {
    public:
        virtual ~Listener() = default;
        virtual void on_text(std::string_view text) = 0;
        virtual void on_binary(std::string_view bytes) = 0;
        virtual void on_drained() {} // a queue that was waiting for the client is empty again
    };

    Session(http::Stream& stream, SessionLimits limits, Listener& listener)
        : stream_{stream}, limits_{limits}, listener_{listener}, reader_{limits.message_bytes} {}

    // Until either side has closed.
    http::asio::awaitable<void> run();

    // False when the client reads too slowly for its queue; nothing was queued then. `mark` is the
    // caller's number of the frame, rising; cut() tells which was the last to get through.
    [[nodiscard]] bool send(FramePtr frame, std::uint64_t mark = 0);
    bool send_text(std::string_view text) { return send(make_frame(Opcode::text, text)); }
    // Says goodbye behind what is queued.
    void close(CloseCode code, std::string_view reason);
    // Drops what is queued, sends what `notice` makes of the last mark that gets through, and says
    // goodbye.
    using Notice = std::function<FramePtr(std::uint64_t last_mark)>;
    void cut(const Notice& notice, CloseCode code, std::string_view reason);
    bool closing() const noexcept { return close_sent_; }
    bool writing() const noexcept { return writing_; } // the client lags behind; see on_drained()

private:
    bool handle(const Incoming& incoming);
    bool on_silence();
    struct Queued {
        FramePtr frame;
        std::uint64_t mark = 0;
    };
    void enqueue(Queued queued);
    std::size_t gather(std::span<http::asio::const_buffer> into) const;
    void drop_sent(std::size_t bytes);
    void write_now();
    void fail_writing();
    http::asio::awaitable<void> write_rest();
    http::asio::awaitable<void> finish_writing();

    http::Stream& stream_;
    SessionLimits limits_;
    Listener& listener_;
    MessageReader reader_;
    std::deque<Queued> queue_;
    std::uint64_t last_mark_ = 0; // of the frames that are written
    std::size_t queue_bytes_ = 0;
    std::size_t front_sent_ = 0; // bytes of the first frame that are gone already
    std::size_t in_flight_ = 0;  // frames that write_rest() is writing
    bool writing_ = false;       // write_rest() runs
    bool writer_failed_ = false;
    bool ping_pending_ = false;
    bool close_sent_ = false;
    http::asio::steady_timer* writer_done_ = nullptr; // cancelled when write_rest() ends
};

} // namespace hive::ws
