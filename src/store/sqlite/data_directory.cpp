#include "store/sqlite/data_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace hive::store::sqlite {
namespace {

namespace fs = std::filesystem;

std::string holder_of(int lock) {
    std::array<char, 32> text{};
    const auto size = ::pread(lock, text.data(), text.size(), 0);
    std::string pid;
    for (ssize_t i = 0; i < size && text[static_cast<std::size_t>(i)] >= '0'; ++i) {
        pid += text[static_cast<std::size_t>(i)];
    }
    return pid.empty() ? "another process" : "process " + pid;
}

Status check_usable(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
        return fail(
            Errc::not_found,
            fmt::format(
                "data directory '{}' does not exist; create it or choose another", path.string()));
    }
    if (::access(path.c_str(), R_OK | W_OK | X_OK) != 0) {
        return fail(
            Errc::denied, fmt::format(
                              "data directory '{}' cannot be written: {}; mend its permissions or "
                              "choose another",
                              path.string(), std::strerror(errno)));
    }
    return {};
}

} // namespace

std::optional<FileIdentity> FileIdentity::of(const fs::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
}

Result<std::shared_ptr<const DataDirectory>> DataDirectory::claim(const fs::path& path) {
    if (auto ok = check_usable(path); !ok) return fail(ok.error());
    auto directory = std::make_shared<DataDirectory>(path);
    if (auto ok = directory->lock(); !ok) return fail(ok.error());
    return directory;
}

Result<std::shared_ptr<const DataDirectory>> DataDirectory::visit(const fs::path& path) {
    if (auto ok = check_usable(path); !ok) return fail(ok.error());
    return std::make_shared<DataDirectory>(path);
}

bool DataDirectory::is_claimed(const fs::path& path) {
    const int lock = ::open((path / "hive.lock").c_str(), O_RDONLY | O_CLOEXEC);
    if (lock < 0) return false;
    const bool held = ::flock(lock, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(lock);
    return held;
}

DataDirectory::~DataDirectory() {
    // The lock goes with the descriptor. The file stays: removing it would let two processes hold
    // locks on two files of that name.
    if (lock_ >= 0) ::close(lock_);
}

Status DataDirectory::lock() {
    const fs::path file = path_ / "hive.lock";
    lock_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock_ < 0) {
        return fail(
            Errc::denied, fmt::format("cannot open '{}': {}", file.string(), std::strerror(errno)));
    }
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
        return fail(
            Errc::conflict,
            fmt::format(
                "data directory '{}' is in use by {}; stop that server or choose another directory",
                path_.string(), holder_of(lock_)));
    }
    const std::string pid = fmt::format("{}\n", ::getpid());
    if (::ftruncate(lock_, 0) != 0 ||
        ::pwrite(lock_, pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
        return fail(
            Errc::unavailable,
            fmt::format("cannot write '{}': {}", file.string(), std::strerror(errno)));
    }
    return {};
}

} // namespace hive::store::sqlite
