#include "cli/fd_output.hpp"

#include <unistd.h>

#include <cerrno>

namespace hive::cli {

int write_all(int fd, std::string_view text) noexcept {
    while (!text.empty()) {
        const ssize_t wrote = ::write(fd, text.data(), text.size());
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return errno;
        text.remove_prefix(static_cast<std::size_t>(wrote));
    }
    return 0;
}

FdOutput::int_type FdOutput::overflow(int_type c) {
    if (sync() != 0) return traits_type::eof();
    if (!traits_type::eq_int_type(c, traits_type::eof())) sputc(traits_type::to_char_type(c));
    return traits_type::not_eof(c);
}

int FdOutput::sync() {
    const auto size = static_cast<std::size_t>(pptr() - pbase());
    const int error = error_ != 0 ? error_ : write_all(fd_, {pbase(), size});
    setp(buffer_.data(), buffer_.data() + buffer_.size());
    error_ = error;
    return error == 0 ? 0 : -1;
}

} // namespace hive::cli
