#include "bus/rabbitmq/io_loop.hpp"

#include "bus/rabbitmq/backoff.hpp"

#include <poll.h>

#include <algorithm>
#include <array>

namespace hive::bus::rabbitmq {
namespace {

using namespace std::chrono_literals;

// For a thread to leave its last call once its socket is cut; only a DNS lookup needs longer.
constexpr auto leave_within = 250ms;

} // namespace

IoLoop::IoLoop(std::shared_ptr<const Options> options, std::string purpose)
    : options_{std::move(options)},
      identity_{options_->name + " (" + std::move(purpose) + ")", options_->request_timeout},
      random_{Random::from_entropy()} {}

Result<std::unique_ptr<Session>> IoLoop::open() {
    return Session::open(options_->endpoint, identity_, interrupter_);
}

void IoLoop::start(std::unique_ptr<Session> session) {
    thread_ = std::thread{[self = shared_from_this(), session = std::move(session)]() mutable {
        self->thread_id_ = std::this_thread::get_id();
        self->run(std::move(session));
        self->on_end();
        const std::lock_guard lock{self->mutex_};
        self->ended_ = true;
        self->ended_changed_.notify_all();
    }};
}

void IoLoop::request_stop() {
    stopping_ = true;
    wake();
}

void IoLoop::join(TimePoint deadline) {
    if (!thread_.joinable()) return;
    std::unique_lock lock{mutex_};
    bool ended = ended_changed_.wait_until(lock, steady(deadline), [&] { return ended_; });
    if (!ended) {
        interrupter_.fire();
        wake();
        ended = ended_changed_.wait_for(lock, leave_within, [&] { return ended_; });
    }
    lock.unlock();
    if (ended) {
        thread_.join();
    } else {
        thread_.detach();
    }
}

void IoLoop::notice(const std::string& text) const {
    if (options_->on_notice) options_->on_notice(text);
}

void IoLoop::run(std::unique_ptr<Session> session) {
    Backoff backoff{options_->backoff_first, options_->backoff_max};
    for (;;) {
        if (session) {
            const auto since = steady_now();
            const Status status = serve(*session);
            if (status) {
                if (!interrupter_.fired()) on_goodbye(*session);
                return;
            }
            session.reset();
            on_away(status.error());
            // One that never lasted is no reason to hurry.
            if (steady_now() - since > options_->backoff_max) backoff.reset();
        }
        const auto until = deadline_after(backoff.next(random_));
        for (auto now = steady_now(); now < until; now = steady_now()) {
            if (must_end(false)) return;
            wait(-1, until - now);
        }
        if (must_end(false)) return;
        auto opened = open();
        if (!opened) {
            on_away(opened.error());
            continue;
        }
        session = std::move(*opened);
        if (options_->counters) ++options_->counters->reconnects;
    }
}

// Success: it was asked to stop and is done. Otherwise the session is lost.
Status IoLoop::serve(Session& session) {
    if (auto ok = on_up(session); !ok) return ok;
    for (;;) {
        wakeup_.acknowledge();
        const auto idle = work(session);
        if (session.broken()) return fail(*session.broken());
        if (!idle) return fail(idle.error());
        if (must_end(true)) return {};
        if (!session.has_buffered()) {
            wait(session.socket(), std::min(*idle, session.feed_within()));
        }
    }
}

void IoLoop::wait(int socket, Duration most) {
    // poll() ignores negative descriptors, which is how a loop without a session waits.
    std::array<pollfd, 2> watched{{{wakeup_.fd(), POLLIN, 0}, {socket, POLLIN, 0}}};
    ::poll(watched.data(), watched.size(), poll_timeout(most));
    if (socket < 0) wakeup_.acknowledge();
}

} // namespace hive::bus::rabbitmq
