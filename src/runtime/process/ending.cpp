#include "runtime/process/ending.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstring>

namespace hive::runtime::process {

Ending take_ending(const Descriptor& pidfd) {
    siginfo_t info{};
    int result = 0;
    do {
        result = ::waitid(P_PIDFD, static_cast<id_t>(pidfd.get()), &info, WEXITED | WNOHANG);
    } while (result != 0 && errno == EINTR);
    if (result != 0 || info.si_pid == 0) {
        return {.cause = "ended; how is not known, as an earlier process had launched it"};
    }
    if (info.si_code == CLD_EXITED) {
        return {info.si_status != 0, fmt::format("exit code {}", info.si_status)};
    }
    const char* name = ::sigabbrev_np(info.si_status);
    return {
        .cause = name != nullptr ? fmt::format("killed by SIG{}", name)
                                 : fmt::format("killed by signal {}", info.si_status)};
}

} // namespace hive::runtime::process
