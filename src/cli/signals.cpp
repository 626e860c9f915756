#include "cli/signals.hpp"

#include "cli/exit_code.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace hive::cli {

SignalWait::SignalWait() {
    ::sigemptyset(&awaited_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&awaited_, signal);
    ::pthread_sigmask(SIG_BLOCK, &awaited_, &before_);
}

SignalWait::~SignalWait() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

int SignalWait::next() const {
    int signal = 0;
    while (::sigwait(&awaited_, &signal) == EINTR) {
    }
    return signal;
}

std::optional<int> SignalWait::next_within(Duration time) const {
    const auto whole = std::chrono::floor<std::chrono::seconds>(time);
    const timespec span{
        .tv_sec = whole.count(), .tv_nsec = static_cast<long>((time - whole).count())};
    const int signal = ::sigtimedwait(&awaited_, nullptr, &span);
    return signal > 0 ? std::optional{signal} : std::nullopt;
}

SignalWatch::SignalWatch(const SignalWait& signals, Heard heard, std::function<void()> leave)
    : heard_{std::move(heard)}, leave_{std::move(leave)},
      incoming_{::signalfd(-1, &signals.awaited(), SFD_CLOEXEC | SFD_NONBLOCK)},
      ended_{::eventfd(0, EFD_CLOEXEC)}, listener_{[this] { listen(); }} {}

SignalWatch::~SignalWatch() {
    const std::uint64_t one = 1;
    (void)::write(ended_.get(), &one, sizeof one); // eight bytes always fit into an event
    listener_.join();
}

void SignalWatch::listen() {
    int patience_ms = -1;
    for (;;) {
        std::array<pollfd, 2> events{{{ended_.get(), POLLIN, 0}, {incoming_.get(), POLLIN, 0}}};
        const int ready = ::poll(events.data(), events.size(), patience_ms);
        if (ready < 0 && errno == EINTR) continue;
        if (events[0].revents != 0) return;
        if (ready <= 0) return leave_(); // its time is over
        signalfd_siginfo info{};
        if (::read(incoming_.get(), &info, sizeof info) != sizeof info) continue;
        if (const auto time = heard_(static_cast<int>(info.ssi_signo))) {
            patience_ms = static_cast<int>(
                std::chrono::duration_cast<std::chrono::milliseconds>(*time).count());
        }
    }
}

void leave_program(Host& host) {
    host.out.flush();
    host.err.flush();
    std::_Exit(exit_interrupted);
}

} // namespace hive::cli
