// What the tests of the process runtime launch, as `PROGRAM controller` or `PROGRAM worker ROLE`.
// As `PROGRAM launch DIRECTORY SWARM INSTANCE` it is a launcher that waits to be killed.

#include "kernel/log_capture.hpp"
#include "runtime/process/process_runtime.hpp"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <future>
#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr time_t life_max_seconds = 600; // no failing test leaves it behind for ever

bool was_told_to_end(timespec within) {
    sigset_t end{};
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, nullptr);
    static bool settled = false;
    if (!settled) std::cout << "ready" << std::endl;
    settled = true;
    return sigtimedwait(&end, nullptr, &within) == SIGTERM;
}

int be_idle() {
    if (const char* saying = std::getenv("SAYING")) std::cout << "SAYING=" << saying << std::endl;
    return was_told_to_end({.tv_sec = life_max_seconds, .tv_nsec = 0}) ? 0 : 1;
}

int be_stubborn() {
    signal(SIGTERM, SIG_IGN);
    std::cout << "ready" << std::endl;
    for (unsigned left = life_max_seconds; left > 0;) left = sleep(left);
    return 1;
}

int be_finishing() {
    std::cout << "ready" << std::endl;
    return 0;
}

int be_failing() {
    std::cout << "ready\nthe queue is not there" << std::endl;
    return 3;
}

int be_aborting() {
    const rlimit none{};
    setrlimit(RLIMIT_CORE, &none);
    for (int i = 0; i < 1000; ++i) std::cout << "line " << i << '\n';
    std::cout << std::string(100'000, 'x') << "\n\x1b[31mred\x07\xff\nlast" << std::endl;
    std::abort();
}

int be_chatty() {
    const std::string line(200, 'c');
    for (int i = 0; !was_told_to_end({.tv_sec = 0, .tv_nsec = 100'000}); ++i) {
        std::cout << i << ' ' << line << std::endl;
    }
    return 0;
}

int tell_environment() {
    for (char** entry = environ; *entry != nullptr; ++entry) std::cout << *entry << '\n';
    sigset_t blocked{};
    sigprocmask(SIG_SETMASK, nullptr, &blocked);
    struct sigaction interrupt{};
    sigaction(SIGUSR1, nullptr, &interrupt);
    std::cout << "blocked " << sigismember(&blocked, SIGUSR1) << ", ignored "
              << (interrupt.sa_handler == SIG_IGN) << ", session of its own "
              << (getsid(0) == getpid()) << ", descriptor 57 "
              << (lseek(57, 0, SEEK_CUR) != -1 || errno != EBADF) << std::endl;
    return be_idle();
}

int launch(const std::vector<std::string>& words) {
    const hive::SystemClock clock;
    hive::LogCapture capture;
    hive::LogLevels levels;
    const std::string& directory = words[1];
    auto runtime = hive::runtime::process::make_runtime(
        {.program = "/proc/self/exe", .directory = directory}, clock,
        {capture, clock, levels, "runtime"});
    if (!runtime) return 1;
    for (std::size_t i = 3; i < words.size(); ++i) {
        std::promise<hive::Status> launched;
        (*runtime)->launch(
            {.name =
                 {*hive::SwarmId::parse(words[2]), *hive::Role::parse("idle"),
                  *hive::InstanceId::parse(words[i])},
             .environment = {{"SAYING", directory}}}, // by which tests find it
            [&](hive::Status status) { launched.set_value(std::move(status)); });
        const auto status = launched.get_future().get();
        std::cout << (status ? "launched" : status.error().detail) << std::endl;
    }
    return be_idle();
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> words{arguments + 1, arguments + count};
    if (words.size() >= 4 && words[0] == "launch") return launch(words);
    if (words == std::vector<std::string>{"controller"}) return be_idle();
    static const std::map<std::string, int (*)()> roles{
        {"idle", be_idle},          {"stubborn", be_stubborn}, {"finishes", be_finishing},
        {"fails", be_failing},      {"aborts", be_aborting},   {"chatty", be_chatty},
        {"tells", tell_environment}};
    if (words.size() == 2 && words[0] == "worker") {
        if (const auto role = roles.find(words[1]); role != roles.end()) return role->second();
        std::cout << "there is no role '" << words[1] << "'" << std::endl;
    }
    return 2;
}
