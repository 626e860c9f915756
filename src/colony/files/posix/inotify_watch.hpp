#pragma once

#include "colony/files/posix/descriptor.hpp"
#include "colony/files/tree.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

struct inotify_event;

namespace hive::colony::files::posix {

// Changes below a directory, as the kernel tells them. Used by one thread, but for wake().
class InotifyWatch final : public Watch {
public:
    static Result<std::unique_ptr<InotifyWatch>> open(const std::string& root);

    Result<Notice> wait(Duration within) override;
    void wake() override;

private:
    InotifyWatch(std::string root, Descriptor events, Descriptor bell)
        : root_{std::move(root)}, events_{std::move(events)}, bell_{std::move(bell)} {}

    // Files in it are told as new: they may have come before the watch did.
    void add_below(const std::string& directory, int depth, Notice& notice);
    void hear(const inotify_event& event, std::string_view name, Notice& notice);
    void begin_again(Notice& notice);

    std::string root_;
    Descriptor events_;
    Descriptor bell_;
    std::unordered_map<int, std::string> directories_{}; // by watch
};

} // namespace hive::colony::files::posix
