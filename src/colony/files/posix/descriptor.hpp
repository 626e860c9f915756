#pragma once

#include <unistd.h>

#include <utility>

namespace hive::colony::files::posix {

class Descriptor {
public:
    explicit Descriptor(int number = -1) noexcept : number_{number} {}
    Descriptor(Descriptor&& other) noexcept : number_{std::exchange(other.number_, -1)} {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        if (this != &other) {
            close();
            number_ = std::exchange(other.number_, -1);
        }
        return *this;
    }
    ~Descriptor() { close(); }

    int get() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }

private:
    void close() noexcept {
        if (number_ >= 0) ::close(number_);
    }
    int number_;
};

} // namespace hive::colony::files::posix
