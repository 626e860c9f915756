#include "tests/system/cli_process.hpp"

#include "tests/support/places.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace hive::tests {
namespace {

constexpr int deadline_ms = 60'000;

std::string path_variable() {
    const char* path = std::getenv("PATH");
    return path == nullptr ? "/usr/bin:/bin" : path;
}

std::string read_all(int fd) {
    std::string text;
    std::string chunk(65536, '\0');
    ::lseek(fd, 0, SEEK_SET);
    for (;;) {
        const ssize_t got = ::read(fd, chunk.data(), chunk.size());
        if (got <= 0) return text;
        text.append(chunk, 0, static_cast<std::size_t>(got));
    }
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (auto& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

int wait_within_deadline(pid_t pid) {
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    pollfd ended{.fd = handle, .events = POLLIN, .revents = 0};
    const bool in_time = ::poll(&ended, 1, deadline_ms) == 1;
    ::close(handle);
    if (!in_time) ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    if (!in_time) throw std::runtime_error("the program did not end within a minute");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace

Outcome
run_program(const std::vector<std::string>& argv, const std::map<std::string, std::string>& env) {
    std::vector<std::string> words = argv;
    std::vector<std::string> variables{"PATH=" + path_variable()};
    for (const auto& [name, value] : env) variables.push_back(name + '=' + value);
    const int out = ::memfd_create("out", MFD_CLOEXEC);
    const int err = ::memfd_create("err", MFD_CLOEXEC);

    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, out, 1);
    ::posix_spawn_file_actions_adddup2(&actions, err, 2);
    pid_t pid = -1;
    const int failed = ::posix_spawnp(
        &pid, words.front().c_str(), &actions, nullptr, pointers_to(words).data(),
        pointers_to(variables).data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error("cannot start " + words.front());

    Outcome outcome{
        .exit_code = wait_within_deadline(pid), .out = read_all(out), .err = read_all(err)};
    ::close(out);
    ::close(err);
    return outcome;
}

Outcome run_hive(std::vector<std::string> args, const std::map<std::string, std::string>& env) {
    args.insert(args.begin(), hive::tests::hive_program());
    return run_program(args, env);
}

Outcome run_shell(const std::string& script) {
    return run_program(
        {"bash", "-c", script}, {{"HIVE", hive::tests::hive_program()}, {"TERM", "dumb"}});
}

ScratchDirectory::ScratchDirectory() {
    std::string name = (std::filesystem::temp_directory_path() / "hive-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path_ = name;
}

ScratchDirectory::~ScratchDirectory() {
    std::error_code ignored; // a leftover in the temporary directory harms nobody
    std::filesystem::remove_all(path_, ignored);
}

std::string ScratchDirectory::write(std::string_view name, std::string_view text) const {
    std::ofstream{path_ / name, std::ios::binary} << text;
    return path(name);
}

bool has_program(const std::string& name) {
    return run_program({"sh", "-c", "command -v \"$0\"", name}).exit_code == 0;
}

} // namespace hive::tests
