#include "tests/support/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <thread>

extern char** environ;

namespace hive::tests {
namespace {

using SteadyClock = std::chrono::steady_clock;

// Everything a child needs, prepared before fork(): between fork and exec only plain system calls
// are allowed, since other threads may hold any lock.
class Prepared {
public:
    explicit Prepared(const Command& command) : argv_text_{command.argv} {
        for (char** entry = environ; *entry != nullptr; ++entry) {
            const std::string_view text{*entry};
            const auto name = text.substr(0, text.find('='));
            bool replaced = false;
            for (const auto& [key, value] : command.environment) replaced |= key == name;
            if (!replaced) environment_text_.emplace_back(text);
        }
        for (const auto& [key, value] : command.environment) {
            environment_text_.push_back(key + "=" + value);
        }
        for (auto& text : argv_text_) argv_.push_back(text.data());
        for (auto& text : environment_text_) environment_.push_back(text.data());
        argv_.push_back(nullptr);
        environment_.push_back(nullptr);
    }

    [[noreturn]] void exec() const {
        ::execvpe(argv_[0], argv_.data(), environment_.data());
        ::_exit(127);
    }

private:
    std::vector<std::string> argv_text_;
    std::vector<std::string> environment_text_;
    std::vector<char*> argv_;
    std::vector<char*> environment_;
};

[[noreturn]] void raise_errno(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) raise_errno("pipe");
    return ends;
}

} // namespace

Finished run(const Command& command, std::chrono::milliseconds within) {
    const Prepared prepared{command};
    const auto in = make_pipe();
    const auto out = make_pipe();
    const pid_t pid = ::fork();
    if (pid < 0) raise_errno("fork");
    if (pid == 0) {
        ::setpgid(0, 0);
        ::dup2(in[0], 0);
        ::dup2(out[1], 1);
        ::dup2(out[1], 2);
        prepared.exec();
    }
    ::close(in[0]);
    ::close(out[1]);
    // Small inputs only: they fit a pipe, so this never blocks.
    const auto written = ::write(in[1], command.input.data(), command.input.size());
    ::close(in[1]);

    Finished finished;
    const auto deadline = SteadyClock::now() + within;
    std::array<char, 4096> chunk{};
    while (written >= 0) {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
        pollfd readable{.fd = out[0], .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || ::poll(&readable, 1, static_cast<int>(left.count())) <= 0) break;
        const auto count = ::read(out[0], chunk.data(), chunk.size());
        if (count <= 0) break;
        finished.output.append(chunk.data(), static_cast<std::size_t>(count));
    }
    ::close(out[0]);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
    int status = 0;
    while (::waitpid(pid, &status, WNOHANG) == 0) {
        if (SteadyClock::now() >= deadline || left.count() <= 0) {
            ::kill(-pid, SIGKILL);
            ::waitpid(pid, &status, 0);
            break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    if (WIFEXITED(status)) finished.exit_code = WEXITSTATUS(status);
    return finished;
}

pid_t spawn(const Command& command) {
    const Prepared prepared{command};
    const int log =
        command.output.empty()
            ? ::open("/dev/null", O_WRONLY | O_CLOEXEC)
            : ::open(command.output.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (log < 0) raise_errno("open " + command.output);
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const pid_t pid = ::fork();
    if (pid < 0) raise_errno("fork");
    if (pid == 0) {
        ::setpgid(0, command.group);
        if (!command.directory.empty() && ::chdir(command.directory.c_str()) != 0) ::_exit(126);
        ::dup2(nothing, 0);
        ::dup2(log, 1);
        ::dup2(log, 2);
        prepared.exec();
    }
    ::setpgid(pid, command.group == 0 ? pid : command.group); // whoever comes first
    ::close(nothing);
    ::close(log);
    return pid;
}

bool wait_for_exit(pid_t pid, std::chrono::milliseconds within) {
    const auto deadline = SteadyClock::now() + within;
    while (::waitpid(pid, nullptr, WNOHANG) == 0) {
        if (SteadyClock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    return true;
}

} // namespace hive::tests
