#include "scenario/shelf_files.hpp"

#include "kernel/bytes.hpp"
#include "kernel/text.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <system_error>

namespace hive::scenario {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 12;
constexpr std::size_t piece = std::size_t{64} << 10U;

bool stays_inside(const fs::path& link, const std::string& folder) {
    std::error_code error;
    const fs::path root = fs::canonical(folder, error);
    const fs::path target = fs::canonical(link, error);
    if (error) return false;
    const fs::path within = target.lexically_relative(root);
    return !within.empty() && *within.begin() != "..";
}

tl::unexpected<Error> trouble(std::string_view what, const std::string& path) {
    const int reason = errno;
    return fail(
        Errc::unavailable, fmt::format(
                               "cannot {} {}: {}", what, fs::path{path}.filename().string(),
                               std::generic_category().message(reason)));
}

Status write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t done = ::write(file, text.data(), text.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) return fail(Errc::unavailable, "write");
        text.remove_prefix(static_cast<std::size_t>(done));
    }
    return {};
}

} // namespace

void for_each_file(
    const std::string& folder, const std::function<bool(const std::string& name)>& take) {
    std::error_code error;
    fs::recursive_directory_iterator at{folder, error};
    for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
        if (at.depth() >= depth_max) at.disable_recursion_pending();
        if (at->path().filename().string().starts_with(".")) {
            at.disable_recursion_pending();
            continue;
        }
        std::error_code ignored;
        if (!at->is_regular_file(ignored)) continue;
        if (at->is_symlink(ignored) && !stays_inside(at->path(), folder)) continue;
        if (!take(at->path().lexically_relative(folder).string())) return;
    }
}

void hash_file(const std::string& path, Sha256& hash) {
    std::ifstream file{path, std::ios::binary};
    std::string bytes(piece, '\0');
    std::uint64_t size = 0;
    while (file) {
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        const auto count = static_cast<std::size_t>(file.gcount());
        size += count;
        hash.update(bytes_of(std::string_view{bytes}.substr(0, count)));
    }
    hash.update(bytes_of(fmt::format(":{};", size)));
}

Result<std::string> read_whole(const std::string& path, std::size_t bytes_max) {
    std::ifstream file{path, std::ios::binary};
    if (!file.is_open()) return trouble("read", path);
    std::string text;
    std::string bytes(piece, '\0');
    while (file) {
        file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        text.append(bytes, 0, static_cast<std::size_t>(file.gcount()));
        if (text.size() > bytes_max) {
            return fail(
                Errc::limit, fmt::format(
                                 "{} has more than {} bytes, or the bundle has with it",
                                 fs::path{path}.filename().string(), bytes_max));
        }
    }
    if (!file.eof()) return trouble("read", path);
    return text;
}

Status write_whole(const std::string& path, std::string_view text) {
    const fs::path whole{path};
    std::error_code error;
    fs::create_directories(whole.parent_path(), error);
    if (error) {
        return fail(
            Errc::unavailable,
            fmt::format(
                "cannot make a folder for {}: {}", whole.filename().string(), error.message()));
    }
    const std::string beside =
        (whole.parent_path() / fmt::format(".{}.{}", whole.filename().string(), ::getpid()))
            .string();
    constexpr int readable = 0644;
    const int file =
        ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, readable);
    if (file < 0) return trouble("write", path);
    const bool good = write_all(file, text).has_value() && ::fsync(file) == 0;
    const bool closed = ::close(file) == 0;
    if (good && closed && ::rename(beside.c_str(), path.c_str()) == 0) return {};
    auto problem = trouble("write", path);
    ::unlink(beside.c_str());
    return problem;
}

Status remove_file(const std::string& bundle, const std::string& path) {
    const std::string whole = fmt::format("{}/{}", bundle, path);
    if (::unlink(whole.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
        return trouble("remove", whole);
    }
    for (fs::path folder = fs::path{path}.parent_path(); !folder.empty();
         folder = folder.parent_path()) {
        if (::rmdir((fs::path{bundle} / folder).c_str()) != 0) break; // something else is in it
    }
    return {};
}

Status check_way(const std::string& bundle, std::string_view path) {
    for (auto slash = path.find('/'); slash != path.npos; slash = path.find('/', slash + 1)) {
        const auto folder = fs::path{bundle} / path.substr(0, slash);
        std::error_code ignored;
        if (!fs::is_symlink(folder, ignored)) continue;
        return fail(
            Errc::invalid, fmt::format(
                               "'{}' is a link; what is behind it is not changed from here",
                               printable(path.substr(0, slash))));
    }
    return {};
}

} // namespace hive::scenario
