#include "colony/files/git/git_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <vector>

namespace hive::colony::files::git {
namespace {

constexpr std::size_t output_max = std::size_t{128} << 20U;
constexpr char commit_mark = '\x01';

// Nothing that the repository has configured is run: no pager, no monitor, no signature check.
std::vector<std::string> command_for(const std::string& directory) {
    return {
        "git",
        "-C",
        directory,
        "--no-pager",
        "--no-optional-locks",
        "-c",
        "core.fsmonitor=false",
        "log",
        "--all",
        "--reverse",
        "--no-show-signature",
        "--format=%x01%ct",
        "-z",
        "--name-status",
        "-M100%",
        "--diff-filter=AR",
        "--relative",
        "--",
        "."};
}

class SpawnActions {
public:
    explicit SpawnActions(int output) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    ~SpawnActions() { ::posix_spawn_file_actions_destroy(&actions_); }
    SpawnActions(const SpawnActions&) = delete;
    SpawnActions& operator=(const SpawnActions&) = delete;

    const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
    posix_spawn_file_actions_t actions_{};
};

// A program whose output is read; gone with the object, whatever it is doing.
class Child {
public:
    Child() = default;
    ~Child() {
        if (output_ >= 0) ::close(output_);
        if (pid_ <= 0) return;
        ::kill(pid_, SIGKILL);
        (void)exit_code();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    Status start(std::vector<std::string> command) {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) return trouble(errno);
        output_ = ends[0];
        const SpawnActions actions{ends[1]};
        std::vector<char*> argv;
        for (auto& word : command) argv.push_back(word.data());
        argv.push_back(nullptr);
        const int error =
            ::posix_spawnp(&pid_, argv.front(), actions.get(), nullptr, argv.data(), environ);
        ::close(ends[1]);
        if (error != 0) pid_ = 0;
        return error == 0 ? Status{} : trouble(error);
    }

    // All that it prints until it closes its output.
    Result<std::string> read(Duration within) {
        using SteadyClock = std::chrono::steady_clock;
        const auto deadline = SteadyClock::now() + within;
        std::string bytes;
        std::array<char, 65536> buffer{};
        while (bytes.size() < output_max) {
            const auto left =
                std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now());
            pollfd readable{.fd = output_, .events = POLLIN, .revents = 0};
            const int ready =
                left.count() > 0 ? ::poll(&readable, 1, static_cast<int>(left.count())) : 0;
            if (ready < 0 && errno == EINTR) continue;
            if (ready <= 0) return fail(Errc::unavailable, "git log takes too long");
            const auto count = ::read(output_, buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) return trouble(errno);
            if (count == 0) return bytes;
            bytes.append(buffer.data(), static_cast<std::size_t>(count));
        }
        return fail(Errc::unavailable, "git log has too much to tell");
    }

    int exit_code() {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

private:
    static tl::unexpected<Error> trouble(int error) {
        return fail(
            Errc::unavailable, fmt::format("git cannot be asked: {}", std::strerror(error)));
    }

    int output_ = -1;
    pid_t pid_ = 0;
};

// Words that end with a zero byte.
class Tokens {
public:
    explicit Tokens(std::string_view text) : rest_{text} {}

    bool empty() const { return rest_.empty(); }
    std::string_view next() {
        const auto end = rest_.find('\0');
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
        return word;
    }

private:
    std::string_view rest_;
};

std::optional<Timestamp> time_of(std::string_view seconds) {
    std::int64_t count = 0;
    const auto [end, error] =
        std::from_chars(seconds.data(), seconds.data() + seconds.size(), count);
    // A clock can be set to anything; what is not in this era is no time.
    constexpr std::int64_t latest = 4'102'444'800; // 2100
    if (error != std::errc{} || count <= 0 || count > latest) return std::nullopt;
    return Timestamp{std::chrono::seconds{count}};
}

} // namespace

CommitTimes times_in(std::string_view log) {
    CommitTimes times;
    std::optional<Timestamp> at;
    for (Tokens tokens{log}; !tokens.empty();) {
        std::string_view word = tokens.next();
        if (word.starts_with('\n')) word.remove_prefix(1); // before the first file of a commit
        if (word.starts_with(commit_mark)) {
            at = time_of(word.substr(1));
        } else if (word == "A") {
            const std::string path{tokens.next()};
            if (at) times.emplace(path, *at);
        } else if (word.starts_with('R')) {
            const std::string from{tokens.next()};
            const std::string to{tokens.next()};
            const auto known = times.find(from);
            if (known != times.end()) {
                times.emplace(to, known->second);
            } else if (at) {
                times.emplace(to, *at);
            }
        }
    }
    return times;
}

Result<CommitTimes> first_commits(const std::string& directory, Duration within) {
    Child child;
    if (auto ok = child.start(command_for(directory)); !ok) return fail(ok.error());
    const auto log = child.read(within);
    if (!log) return fail(log.error());
    if (const int code = child.exit_code(); code != 0) {
        return fail(
            Errc::unavailable,
            fmt::format("git log ended with {}; try it by hand in {}", code, directory));
    }
    return times_in(*log);
}

} // namespace hive::colony::files::git
