#pragma once

#include "kernel/result.hpp"

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>

namespace hive::store::sqlite {

// Which file on the disk a path leads to, so that a deleted or replaced one is noticed.
struct FileIdentity {
    dev_t device;
    ino_t inode;

    static std::optional<FileIdentity> of(const std::filesystem::path& path);
    bool operator==(const FileIdentity&) const = default;
};

// A directory that holds a hive's database, claimed for one server while this object lives.
class DataDirectory {
public:
    // Errc::not_found: no such directory. Errc::denied: it cannot be written. Errc::conflict:
    // another process has it; the message names the process.
    static Result<std::shared_ptr<const DataDirectory>> claim(const std::filesystem::path& path);
    // Beside the server that may have it; for short commands.
    static Result<std::shared_ptr<const DataDirectory>> visit(const std::filesystem::path& path);

    // Whether a server has it now.
    static bool is_claimed(const std::filesystem::path& path);

    explicit DataDirectory(std::filesystem::path path) : path_{std::move(path)} {}
    DataDirectory(const DataDirectory&) = delete;
    DataDirectory& operator=(const DataDirectory&) = delete;
    ~DataDirectory();

    std::filesystem::path database() const { return path_ / "hive.db"; }

private:
    Status lock();

    std::filesystem::path path_;
    int lock_ = -1;
};

} // namespace hive::store::sqlite
