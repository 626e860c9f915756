#include "mock/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace hive::mock {
namespace {

using namespace std::chrono_literals;

// Ids of connections have a generation above zero in their upper half.
constexpr std::uint64_t wake_id = 0xffffffffU;
constexpr std::size_t ahead_max = std::size_t{64} << 10U; // sent while an answer is still due
constexpr std::uint64_t drain_max = std::uint64_t{1} << 20U;
constexpr Duration drain_time = 1s;
constexpr int accepts_max = 64; // before others get a turn

timespec to_timespec(Duration duration) {
    const auto whole = std::chrono::floor<std::chrono::seconds>(duration);
    return {.tv_sec = whole.count(), .tv_nsec = (duration - whole).count()};
}

} // namespace

Worker::Worker(Site& site, std::size_t thread, std::vector<Listener> listeners)
    : site_{site}, recorder_{site.recorder(thread)}, clock_{site.clock()},
      random_{site.settings().seed + thread}, epoll_{::epoll_create1(EPOLL_CLOEXEC)},
      wake_{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)},
      spare_{::open("/dev/null", O_RDONLY | O_CLOEXEC)}, listeners_{std::move(listeners)} {}

Result<std::unique_ptr<Worker>>
Worker::make(Site& site, std::size_t thread, std::vector<Listener> listeners) {
    std::unique_ptr<Worker> worker{new Worker{site, thread, std::move(listeners)}};
    if (auto watched = worker->watch(); !watched) return fail(watched.error());
    return worker;
}

Status Worker::watch() {
    bool ok = epoll_.open() && wake_.open();
    epoll_event event{.events = EPOLLIN, .data = {.u64 = wake_id}};
    ok = ok && ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, wake_.fd(), &event) == 0;
    for (std::size_t i = 0; i < listeners_.size(); ++i) {
        event.data.u64 = i;
        ok = ok && ::epoll_ctl(epoll_.fd(), EPOLL_CTL_ADD, listeners_[i].socket.fd(), &event) == 0;
    }
    if (ok) return {};
    return fail(
        Errc::unavailable, fmt::format(
                               "cannot watch sockets: {}; raise the limit on open files "
                               "(ulimit -n)",
                               system_error_text(errno)));
}

void Worker::run() {
    // Delays are to be kept to the microsecond; by default the system may add fifty.
    ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
    while (!stopping_.load(std::memory_order_relaxed)) wait_and_handle();
}

void Worker::stop() {
    stopping_.store(true, std::memory_order_relaxed);
    const std::uint64_t one = 1;
    // The counter cannot be full: it is written once.
    [[maybe_unused]] const auto written = ::write(wake_.fd(), &one, sizeof one);
}

void Worker::wait_and_handle() {
    std::array<epoll_event, 256> events{};
    timespec until{};
    const timespec* timeout = nullptr;
    if (!timers_.empty()) {
        until = to_timespec(std::max(timers_.top().due - clock_.now(), Duration::zero()));
        timeout = &until;
    }
    const int count = ::epoll_pwait2(
        epoll_.fd(), events.data(), static_cast<int>(events.size()), timeout, nullptr);
    for (int i = 0; i < count; ++i) {
        const epoll_event& event = events[static_cast<std::size_t>(i)];
        handle(event.data.u64, event.events);
    }
    fire_timers();
}

void Worker::handle(std::uint64_t id, std::uint32_t events) {
    if (id == wake_id) return;
    if (id < listeners_.size()) return accept_from(listeners_[id]);
    Connection* connection = find(id);
    if (connection == nullptr) return; // closed by an event before this one
    if ((events & EPOLLERR) != 0) return close(*connection);
    if ((events & EPOLLOUT) != 0) write_to(*connection);
    connection = find(id);
    if (connection != nullptr && (events & (EPOLLIN | EPOLLHUP)) != 0) read_from(*connection);
}

void Worker::accept_from(Listener& listener) {
    for (int i = 0; i < accepts_max; ++i) {
        Socket socket = listener.socket.accept();
        if (!socket.open()) {
            if (errno == EMFILE || errno == ENFILE) make_room(listener.socket);
            return;
        }
        welcome(std::move(socket), listener.framing);
    }
}

// Without a free descriptor a client could not even be turned away, and would be reported again and
// again.
void Worker::make_room(const Socket& listener) {
    spare_.close();
    Socket turned_away = listener.accept();
    turned_away.close();
    recorder_.count(&Record::refused);
    spare_ = Socket{::open("/dev/null", O_RDONLY | O_CLOEXEC)};
}

void Worker::welcome(Socket socket, const std::optional<Framing>& framing) {
    if (free_.empty() && connections_.size() >= site_.settings().connections_max)
        return recorder_.count(&Record::refused);
    if (free_.empty()) {
        free_.push_back(static_cast<std::uint32_t>(connections_.size()));
        connections_.push_back(std::make_unique<Connection>());
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    Connection& connection = *connections_[slot];
    const std::uint32_t generation = connection.generation + 1;
    connection = Connection{};
    connection.socket = std::move(socket);
    connection.slot = slot;
    connection.generation = generation;
    connection.framing = framing;
    connection.socket.send_at_once();
    recorder_.count(&Record::connections);
    watch_for(connection);
}

Connection* Worker::find(std::uint64_t id) {
    const std::size_t slot = id & 0xffffffffU;
    if (slot >= connections_.size()) return nullptr;
    Connection& connection = *connections_[slot];
    return connection.socket.open() && connection.generation == id >> 32U ? &connection : nullptr;
}

std::uint64_t Worker::id_of(const Connection& connection) const {
    return (std::uint64_t{connection.generation} << 32U) | connection.slot;
}

// Tells epoll what is of interest now, if that has changed.
void Worker::watch_for(Connection& connection) {
    const bool full = connection.serving && connection.in.size() >= ahead_max;
    std::uint32_t events = 0;
    if (!connection.ended && !full) events |= EPOLLIN;
    if (!connection.out.empty()) events |= EPOLLOUT;
    if (events == connection.events) return;
    const bool is_new = connection.events == 0 && !connection.watched;
    connection.events = events;
    connection.watched = true;
    epoll_event event{.events = events, .data = {.u64 = id_of(connection)}};
    const int what = is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD;
    if (::epoll_ctl(epoll_.fd(), what, connection.socket.fd(), &event) != 0) close(connection);
}

void Worker::close(Connection& connection) {
    if (!connection.socket.open()) return;
    connection.socket.close();
    connection.in = {};
    connection.out = {};
    free_.push_back(connection.slot);
}

void Worker::read_from(Connection& connection) {
    const auto got = connection.socket.receive(buffer_);
    if (got < 0) {
        if (errno != EAGAIN && errno != EINTR) close(connection);
        return;
    }
    if (got == 0) {
        connection.ended = true;
        // Who only stopped sending still gets the answer that is due.
        const bool waits = connection.serving || !connection.out.empty();
        if (!waits || connection.draining) return close(connection);
        return watch_for(connection);
    }
    const std::string_view bytes{buffer_.data(), static_cast<std::size_t>(got)};
    if (connection.draining) {
        connection.drained += bytes.size();
        if (connection.drained > drain_max) close(connection);
        return;
    }
    if (connection.in.empty()) {
        keep_rest(connection, bytes, consume(connection, bytes));
    } else {
        connection.in += bytes;
        resume(connection);
    }
    if (connection.socket.open()) watch_for(connection);
}

void Worker::send(Connection& connection, std::string_view bytes) {
    std::size_t sent = 0;
    if (connection.out.empty()) {
        const auto count = connection.socket.send(bytes);
        if (count < 0 && errno != EAGAIN && errno != EINTR) return close(connection);
        sent = count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    if (sent == bytes.size()) return;
    connection.out += bytes.substr(sent);
    watch_for(connection);
}

void Worker::write_to(Connection& connection) {
    if (!connection.out.empty()) {
        const auto count = connection.socket.send(connection.out);
        if (count < 0 && errno != EAGAIN && errno != EINTR) return close(connection);
        if (count > 0) connection.out.erase(0, static_cast<std::size_t>(count));
    }
    if (!connection.out.empty()) return;
    if (connection.closing) return end_after_answer(connection);
    resume(connection);
    if (connection.socket.open()) watch_for(connection);
}

// Nothing more will be answered here.
void Worker::end_after_answer(Connection& connection) {
    connection.closing = true;
    if (!connection.out.empty()) return;
    if (connection.in.empty() && connection.body_left == 0) return close(connection);
    drain(connection);
}

// Closing while there is something unread would reset the connection and could destroy the answer.
void Worker::drain(Connection& connection) {
    connection.draining = true;
    connection.in.clear();
    connection.socket.end_sending();
    timers_.push({clock_.now() + drain_time, id_of(connection), Timer::What::close});
}

void Worker::fire_timers() {
    while (!timers_.empty()) {
        const TimePoint now = clock_.now();
        Timer timer = timers_.top();
        if (timer.due > now) return;
        timers_.pop();
        if (timer.what == Timer::What::close) {
            if (Connection* connection = find(timer.id)) close(*connection);
        } else if (const auto until = site_.stalled_until(now)) {
            timer.due = *until;
            timers_.push(timer);
        } else {
            complete(timer.id);
        }
    }
}

} // namespace hive::mock
