#include "runtime/process/living.hpp"

#include "runtime/process/small_file.hpp"
#include "runtime/process/trouble.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <cerrno>
#include <charconv>
#include <optional>

extern "C" { // the header of glibc 2.36 forgets to say so
#include <sys/pidfd.h>
}

namespace hive::runtime::process {
namespace {

// Field 22. The second field is the program's name in parentheses and may hold anything, so fields
// are counted from behind the last parenthesis.
std::optional<std::uint64_t> start_ticks_of(std::string_view stat) {
    const std::size_t name_end = stat.rfind(')');
    if (name_end == stat.npos || name_end + 2 > stat.size()) return std::nullopt;
    std::string_view rest = stat.substr(name_end + 2); // begins with field 3
    for (int field = 3; field < 22; ++field) {
        const std::size_t space = rest.find(' ');
        if (space == rest.npos) return std::nullopt;
        rest.remove_prefix(space + 1);
    }
    std::uint64_t ticks = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), ticks);
    if (read.ec != std::errc{}) return std::nullopt;
    return ticks;
}

Result<std::string> this_boot() {
    auto text = read_small_file("/proc/sys/kernel/random/boot_id");
    if (text && text->ends_with('\n')) text->pop_back();
    return text;
}

} // namespace

Descriptor open_pidfd(int pid) {
    return Descriptor{::pidfd_open(pid, 0)};
}

Result<Identity> identify(int pid) {
    auto boot = this_boot();
    if (!boot) return fail(boot.error());
    const std::string path = fmt::format("/proc/{}/stat", pid);
    const auto stat = read_small_file(path);
    if (!stat) return fail(stat.error());
    const auto ticks = start_ticks_of(*stat);
    if (!ticks) return fail(Errc::unavailable, path + " is not as the kernel writes it");
    return Identity{pid, *ticks, std::move(*boot)};
}

Result<Descriptor> open_living(const Identity& process) {
    Descriptor pidfd = open_pidfd(process.pid);
    if (!pidfd) {
        if (errno == ESRCH || errno == EINVAL) return Descriptor{}; // none, or only a thread's
        return fail(trouble(fmt::format("process {} cannot be watched", process.pid), errno));
    }
    // Asked after it was opened: an identity that fits now was that of the descriptor all along.
    const auto found = identify(process.pid);
    if (!found) {
        // It was reaped in between.
        if (has_ended(pidfd)) return Descriptor{};
        return fail(found.error());
    }
    if (*found != process || has_ended(pidfd)) return Descriptor{};
    return pidfd;
}

bool has_ended(const Descriptor& pidfd) {
    pollfd waiting{.fd = pidfd.get(), .events = POLLIN, .revents = 0};
    return ::poll(&waiting, 1, 0) == 1;
}

Status send_signal(const Descriptor& pidfd, int number) {
    if (::pidfd_send_signal(pidfd.get(), number, nullptr, 0) == 0 || errno == ESRCH) return {};
    return fail(trouble("it cannot be told to end", errno));
}

} // namespace hive::runtime::process
