#pragma once

#include "tests/support/scratch_directory.hpp"

#include <sys/mount.h>

#include <filesystem>
#include <string>

namespace hive::tests {

// A small file system of its own, where the machine lets us mount one (root, not in every
// container); false otherwise.
class SmallDisk {
public:
    // Options of tmpfs: "size=4m".
    explicit SmallDisk(const std::string& options) {
        mounted_ = ::mount("tmpfs", path().c_str(), "tmpfs", 0, options.c_str()) == 0;
    }
    ~SmallDisk() {
        if (mounted_) ::umount2(path().c_str(), MNT_DETACH);
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    explicit operator bool() const { return mounted_; }
    const std::filesystem::path& path() const { return mount_.path(); }
    bool make_read_only() const {
        return ::mount(nullptr, path().c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0;
    }

private:
    ScratchDirectory mount_;
    bool mounted_ = false;
};

} // namespace hive::tests
