#pragma once

#include "call/call.hpp"
#include "call/connection.hpp"
#include "call/frame.hpp"
#include "call/response_reader.hpp"
#include "call/site.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <memory>
#include <vector>

namespace hive::call {

class LaneCore;

// Makes one call after another: an exchange of HTTP without TLS directly, as its socket becomes
// ready; everything else in a coroutine, which sleeps meanwhile. Lives on the lane's thread; its
// lane's sweep looks at the one deadline it has at a time, so that no call arms a timer.
class Worker final : private DirectSocket::User {
public:
    explicit Worker(LaneCore& lane);

    Async<void> run(); // until the lane ends
    void wake();       // where it was parked: there may be work, or the end
    void sweep(TimePoint now);
    void cancel(); // the call under way, if there is one
    bool busy() const noexcept { return busy_; }
    void close_resting_since(TimePoint before);
    bool has_kept() const noexcept { return !kept_.empty(); }

private:
    // Who goes on with the call under way.
    enum class Way : std::uint8_t {
        none,    // there is no call
        awaited, // the coroutine
        direct,  // on_ready
    };

    // One call.
    void next_call(); // or parks
    TimePoint begin_call();
    void end_call();
    bool is_sendable();
    void begin_attempt(TimePoint now);
    void end_attempt(); // and goes on with another, or the next call
    bool again();       // another attempt or redirect is due
    bool follow_redirect();
    void clear_answer();
    void fail(Failure failure);
    void fail(const error_code& error); // of the connection, or what our own deadline made of it
    void succeed(TimePoint now);

    // One connection.
    bool reuse();
    Async<void> open();
    Async<bool> find_addresses();
    Async<bool> connect();
    error_code adopt(Socket socket);
    Async<bool> shake_hands();
    std::unique_ptr<Connection> take_kept();
    void release();

    // One exchange on it.
    bool sent_at_once(); // or failed to; false: some is left
    Async<void> send_rest();
    Async<void> exchange_http();
    Async<void> exchange_tcp();
    Async<void> read_message();
    Async<void> read_stream();
    bool received(const error_code& error, std::size_t count); // false: failed
    void begin_http();
    void await_answer();                                          // all is sent, or failed to
    bool take_answer(const error_code& error, std::size_t count); // false: it is over
    // The same without a coroutine.
    void exchange_directly();
    void send_directly();
    void read_directly();
    void end_directly();
    void on_ready() override;

    void limit(TimePoint until, ErrorClass error);
    Async<void> nap(); // until woken, whatever for

    LaneCore& lane_;
    Timer timer_;
    Done done_;
    ResponseReader reader_;
    FrameReader frame_;
    FrameRules echo_rules_{};
    Site* site_ = nullptr;
    std::unique_ptr<Connection> connection_;
    std::vector<std::unique_ptr<Connection>> kept_; // in mode per_worker
    Socket* connecting_ = nullptr;
    Way way_ = Way::none;
    TimePoint total_deadline_{};
    TimePoint deadline_ = TimePoint::max();
    ErrorClass deadline_means_ = ErrorClass::none;
    bool expired_ = false;   // our deadline ended what was waited for
    bool cancelled_ = false; // and nothing more will be tried
    bool busy_ = false;
    bool keep_ = false;    // the connection is good for another call
    bool fresh_ = false;   // kept connections are not to be trusted
    bool stale_ = false;   // the kept connection was dead
    bool ended_ = false;   // the peer has sent all it will
    bool sending_ = false; // directly, and not all is sent
    std::size_t sent_ = 0;
    Failure unsent_{}; // why not all could be sent, while an answer may come all the same
    bool unsent_stale_ = false;
    std::uint64_t received_before_ = 0; // in earlier attempts
};

} // namespace hive::call
