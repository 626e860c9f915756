#include "colony/files/posix/inotify_watch.hpp"

#include "colony/files/place.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

namespace hive::colony::files::posix {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 32;
constexpr std::size_t paths_max = 2000; // more than these, and everything is looked at
constexpr std::uint32_t interest = IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO |
                                   IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_ONLYDIR |
                                   IN_DONT_FOLLOW;

void note(Notice& notice, std::string path) {
    if (notice.paths.size() >= paths_max) {
        notice.everything = true;
        return;
    }
    if (std::ranges::find(notice.paths, path) == notice.paths.end())
        notice.paths.push_back(std::move(path));
}

} // namespace

Result<std::unique_ptr<InotifyWatch>> InotifyWatch::open(const std::string& root) {
    Descriptor events{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)};
    Descriptor bell{::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)};
    if (!events || !bell) {
        return fail(
            Errc::unavailable, fmt::format("files cannot be watched: {}", std::strerror(errno)));
    }
    std::unique_ptr<InotifyWatch> watch{new InotifyWatch{root, std::move(events), std::move(bell)}};
    Notice all;
    watch->add_below("", 0, all);
    if (watch->directories_.empty()) {
        return fail(
            Errc::unavailable, fmt::format("{} cannot be watched: {}", root, std::strerror(errno)));
    }
    return watch;
}

void InotifyWatch::add_below(const std::string& directory, int depth, Notice& notice) {
    const fs::path home = directory.empty() ? fs::path{root_} : fs::path{root_} / directory;
    const int number = ::inotify_add_watch(events_.get(), home.c_str(), interest);
    if (number < 0) {
        notice.everything = true; // no more watches to be had: the scans see it
        return;
    }
    directories_[number] = directory;
    std::error_code error;
    for (fs::directory_iterator entries{home, error}; !error && entries != fs::directory_iterator{};
         entries.increment(error)) {
        const std::string name = entries->path().filename().string();
        const std::string path = directory.empty() ? name : directory + "/" + name;
        if (name.starts_with('.')) continue;
        std::error_code unreadable;
        if (entries->is_directory(unreadable) && !entries->is_symlink(unreadable)) {
            if (depth < depth_max) add_below(path, depth + 1, notice);
        } else if (is_taken(path)) {
            note(notice, path);
        }
    }
}

void InotifyWatch::begin_again(Notice& notice) {
    for (const auto& [number, path] : directories_) ::inotify_rm_watch(events_.get(), number);
    directories_.clear();
    add_below("", 0, notice);
    notice.everything = true;
}

void InotifyWatch::hear(const inotify_event& event, std::string_view name, Notice& notice) {
    if ((event.mask & IN_Q_OVERFLOW) != 0) {
        begin_again(notice);
        return;
    }
    const auto found = directories_.find(event.wd);
    if (found == directories_.end()) return;
    if ((event.mask & (IN_IGNORED | IN_DELETE_SELF)) != 0) {
        directories_.erase(found);
        return;
    }
    if (name.empty() || name.starts_with('.')) return;
    std::string path =
        found->second.empty() ? std::string{name} : fmt::format("{}/{}", found->second, name);
    if ((event.mask & IN_ISDIR) == 0) {
        // Something that was only created is told again when it is closed; a link is not.
        if (is_taken(path)) note(notice, std::move(path));
        return;
    }
    if ((event.mask & (IN_CREATE | IN_MOVED_TO)) != 0) add_below(path, 0, notice);
    if ((event.mask & (IN_MOVED_FROM | IN_DELETE | IN_ATTRIB)) != 0) notice.everything = true;
}

Result<Notice> InotifyWatch::wait(Duration within) {
    std::array<pollfd, 2> both{pollfd{events_.get(), POLLIN, 0}, pollfd{bell_.get(), POLLIN, 0}};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(within).count();
    const int ready = ::poll(both.data(), both.size(), static_cast<int>(milliseconds));
    if (ready < 0 && errno != EINTR) {
        return fail(Errc::unavailable, fmt::format("watching files: {}", std::strerror(errno)));
    }
    std::uint64_t rings = 0;
    if (::read(bell_.get(), &rings, sizeof rings) < 0 && errno != EAGAIN) {
        return fail(Errc::unavailable, "watching files: the bell is broken");
    }
    Notice notice;
    alignas(inotify_event) std::array<char, 65536> buffer{};
    while (!notice.everything) {
        const auto count = ::read(events_.get(), buffer.data(), buffer.size());
        if (count <= 0) break;
        for (const char* at = buffer.data(); at < buffer.data() + count;) {
            inotify_event event{};
            std::memcpy(&event, at, sizeof event);
            const char* name = at + sizeof event;
            hear(event, {name, ::strnlen(name, event.len)}, notice);
            at = name + event.len;
        }
    }
    return notice;
}

void InotifyWatch::wake() {
    const std::uint64_t one = 1;
    // Full: it has been rung and not been heard yet, which is as good.
    [[maybe_unused]] const auto written = ::write(bell_.get(), &one, sizeof one);
}

} // namespace hive::colony::files::posix
