#pragma once

#include "cli/file_descriptor.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace hive::cli {

enum class IfThere : std::uint8_t {
    refuse, // Errc::conflict
    replace,
};

// A file that appears under its name only when it is whole and on disk. Only its owner may read it:
// what this program writes holds keys or the log. Gone with the object unless it was kept.
class UnfinishedFile {
public:
    // In the directory of `path`, which must exist.
    static Result<UnfinishedFile> create(std::string path, IfThere if_there);
    UnfinishedFile(UnfinishedFile&& other) noexcept;
    UnfinishedFile& operator=(UnfinishedFile&&) = delete;
    ~UnfinishedFile();

    Status write(std::string_view bytes);
    Status keep();

private:
    UnfinishedFile(FileDescriptor file, std::string path, std::string temporary, IfThere if_there);
    Error trouble(int error) const;

    FileDescriptor file_;
    std::string path_;
    std::string temporary_; // empty: nothing to remove
    IfThere if_there_;
};

} // namespace hive::cli
