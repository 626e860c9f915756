#pragma once

#include <unistd.h>

#include <utility>

namespace hive::runtime::process {

// Closes what it owns; false when it owns nothing.
class Descriptor {
public:
    explicit Descriptor(int fd = -1) noexcept : fd_{fd} {}
    Descriptor(Descriptor&& other) noexcept : fd_{std::exchange(other.fd_, -1)} {}
    Descriptor& operator=(Descriptor other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }

    explicit operator bool() const noexcept { return fd_ >= 0; }
    int get() const noexcept { return fd_; }

private:
    int fd_;
};

} // namespace hive::runtime::process
