#include "cli/file_descriptor.hpp"
#include "cli/probes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hive::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t free_wanted = std::uint64_t{256} << 20U;

// A file without a name: proof of being able to write that leaves nothing behind. Permission bits
// alone would not tell of a read-only mount.
int try_to_write(const std::string& directory) {
    const FileDescriptor unnamed{::open(directory.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600)};
    if (unnamed) return 0;
    if (errno != EOPNOTSUPP && errno != EISDIR) return errno;
    std::string name = directory + "/.hive-doctor-XXXXXX";
    const FileDescriptor named{::mkstemp(name.data())};
    if (!named) return errno;
    return ::unlink(name.c_str()) == 0 ? 0 : errno;
}

Check broken(const std::string& message) {
    return {
        .name = "data",
        .health = Health::missing,
        .message = message,
        .remedy = "choose another directory with --data DIR, or change its owner or permissions"};
}

// The closest directory above that exists: the one a missing directory would be made in.
std::string existing_parent(const fs::path& path) {
    std::error_code error;
    fs::path parent = fs::absolute(path, error);
    while (parent.has_relative_path() && !fs::exists(parent, error)) parent = parent.parent_path();
    return parent.string();
}

} // namespace

Check check_data_directory(const std::string& path) {
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) {
        return broken(
            fmt::format("data directory {} cannot be used: {}", path, std::strerror(errno)));
    }
    if (exists && !S_ISDIR(status.st_mode)) {
        return broken(fmt::format("data directory {} is a file", path));
    }
    const std::string probed = exists ? path : existing_parent(path);
    if (const int error = try_to_write(probed); error != 0) {
        return broken(
            exists
                ? fmt::format("data directory {} is not writable: {}", path, std::strerror(error))
                : fmt::format(
                      "data directory {} does not exist and cannot be made in {}: {}", path, probed,
                      std::strerror(error)));
    }
    struct statvfs room{};
    if (::statvfs(probed.c_str(), &room) != 0) {
        return broken(fmt::format("free space of {} is unknown: {}", probed, std::strerror(errno)));
    }
    const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
    Check check{
        .name = "data",
        .message = fmt::format(
            "data directory {} {}, {} MiB free", path, exists ? "is writable" : "can be made",
            free >> 20U)};
    if (free < free_wanted) {
        check.health = Health::warning;
        check.remedy = "make room or choose another directory with --data DIR";
    }
    return check;
}

} // namespace hive::cli
