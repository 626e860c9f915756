#include "bees/trigger/shell.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <functional>

namespace hive::bees {
namespace {

constexpr int look_again_ms = 50; // whether it is to be cancelled
constexpr int signal_base = 128;

class Descriptor {
public:
    explicit Descriptor(int fd) noexcept : fd_{fd} {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() { close(); }
    int get() const noexcept { return fd_; }
    void close() noexcept {
        if (fd_ >= 0) ::close(fd_);
        fd_ = -1;
    }

private:
    int fd_;
};

// The little that a command gets: our own environment may have passwords in it.
std::array<char*, 4> environment() {
    static std::string path = "PATH=/usr/local/bin:/usr/bin:/bin";
    static std::string home = "HOME=/";
    static std::string language = "LANG=C.UTF-8";
    return {path.data(), home.data(), language.data(), nullptr};
}

// 0, or the error.
int spawn(std::string command, int output, pid_t& child) {
    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    // Threads of ours block signals and ignore some; a command expects neither.
    sigset_t none{};
    sigset_t all{};
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    std::string shell = "sh";
    std::string flag = "-c";
    std::array<char*, 4> arguments{shell.data(), flag.data(), command.data(), nullptr};
    auto variables = environment();
    const int error =
        ::posix_spawn(&child, "/bin/sh", &files, &attributes, arguments.data(), variables.data());
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return error;
}

// Takes what is there; false at the end.
bool read_some(int from, const ShellOrder& order, ShellResult& result) {
    std::array<char, 4096> chunk{};
    const ssize_t got = ::read(from, chunk.data(), chunk.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    const auto size = static_cast<std::size_t>(got);
    const std::size_t room = order.output_bytes_max - result.output.size();
    result.output.append(chunk.data(), std::min(size, room));
    result.output_bytes += size;
    return true;
}

int exit_code_of(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : signal_base + WTERMSIG(status);
}

// Reads until it has ended, is late, or is not wanted any more.
void watch(
    const ShellOrder& order, std::array<pollfd, 2> ends, const std::function<bool()>& enough,
    ShellResult& result) {
    while (!enough()) {
        if (::poll(ends.data(), ends.size(), look_again_ms) < 0 && errno != EINTR) return;
        if (ends[0].revents != 0 && !read_some(ends[0].fd, order, result)) ends[0].fd = -1;
        if (ends[1].revents == 0) continue;
        // What it wrote before it ended is in the pipe; a child of it may hold that open for ever.
        while (ends[0].fd >= 0) {
            const std::uint64_t before = result.output_bytes;
            if (!read_some(ends[0].fd, order, result) || result.output_bytes == before) return;
        }
        return;
    }
}

} // namespace

ShellResult
run_shell(const ShellOrder& order, const Clock& clock, const std::atomic<bool>& cancel) {
    ShellResult result;
    const auto failed = [&](std::string_view what, int error) {
        result.problem = fmt::format("{}: {}", what, std::strerror(error));
        return result;
    };
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC | O_NONBLOCK) != 0) return failed("no pipe", errno);
    const Descriptor from{pipe[0]};
    Descriptor to{pipe[1]};
    // The command's end waits as usual.
    if (::fcntl(to.get(), F_SETFL, 0) != 0) return failed("no pipe", errno);
    const TimePoint begin = clock.now();
    pid_t child = 0;
    if (const int error = spawn(order.command, to.get(), child); error != 0) {
        return failed("the command cannot be run", error);
    }
    to.close();
    const Descriptor exit{static_cast<int>(::syscall(SYS_pidfd_open, child, 0))};
    const TimePoint deadline = begin + order.timeout;
    watch(
        order, {pollfd{from.get(), POLLIN, 0}, pollfd{exit.get(), POLLIN, 0}},
        [&] {
            result.timed_out = clock.now() >= deadline;
            return result.timed_out || cancel.load();
        },
        result);
    ::kill(
        -child, SIGKILL); // whoever of its group is left; it is not reaped yet, so it is this one
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.exit_code = exit_code_of(status);
    result.took = clock.now() - begin;
    if (cancel.load()) result.problem = "cancelled: the bee ends";
    return result;
}

} // namespace hive::bees
