#include "runtime/process/trouble.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <system_error>

namespace hive::runtime::process {
namespace {

Errc code_of(int error) {
    switch (error) {
    case ENOENT: return Errc::not_found;
    case EACCES:
    case EPERM:
    case EROFS: return Errc::denied;
    case EAGAIN: // no more processes
    case EMFILE:
    case ENFILE:
    case ENOMEM:
    case ENOSPC:
    case EDQUOT: return Errc::limit;
    default: return Errc::unavailable;
    }
}

} // namespace

Error trouble(std::string_view what, int error) {
    return {code_of(error), fmt::format("{}: {}", what, std::generic_category().message(error))};
}

} // namespace hive::runtime::process
