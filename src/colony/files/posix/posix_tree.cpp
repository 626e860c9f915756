#include "colony/files/posix/posix_tree.hpp"

#include "colony/files/place.hpp"
#include "colony/files/text.hpp"
#include "kernel/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace hive::colony::files::posix {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 32;
constexpr std::size_t files_max = 500'000;
constexpr std::string_view unfinished = ".hive~";

auto failed(std::string_view what, std::string_view path, int error) {
    Errc code = Errc::unavailable;
    if (error == ENOENT || error == ENOTDIR) code = Errc::not_found;
    if (error == EACCES || error == EPERM || error == EXDEV || error == ELOOP) code = Errc::denied;
    std::string why = std::strerror(error);
    if (error == EXDEV) why = "it leads out of the directory";
    return fail(code, fmt::format("cannot {} {}: {}", what, path, why));
}

Timestamp changed_at(const struct stat& found) {
    return Timestamp{
        std::chrono::seconds{found.st_mtim.tv_sec} +
        std::chrono::nanoseconds{found.st_mtim.tv_nsec}};
}

Result<std::string> read_all(int descriptor, std::string_view path) {
    std::string bytes;
    std::array<char, 65536> buffer{};
    while (bytes.size() <= file_bytes_max) {
        const auto count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failed("read", path, errno);
        if (count == 0) break;
        bytes.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return bytes; // a little more than is allowed shows that there is too much
}

Status write_all(int descriptor, std::string_view bytes, std::string_view path) {
    while (!bytes.empty()) {
        const auto count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return failed("write", path, errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

std::string unfinished_name(std::string_view name) {
    return fmt::format(".{}{}", name, unfinished);
}

// Where the kernel has no openat2 the path is resolved first and opened then.
int open_resolved(const std::string& root, const std::string& path, int flags) {
    std::error_code error;
    const fs::path home = fs::canonical(root, error);
    const fs::path whole = fs::weakly_canonical(home / path, error);
    const auto [end, at] = std::mismatch(home.begin(), home.end(), whole.begin(), whole.end());
    if (error || end != home.end()) {
        errno = EXDEV;
        return -1;
    }
    return ::open(whole.c_str(), flags, 0644);
}

} // namespace

Result<std::unique_ptr<PosixTree>> PosixTree::open(const std::string& root) {
    std::error_code error;
    const fs::path whole = fs::canonical(root, error);
    if (error || !fs::is_directory(whole)) {
        return fail(Errc::not_found, fmt::format("'{}' is not a directory", root));
    }
    return std::unique_ptr<PosixTree>{new PosixTree{whole.string()}};
}

Result<Descriptor> PosixTree::open_below(const std::string& path, int flags) const {
    const Descriptor home{::open(root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    if (!home) return fail(Errc::unavailable, fmt::format("{} is not there", root_));
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.mode = (flags & O_CREAT) != 0 ? 0644 : 0;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    const std::string relative = path.empty() ? "." : path;
    auto number =
        static_cast<int>(::syscall(SYS_openat2, home.get(), relative.c_str(), &how, sizeof how));
    if (number < 0 && (errno == ENOSYS || errno == EPERM))
        number = open_resolved(root_, relative, flags | O_CLOEXEC);
    if (number < 0) return failed("open", path, errno);
    return Descriptor{number};
}

Result<PosixTree::Place> PosixTree::place_of(std::string_view path, bool make) {
    const auto slash = path.rfind('/');
    std::string directory{slash == path.npos ? "" : path.substr(0, slash)};
    std::string name{slash == path.npos ? path : path.substr(slash + 1)};
    if (name.empty() || name == "." || name == ".." || path.find("..") == 0)
        return fail(Errc::invalid, fmt::format("'{}' is no path of a file", path));
    auto opened = open_below(directory, O_PATH | O_DIRECTORY);
    if (!opened && make && opened.error().code == Errc::not_found) {
        auto parent = place_of(directory, true);
        if (!parent) return parent;
        if (::mkdirat(parent->directory.get(), parent->name.c_str(), 0755) != 0 && errno != EEXIST)
            return failed("make", directory, errno);
        opened = open_below(directory, O_PATH | O_DIRECTORY);
    }
    if (!opened) return fail(opened.error());
    return Place{std::move(*opened), std::move(name)};
}

void PosixTree::list_below(const std::string& directory, int depth, Listing& out) {
    std::error_code error;
    const fs::path home = directory.empty() ? fs::path{root_} : fs::path{root_} / directory;
    fs::directory_iterator entries{home, error};
    if (error) {
        out.troubles.push_back(
            {directory, {"unreadable", fmt::format("cannot look into it: {}", error.message())}});
        return;
    }
    for (; entries != fs::directory_iterator{}; entries.increment(error)) {
        if (error || out.files.size() >= files_max) return;
        const std::string name = entries->path().filename().string();
        const std::string path = directory.empty() ? name : fmt::format("{}/{}", directory, name);
        const bool stray = name.starts_with('.') && name.ends_with(unfinished);
        if (stray) out.strays.push_back(path);
        if (name.starts_with('.')) continue;
        if (find_invalid_utf8(name)) {
            out.troubles.push_back(
                {printable(path, 300), {"bad-name", "its name is not UTF-8; give it another"}});
            continue;
        }
        struct stat found{};
        if (::lstat(entries->path().c_str(), &found) != 0) continue; // gone again
        if (S_ISLNK(found.st_mode)) {
            auto seen = look(path);
            if (!seen && seen.error().code == Errc::denied)
                out.troubles.push_back({path, {"link-outside", "a link that leads out of .deia"}});
            if (seen && is_taken(path)) out.files.push_back(*std::move(seen));
        } else if (S_ISDIR(found.st_mode)) {
            if (depth < depth_max) list_below(path, depth + 1, out);
        } else if (S_ISREG(found.st_mode) && is_taken(path)) {
            out.files.push_back(
                {path, static_cast<std::uint64_t>(found.st_size), changed_at(found)});
        }
    }
}

Result<Listing> PosixTree::list() {
    struct stat found{};
    if (::stat(root_.c_str(), &found) != 0 || !S_ISDIR(found.st_mode)) {
        return fail(
            Errc::unavailable,
            fmt::format("{} is not there; nothing is changed until it is back", root_));
    }
    Listing out;
    list_below("", 0, out);
    std::ranges::sort(out.files, {}, &Entry::path);
    return out;
}

Result<Entry> PosixTree::look(std::string_view path) {
    const auto opened = open_below(std::string{path}, O_PATH);
    if (!opened) return fail(opened.error());
    struct stat found{};
    if (::fstat(opened->get(), &found) != 0) return failed("look at", path, errno);
    if (!S_ISREG(found.st_mode))
        return fail(Errc::not_found, fmt::format("{} is not a file", path));
    return Entry{std::string{path}, static_cast<std::uint64_t>(found.st_size), changed_at(found)};
}

Result<std::string> PosixTree::read(std::string_view path) {
    const auto opened = open_below(std::string{path}, O_RDONLY | O_NONBLOCK);
    if (!opened) return fail(opened.error());
    return read_all(opened->get(), path);
}

Result<std::optional<std::string>>
PosixTree::exchange(const Place& place, std::string_view path, Mode mode) {
    const int home = place.directory.get();
    const std::string temporary = unfinished_name(place.name);
    const auto rename = [&](unsigned flags) {
        return ::renameat2(home, temporary.c_str(), home, place.name.c_str(), flags);
    };
    if (mode == Mode::create) {
        if (rename(RENAME_NOREPLACE) == 0) return std::optional<std::string>{};
        if (errno != EEXIST && errno != EINVAL && errno != ENOSYS)
            return failed("write", path, errno);
    }
    if (rename(RENAME_EXCHANGE) == 0) {
        // What stood there is in the temporary file now.
        const Descriptor old{::openat(home, temporary.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC)};
        if (!old) return failed("write", path, errno);
        auto before = read_all(old.get(), path);
        if (!before) return fail(before.error());
        ::unlinkat(home, temporary.c_str(), 0);
        return std::optional{*std::move(before)};
    }
    if (errno != EINVAL && errno != ENOSYS) return failed("write", path, errno);
    // A file system that cannot exchange: there is a moment in which somebody can be overwritten.
    auto before = read(path);
    if (!before && mode == Mode::replace) return fail(before.error());
    if (rename(0) != 0) return failed("write", path, errno);
    return before ? std::optional{*std::move(before)} : std::optional<std::string>{};
}

Result<std::optional<std::string>>
PosixTree::put(std::string_view path, std::string_view bytes, Mode mode) {
    auto place = place_of(path, mode == Mode::create);
    if (!place) return fail(place.error());
    const int home = place->directory.get();
    const std::string temporary = unfinished_name(place->name);
    ::unlinkat(home, temporary.c_str(), 0);
    {
        const Descriptor file{::openat(
            home, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644)};
        if (!file) return failed("write", path, errno);
        if (auto ok = write_all(file.get(), bytes, path); !ok) return fail(ok.error());
        if (::fsync(file.get()) != 0) return failed("write", path, errno);
    }
    auto before = exchange(*place, path, mode);
    if (!before) {
        ::unlinkat(home, temporary.c_str(), 0);
        return before;
    }
    const Descriptor directory{::openat(home, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (directory) ::fsync(directory.get());
    return before;
}

Status PosixTree::move(std::string_view from, std::string_view to) {
    auto source = place_of(from, false);
    if (!source) return fail(source.error());
    auto target = place_of(to, true);
    if (!target) return fail(target.error());
    const auto rename = [&](unsigned flags) {
        return ::renameat2(
            source->directory.get(), source->name.c_str(), target->directory.get(),
            target->name.c_str(), flags);
    };
    if (rename(RENAME_NOREPLACE) == 0) return {};
    if (errno == EEXIST)
        return fail(Errc::conflict, fmt::format("cannot move {}: {} is there", from, to));
    if (errno != EINVAL && errno != ENOSYS) return failed("move", from, errno);
    if (look(to)) return fail(Errc::conflict, fmt::format("cannot move {}: {} is there", from, to));
    return rename(0) == 0 ? Status{} : Status{failed("move", from, errno)};
}

Status PosixTree::append(std::string_view path, std::string_view text) {
    auto place = place_of(path, true);
    if (!place) return fail(place.error());
    const Descriptor file{::openat(
        place->directory.get(), place->name.c_str(),
        O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644)};
    if (!file) return failed("append to", path, errno);
    return write_all(file.get(), text, path);
}

Status PosixTree::remove(std::string_view path) {
    auto place = place_of(path, false);
    if (!place) return place.error().code == Errc::not_found ? Status{} : fail(place.error());
    if (::unlinkat(place->directory.get(), place->name.c_str(), 0) != 0 && errno != ENOENT)
        return failed("remove", path, errno);
    return {};
}

} // namespace hive::colony::files::posix
