#include "cli/probes.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

#include <cerrno>
#include <cstring>

namespace hive::cli {
namespace {

constexpr std::uint64_t memory_wanted = std::uint64_t{512} << 20U; // for a small embedded run
constexpr rlim_t files_wanted = 4096; // connections to a system under test are open files

Check check_processors() {
    cpu_set_t set;
    CPU_ZERO(&set);
    const int usable = ::sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 0;
    if (usable == 0) {
        return {
            .name = "processors",
            .health = Health::note,
            .message = fmt::format("cannot be counted: {}", std::strerror(errno))};
    }
    if (usable == 1) {
        return {
            .name = "processors",
            .health = Health::warning,
            .message = "one processor is usable",
            .remedy = "measurements will disturb each other; use a machine with two or more"};
    }
    return {.name = "processors", .message = fmt::format("{} processors are usable", usable)};
}

Check check_memory() {
    struct sysinfo info{};
    if (::sysinfo(&info) != 0) {
        return {
            .name = "memory",
            .health = Health::note,
            .message = fmt::format("cannot be read: {}", std::strerror(errno))};
    }
    const std::uint64_t total = std::uint64_t{info.totalram} * info.mem_unit;
    Check check{.name = "memory", .message = fmt::format("{} MiB of memory", total >> 20U)};
    if (total < memory_wanted) {
        check.health = Health::warning;
        check.remedy = fmt::format("big runs need at least {} MiB", memory_wanted >> 20U);
    }
    return check;
}

Check check_open_files() {
    struct rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) {
        return {
            .name = "open files",
            .health = Health::note,
            .message = fmt::format("limit cannot be read: {}", std::strerror(errno))};
    }
    Check check{
        .name = "open files", .message = fmt::format("up to {} files may be open", limit.rlim_cur)};
    if (limit.rlim_cur < files_wanted) {
        check.health = Health::warning;
        check.remedy = fmt::format(
            "each connection is a file; raise the limit with 'ulimit -n {}'{}", files_wanted,
            limit.rlim_max < files_wanted ? " (needs an administrator here)" : "");
    }
    return check;
}

} // namespace

std::vector<Check> check_machine() {
    return {check_processors(), check_memory(), check_open_files()};
}

} // namespace hive::cli
