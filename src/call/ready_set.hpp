#pragma once

#include "call/stream.hpp"

#include <boost/asio/posix/basic_stream_descriptor.hpp>
#include <sys/epoll.h>

#include <array>
#include <vector>

namespace hive::call {

class DirectSocket;

// Tells the direct sockets of a lane when something has happened to them: an epoll set of their own
// inside that of Asio, which is told of one event for all of them. Asio by itself reads at once and
// waits only when that finds nothing, which is half of the time under load, and brings each read
// through its queue.
class ReadySet {
public:
    explicit ReadySet(asio::io_context& io);
    ReadySet(const ReadySet&) = delete;
    ReadySet& operator=(const ReadySet&) = delete;

    error_code add(DirectSocket& socket) noexcept;
    error_code change(DirectSocket& socket) noexcept; // what is awaited
    void remove(DirectSocket& socket) noexcept;
    void look_again(DirectSocket& socket); // behind everything that is ready now

private:
    error_code control(int operation, DirectSocket& socket) noexcept;
    void wait();
    void tell_ready();
    void tell_again();

    asio::posix::basic_stream_descriptor<Executor> epoll_;
    // Those that go while others are told are taken out of both.
    std::array<epoll_event, 128> events_{};
    std::size_t events_begin_ = 0; // not told yet
    std::size_t events_end_ = 0;
    std::vector<DirectSocket*> again_;
    bool telling_again_ = false;
};

} // namespace hive::call
