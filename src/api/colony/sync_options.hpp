#pragma once

#include "colony/files/merge.hpp"
#include "kernel/clock.hpp"

#include <string>

namespace hive::rest {

// How files and the colony are kept in step; docs/guides/files.md.
struct SyncOptions {
    std::string policy = "last-write";
    std::string zone = "UTC";               // what times in names and headers mean that say none
    Duration lease = std::chrono::hours{1}; // of a claim by file
    Duration scan_every = std::chrono::seconds{30};
    Duration keep_versions = std::chrono::hours{720}; // of files, once nothing refers to them
    Duration settle = std::chrono::milliseconds{50};  // a file that changed later is left alone
};

} // namespace hive::rest
