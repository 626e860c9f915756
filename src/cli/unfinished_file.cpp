#include "cli/unfinished_file.hpp"

#include "cli/fd_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace hive::cli {
namespace {

Error exists(const std::string& path) {
    return {Errc::conflict, fmt::format("{} exists; choose a new name or remove it", path)};
}

// So that the name is on disk as well; a file system without this promise gives none.
void sync_directory(const std::string& path) {
    const auto directory = std::filesystem::absolute(path).parent_path();
    const FileDescriptor opened{::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (opened) ::fsync(opened.get());
}

} // namespace

UnfinishedFile::UnfinishedFile(
    FileDescriptor file, std::string path, std::string temporary, IfThere if_there)
    : file_{std::move(file)}, path_{std::move(path)}, temporary_{std::move(temporary)},
      if_there_{if_there} {}

UnfinishedFile::UnfinishedFile(UnfinishedFile&& other) noexcept
    : file_{std::move(other.file_)}, path_{std::move(other.path_)},
      temporary_{std::exchange(other.temporary_, {})}, if_there_{other.if_there_} {}

UnfinishedFile::~UnfinishedFile() {
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Error UnfinishedFile::trouble(int error) const {
    return {
        error == EACCES || error == EROFS ? Errc::denied : Errc::unavailable,
        fmt::format("cannot write {}: {}", path_, std::strerror(error))};
}

Result<UnfinishedFile> UnfinishedFile::create(std::string path, IfThere if_there) {
    std::error_code ignored; // what cannot be looked at cannot be written either: told below
    if (if_there == IfThere::refuse && std::filesystem::exists(path, ignored)) {
        return fail(exists(path));
    }
    std::string temporary = path + ".XXXXXX";
    FileDescriptor file{::mkostemp(temporary.data(), O_CLOEXEC)}; // mode 0600
    const int error = errno;
    const bool made = static_cast<bool>(file);
    UnfinishedFile unfinished{
        std::move(file), std::move(path), made ? std::move(temporary) : std::string{}, if_there};
    if (!made) return fail(unfinished.trouble(error));
    return unfinished;
}

Status UnfinishedFile::write(std::string_view bytes) {
    if (const int error = write_all(file_.get(), bytes); error != 0) return fail(trouble(error));
    return {};
}

Status UnfinishedFile::keep() {
    if (::fsync(file_.get()) != 0) return fail(trouble(errno));
    if (if_there_ == IfThere::refuse) {
        // Unlike a rename, a link never replaces a file that came in the meantime.
        if (::link(temporary_.c_str(), path_.c_str()) != 0) {
            return fail(errno == EEXIST ? exists(path_) : trouble(errno));
        }
    } else {
        if (::rename(temporary_.c_str(), path_.c_str()) != 0) return fail(trouble(errno));
        temporary_.clear();
    }
    sync_directory(path_);
    return {};
}

} // namespace hive::cli
