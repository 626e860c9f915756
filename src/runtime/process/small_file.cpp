#include "runtime/process/small_file.hpp"

#include "runtime/process/descriptor.hpp"
#include "runtime/process/trouble.hpp"

#include <fcntl.h>

#include <array>
#include <cerrno>

namespace hive::runtime::process {

Result<std::string> read_small_file(const std::string& path) {
    const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
    if (!file) return fail(trouble(path + " cannot be read", errno));
    std::string text;
    std::array<char, small_file_bytes_max> chunk{};
    while (text.size() < small_file_bytes_max) {
        const auto size = ::read(file.get(), chunk.data(), small_file_bytes_max - text.size());
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return fail(trouble(path + " cannot be read", errno));
        if (size == 0) break;
        text.append(chunk.data(), static_cast<std::size_t>(size));
    }
    return text;
}

} // namespace hive::runtime::process
