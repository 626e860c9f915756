#pragma once

#include "api/http/admission.hpp"
#include "api/http/conn.hpp"
#include "api/http/host.hpp"
#include "api/http/request_reader.hpp"
#include "api/http/stream.hpp"

#include <boost/intrusive/list.hpp>

#include <memory>
#include <string>
#include <vector>

namespace hive::http {

// Serves the requests of one peer, in order, until one side has enough. Lives on one thread, owned
// by its coroutine; the thread's sweep looks at its deadlines, so that no request arms a timer.
class Connection final
    : public Stream,
      public std::enable_shared_from_this<Connection>, // its own coroutine keeps it alive
      public boost::intrusive::list_base_hook<
          boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
public:
    struct Parts {
        std::unique_ptr<Conn> conn;
        Peer peer;
        Admission::Ticket ticket;
    };

    Connection(Host& host, Parts parts);
    ~Connection() override;

    asio::awaitable<void> run();
    void sweep(SteadyTime now);
    void stop(); // finish what is under way, then end

    asio::awaitable<IoCount> read_some(asio::mutable_buffer into) override;
    asio::awaitable<error_code> write(Buffers from) override;
    IoCount try_write(Buffers from) override;
    void read_within(Duration limit) override;
    void on_stop(std::function<void()> stopping) override;
    void abort() noexcept override;
    asio::any_io_executor executor() override { return host_.io.get_executor(); }

private:
    using Progress = RequestReader::Progress;

    asio::awaitable<bool> shake_hands();
    asio::awaitable<void> serve();
    asio::awaitable<void> fill();
    asio::awaitable<void> respond();
    asio::awaitable<void> refuse(Refusal refusal);
    asio::awaitable<void> hand_over(Response response);
    asio::awaitable<void> flush(std::string_view body);
    asio::awaitable<void> linger();

    bool sent_at_once();
    void feed();
    void begin_body();
    void arm_reading();
    asio::mutable_buffer room();
    // The part of a large body that was not copied behind the head.
    std::string_view enqueue(const Response& response, bool keep_alive);

    Host& host_;
    std::unique_ptr<Conn> conn_;
    Peer peer_;
    Admission::Ticket ticket_;
    RequestReader reader_;

    std::vector<char> in_; // [begin_, end_) is received and not used
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::string out_; // answers that were not sent yet

    SteadyTime read_deadline_ = SteadyTime::max();
    SteadyTime write_deadline_ = SteadyTime::max();
    std::function<void()> on_stop_;
    std::size_t requests_ = 0;
    bool idle_ = false;       // waiting for the first byte of a request
    bool head_timed_ = false; // the head's deadline runs
    bool body_begun_ = false;
    bool expired_ = false;
    bool done_ = false;
    bool lingers_ = false; // the peer must get the chance to read the last answer
};

} // namespace hive::http
