#pragma once

#include "cli/file_descriptor.hpp"
#include "cli/host.hpp"
#include "kernel/clock.hpp"

#include <csignal>
#include <functional>
#include <optional>
#include <thread>

namespace hive::cli {

// Signals a program waits for, kept from every thread that is started while this lives.
class SignalWait {
public:
    SignalWait();  // interrupt, terminate and hang-up
    ~SignalWait(); // as before
    SignalWait(const SignalWait&) = delete;
    SignalWait& operator=(const SignalWait&) = delete;

    int next() const; // blocks until one comes
    std::optional<int> next_within(Duration time) const;
    const sigset_t& awaited() const noexcept { return awaited_; }

private:
    sigset_t awaited_{};
    sigset_t before_{};
};

// Listens in a thread of its own while somebody is too busy to. A signal that comes when it has
// ended is there for the next one who waits.
class SignalWatch {
public:
    // `heard` may answer a time: when the watch has not ended by then, `leave` is called.
    using Heard = std::function<std::optional<Duration>(int signal)>;
    SignalWatch(const SignalWait& signals, Heard heard, std::function<void()> leave);
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

private:
    void listen();

    Heard heard_;
    std::function<void()> leave_;
    FileDescriptor incoming_; // of signals
    FileDescriptor ended_;    // an event
    std::thread listener_;    // last: it uses the rest
};

// At once, with what was said so far; as an interrupt. Whatever still runs here is what could not
// be waited for, so nothing of it is torn down.
[[noreturn]] void leave_program(Host& host);

} // namespace hive::cli
