#pragma once

#include <array>
#include <streambuf>
#include <string_view>

namespace hive::cli {

// 0, or the errno that stopped it. Goes on after interruptions and short writes.
int write_all(int fd, std::string_view text) noexcept;

// A stream buffer on a file descriptor that remembers why writing failed; std::cout forgets.
class FdOutput final : public std::streambuf {
public:
    explicit FdOutput(int fd) : fd_{fd} { setp(buffer_.data(), buffer_.data() + buffer_.size()); }

    int error() const noexcept { return error_; } // errno of the first failure; 0: none

protected:
    int_type overflow(int_type c) override;
    int sync() override;

private:
    int fd_;
    int error_ = 0;
    std::array<char, 8192> buffer_{};
};

} // namespace hive::cli
