#include "runtime/process/log_file.hpp"

#include "kernel/text.hpp"
#include "runtime/process/trouble.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

namespace hive::runtime::process {
namespace {

constexpr std::uint64_t tail_bytes = std::uint64_t{16} << 10U;
constexpr std::size_t line_bytes_max = 1000;

std::uint64_t size_of(const Descriptor& file) {
    struct stat status{};
    return ::fstat(file.get(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

// Also what is appended while it copies, unless that never ends. The system's error number, or 0.
int copy_all(const Descriptor& from, const Descriptor& to) {
    std::array<char, std::size_t{64} << 10U> chunk{};
    const std::uint64_t enough = 2 * size_of(from);
    for (std::uint64_t copied = 0; copied < enough;) {
        const auto size =
            ::pread(from.get(), chunk.data(), chunk.size(), static_cast<off_t>(copied));
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return errno;
        if (size == 0) return 0;
        for (ssize_t done = 0; done < size;) {
            const auto written =
                ::write(to.get(), chunk.data() + done, static_cast<std::size_t>(size - done));
            if (written < 0 && errno != EINTR) return errno;
            if (written > 0) done += written;
        }
        copied += static_cast<std::uint64_t>(size);
    }
    return 0;
}

int keep_copy(const Descriptor& log, const std::string& path, std::size_t kept) {
    for (std::size_t i = kept; i > 1; --i) {
        const std::string newer = fmt::format("{}.{}", path, i - 1);
        const std::string older = fmt::format("{}.{}", path, i);
        if (::rename(newer.c_str(), older.c_str()) != 0 && errno != ENOENT) return errno;
    }
    const std::string newest = path + ".1";
    const Descriptor copy{::open(newest.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (!copy) return errno;
    const int error = copy_all(log, copy);
    if (error != 0) ::unlink(newest.c_str());
    return error;
}

std::vector<std::string> split_newest(std::string_view text, std::size_t count) {
    std::vector<std::string> lines;
    if (text.ends_with('\n')) text.remove_suffix(1);
    while (!text.empty() && lines.size() < count) {
        const std::size_t end = text.rfind('\n');
        const std::size_t begin = end == text.npos ? 0 : end + 1;
        lines.push_back(printable(text.substr(begin), line_bytes_max));
        text = text.substr(0, end == text.npos ? 0 : end);
    }
    std::ranges::reverse(lines);
    return lines;
}

} // namespace

Result<OpenLog> open_log(const std::string& path) {
    Descriptor file{
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0600)};
    if (!file) return fail(trouble("log " + path + " cannot be opened", errno));
    const std::uint64_t size = size_of(file);
    return OpenLog{std::move(file), size};
}

std::uint64_t size_of_log(const std::string& path) {
    struct stat status{};
    return ::stat(path.c_str(), &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

Status rotate_log(const std::string& path, std::size_t kept) {
    const Descriptor log{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
    if (!log) return fail(trouble("log " + path + " cannot be opened", errno));
    const int error = kept > 0 ? keep_copy(log, path, kept) : 0;
    // Also when there was no room for a copy: a log that grows without bound makes it worse.
    if (::ftruncate(log.get(), 0) != 0) {
        return fail(trouble("log " + path + " cannot be emptied", errno));
    }
    if (error != 0) return fail(trouble("log " + path + " was emptied without a copy", error));
    return {};
}

std::vector<std::string>
last_lines(const std::string& path, std::uint64_t from, std::size_t count) {
    const Descriptor log{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!log) return {};
    const std::uint64_t size = size_of(log);
    if (from > size) from = 0; // it was emptied since
    const std::uint64_t begin = std::max(from, size > tail_bytes ? size - tail_bytes : 0);
    std::string text(size - begin, '\0');
    const auto read = ::pread(log.get(), text.data(), text.size(), static_cast<off_t>(begin));
    text.resize(read > 0 ? static_cast<std::size_t>(read) : 0);
    // Begun in the middle of a line, whose first half is not worth showing.
    if (const std::size_t end = text.find('\n'); begin > from && end != text.npos) {
        text.erase(0, end + 1);
    }
    return split_newest(text, count);
}

} // namespace hive::runtime::process
