#pragma once

#include "kernel/digest.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace hive::scenario {

// What shelf.cpp does with files; nobody else includes this.

// Every file that belongs to a bundle, as bundle.cpp counts them, until `take` answers false.
void for_each_file(
    const std::string& folder, const std::function<bool(const std::string& name)>& take);

// Size and contents; a file that goes away meanwhile counts as empty.
void hash_file(const std::string& path, Sha256& hash);

Result<std::string> read_whole(const std::string& path, std::size_t bytes_max);

// Beside it first, then renamed: a reader has the old one or the new one.
Status write_whole(const std::string& path, std::string_view text);

// Of a bundle, with the folders that are empty then. What is not there is removed.
Status remove_file(const std::string& bundle, const std::string& path);

// Errc::invalid when a folder on the way is a link: it may lead anywhere.
Status check_way(const std::string& bundle, std::string_view path);

// Goes with its object, whatever is in it; made by whoever writes into it.
class ScratchFolder {
public:
    explicit ScratchFolder(std::string path) : path_{std::move(path)} {}
    ~ScratchFolder() {
        std::error_code ignored; // what stays is hidden
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

private:
    std::string path_;
};

} // namespace hive::scenario
