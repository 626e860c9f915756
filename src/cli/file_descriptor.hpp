#pragma once

#include <unistd.h>

#include <utility>

namespace hive::cli {

// Closes what it owns; false when it owns nothing.
class FileDescriptor {
public:
    explicit FileDescriptor(int fd = -1) noexcept : fd_{fd} {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    FileDescriptor& operator=(FileDescriptor other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~FileDescriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    explicit operator bool() const noexcept { return fd_ >= 0; }
    int get() const noexcept { return fd_; }

private:
    int fd_;
};

} // namespace hive::cli
