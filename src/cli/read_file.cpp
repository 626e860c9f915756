#include "cli/read_file.hpp"

#include "cli/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace hive::cli {
namespace {

auto fail_with(int error) {
    const Errc code = error == ENOENT ? Errc::not_found : Errc::unavailable;
    return fail(code, fmt::format("cannot be read: {}", std::strerror(error)));
}

// A pipe whose writer is still at work, such as bash's <(command).
bool wait_for_bytes(int descriptor) {
    constexpr int patience_ms = 30'000;
    pollfd readable{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&readable, 1, patience_ms) != 0;
}

} // namespace

Result<std::string> read_file(const std::string& path, std::size_t bytes_max) {
    // Not blocking: opening a pipe that nobody writes to would wait for ever.
    const FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (!file) return fail_with(errno);
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return fail_with(errno);
    if (S_ISDIR(status.st_mode)) return fail_with(EISDIR);
    return read_all(file.get(), bytes_max);
}

Result<std::string> read_all(int descriptor, std::size_t bytes_max) {
    std::string text;
    for (;;) {
        constexpr std::size_t chunk = 16384;
        const std::size_t had = text.size();
        text.resize(had + chunk);
        const ssize_t got = ::read(descriptor, text.data() + had, chunk);
        if (got < 0 && errno == EAGAIN) {
            if (!wait_for_bytes(descriptor)) return fail_with(ETIMEDOUT);
        } else if (got < 0 && errno != EINTR) {
            return fail_with(errno);
        }
        text.resize(had + static_cast<std::size_t>(got > 0 ? got : 0));
        if (got == 0) return text;
        if (text.size() > bytes_max) {
            return fail(Errc::limit, fmt::format("has more than {} bytes", bytes_max));
        }
    }
}

} // namespace hive::cli
