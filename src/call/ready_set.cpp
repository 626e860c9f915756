#include "call/ready_set.hpp"

#include "call/direct_socket.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace hive::call {
namespace {

int make_epoll() {
    const int made = ::epoll_create1(EPOLL_CLOEXEC);
    if (made < 0) throw std::system_error{errno, std::system_category(), "epoll_create1"};
    return made;
}

} // namespace

ReadySet::ReadySet(asio::io_context& io) : epoll_{io, make_epoll()} {
    wait();
}

error_code ReadySet::add(DirectSocket& socket) noexcept {
    return control(EPOLL_CTL_ADD, socket);
}

error_code ReadySet::change(DirectSocket& socket) noexcept {
    return control(EPOLL_CTL_MOD, socket);
}

// Only what changes is told of: a socket that rests with something unread must not wake the lane
// again and again.
error_code ReadySet::control(int operation, DirectSocket& socket) noexcept {
    epoll_event event{};
    event.events = EPOLLIN | EPOLLRDHUP | EPOLLET;
    if (socket.awaits_room_) event.events |= EPOLLOUT;
    event.data.ptr = &socket;
    if (::epoll_ctl(epoll_.native_handle(), operation, socket.socket_, &event) == 0) return {};
    return {errno, boost::system::system_category()};
}

void ReadySet::remove(DirectSocket& socket) noexcept {
    // Closing would not do it while a process that is just being started has a copy.
    ::epoll_ctl(epoll_.native_handle(), EPOLL_CTL_DEL, socket.socket_, nullptr);
    for (std::size_t i = events_begin_; i < events_end_; ++i) {
        if (events_[i].data.ptr == &socket) events_[i].data.ptr = nullptr;
    }
    std::ranges::replace(again_, &socket, nullptr);
}

void ReadySet::wait() {
    epoll_.async_wait(epoll_.wait_read, [this](const error_code& error) {
        if (!error) tell_ready();
    });
}

void ReadySet::tell_ready() {
    const int count =
        ::epoll_wait(epoll_.native_handle(), events_.data(), static_cast<int>(events_.size()), 0);
    events_begin_ = 0;
    events_end_ = static_cast<std::size_t>(std::max(count, 0));
    while (events_begin_ < events_end_) {
        const epoll_event& event = events_[events_begin_++];
        auto* socket = static_cast<DirectSocket*>(event.data.ptr);
        if (socket != nullptr) socket->on_event(event.events);
    }
    wait();
}

void ReadySet::look_again(DirectSocket& socket) {
    again_.push_back(&socket);
    if (std::exchange(telling_again_, true)) return;
    asio::post(epoll_.get_executor(), [this] { tell_again(); });
}

void ReadySet::tell_again() {
    telling_again_ = false;
    const std::size_t count = again_.size(); // those that come in meanwhile wait for the next time
    for (std::size_t i = 0; i < count; ++i) {
        if (DirectSocket* socket = std::exchange(again_[i], nullptr)) socket->on_event(0);
    }
    again_.erase(again_.begin(), again_.begin() + static_cast<std::ptrdiff_t>(count));
}

} // namespace hive::call
