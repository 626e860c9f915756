#include "runtime/process/gated_child.hpp"

#include "runtime/process/living.hpp"
#include "runtime/process/trouble.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>

namespace hive::runtime::process {
namespace {

// Clear of 0, 1 and 2, which the child replaces; a server may run with those closed.
Descriptor lift(Descriptor low) {
    if (!low || low.get() > STDERR_FILENO) return low;
    return Descriptor{::fcntl(low.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
}

// A socket and not a pipe: writing to a child that was killed must not raise SIGPIPE.
struct Gate {
    Descriptor ours{};
    Descriptor theirs{};

    static Result<Gate> make() {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
            return fail(trouble("no socket to a new process", errno));
        }
        Gate gate{lift(Descriptor{ends[0]}), lift(Descriptor{ends[1]})};
        if (!gate.ours || !gate.theirs) return fail(trouble("no socket to a new process", errno));
        return gate;
    }
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    pointers.reserve(texts.size() + 1);
    for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
    pointers.push_back(nullptr);
    return pointers;
}

// Everything the child needs, made before the fork: after it only plain system calls are allowed,
// since other threads may hold any lock.
struct Prepared {
    std::vector<char*> arguments;
    std::vector<char*> environment;
    int nothing; // to read from
    int log;
    int gate;
    int gate_of_parent;
};

// What some library opened without O_CLOEXEC, and what a launch on another thread has open.
void close_all_but(int kept) {
    if (kept > STDERR_FILENO + 1) {
        ::close_range(STDERR_FILENO + 1U, static_cast<unsigned>(kept) - 1U, 0);
    }
    ::close_range(static_cast<unsigned>(kept) + 1U, ~0U, 0);
}

void reset_signals() {
    struct sigaction standard{};
    standard.sa_handler = SIG_DFL;
    // Those that cannot be set, such as SIGKILL, are refused and stay as they are.
    for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
    sigset_t none{};
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void be_child(const Prepared& prepared) {
    ::setsid(); // Ctrl-C at the server's terminal is not meant for it
    ::dup2(prepared.nothing, STDIN_FILENO);
    ::dup2(prepared.log, STDOUT_FILENO);
    ::dup2(prepared.log, STDERR_FILENO);
    ::close(prepared.gate_of_parent); // else it would never see the launcher die
    close_all_but(prepared.gate);
    reset_signals();
    char opened = 0;
    ssize_t got = 0;
    do {
        got = ::read(prepared.gate, &opened, 1);
    } while (got < 0 && errno == EINTR);
    if (got != 1) ::_exit(0);
    ::execve(prepared.arguments[0], prepared.arguments.data(), prepared.environment.data());
    const int error = errno;
    static_cast<void>(!::write(prepared.gate, &error, sizeof error));
    ::_exit(127);
}

// No handler of ours may run in the child before it has reset them.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all{};
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_{};
};

void reap(const Descriptor& pidfd) {
    siginfo_t info{};
    while (::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), &info, WEXITED) != 0 &&
           errno == EINTR) {
    }
}

} // namespace

Result<GatedChild> GatedChild::fork(const Program& program, const Descriptor& log) {
    auto gate = Gate::make();
    if (!gate) return fail(gate.error());
    const Descriptor nothing = lift(Descriptor{::open("/dev/null", O_RDONLY | O_CLOEXEC)});
    if (!nothing) return fail(trouble("/dev/null cannot be opened", errno));
    const Descriptor output{::fcntl(log.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
    if (!output) return fail(trouble("no descriptor for its log", errno));
    const Prepared prepared{
        .arguments = pointers_to(program.arguments),
        .environment = pointers_to(program.environment),
        .nothing = nothing.get(),
        .log = output.get(),
        .gate = gate->theirs.get(),
        .gate_of_parent = gate->ours.get()};

    const SignalsBlocked blocked;
    const pid_t pid = ::fork();
    if (pid < 0) return fail(trouble("no process can be started", errno));
    if (pid == 0) be_child(prepared);
    GatedChild child{pid, open_pidfd(pid)};
    if (!child.pidfd_) {
        const int error = errno;
        gate->ours = Descriptor{}; // it ends by itself
        ::waitpid(pid, nullptr, 0);
        return fail(trouble("the new process cannot be watched", error));
    }
    child.gate_ = std::move(gate->ours);
    child.program_ = program.arguments.front();
    return child;
}

GatedChild::~GatedChild() {
    if (!pidfd_) return;
    gate_ = Descriptor{};
    reap(pidfd_);
}

Result<Descriptor> GatedChild::open_gate() {
    const char open = 1;
    // If it was killed at the gate this reaches nobody; then its exit tells.
    static_cast<void>(::send(gate_.get(), &open, sizeof open, MSG_NOSIGNAL) == 0);
    int error = 0;
    ssize_t got = 0;
    do {
        got = ::read(gate_.get(), &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    if (got != sizeof error) return std::move(pidfd_);
    return fail(trouble(program_ + " cannot be run", error)); // the destructor reaps it
}

} // namespace hive::runtime::process
