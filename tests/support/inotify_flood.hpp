#pragma once

#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace hive::tests {

// More changes in a directory than the kernel keeps for somebody who does not listen. A queue of
// its own, as long as everybody else's, is the witness that changes really were dropped.
class InotifyFlood {
public:
    explicit InotifyFlood(std::filesystem::path directory)
        : directory_{std::move(directory)}, queue_{::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)} {
        constexpr unsigned all = IN_ATTRIB | IN_CREATE | IN_CLOSE_WRITE;
        if (queue_ < 0 || ::inotify_add_watch(queue_, directory_.c_str(), all) < 0)
            throw std::runtime_error{"no inotify here"};
        std::ifstream{"/proc/sys/fs/inotify/max_queued_events"} >> length_;
    }
    ~InotifyFlood() { ::close(queue_); }
    InotifyFlood(const InotifyFlood&) = delete;
    InotifyFlood& operator=(const InotifyFlood&) = delete;

    // Of two files that are there, in turns: a change that is like the one before is not told.
    void rise(const char* one, const char* other) const {
        for (std::size_t i = 0; i <= length_; ++i) {
            const auto file = directory_ / (i % 2 == 0 ? one : other);
            if (::chmod(file.c_str(), i % 4 < 2 ? 0644 : 0640) != 0)
                throw std::runtime_error{"a file to flood with is not there"};
        }
    }
    bool has_overflowed() const {
        alignas(inotify_event) std::array<char, 65536> buffer{};
        for (ssize_t count = 0; (count = ::read(queue_, buffer.data(), buffer.size())) > 0;) {
            for (const char* at = buffer.data(); at < buffer.data() + count;) {
                inotify_event event{};
                std::memcpy(&event, at, sizeof event);
                if ((event.mask & IN_Q_OVERFLOW) != 0) return true;
                at += sizeof event + event.len;
            }
        }
        return false;
    }

private:
    std::filesystem::path directory_;
    int queue_;
    std::size_t length_ = 0;
};

} // namespace hive::tests
