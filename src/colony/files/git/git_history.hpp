#pragma once

#include "colony/files/git/git_log.hpp"
#include "colony/files/history.hpp"
#include "kernel/log.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hive::colony::files::git {

// The history of a directory in a git work tree. Used by one thread.
class GitHistory final : public History {
public:
    // `log`: who is told why git cannot be asked; that is no error.
    GitHistory(std::string root, std::optional<Logger> log)
        : root_{std::move(root)}, log_{std::move(log)} {}

    std::optional<Timestamp> committed(std::string_view path) override;

private:
    // Changes whenever HEAD does: by a commit, a checkout, a pull.
    struct Stamp {
        std::filesystem::path repository;
        std::filesystem::file_time_type head;
        std::uintmax_t moves; // of HEAD: bytes of the log of them

        bool operator==(const Stamp&) const = default;
    };
    std::optional<Stamp> stamp() const; // nothing: no work tree
    void load();

    std::string root_;
    std::optional<Logger> log_;
    std::optional<Stamp> loaded_{};
    CommitTimes times_{};
};

} // namespace hive::colony::files::git
