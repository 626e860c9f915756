#include "colony/files/git/git_history.hpp"

#include <fstream>

namespace hive::colony::files::git {
namespace {

namespace fs = std::filesystem;

constexpr Duration patience = std::chrono::seconds{10};

// Of a work tree: `.git` itself, or where it says; a linked work tree has a file there.
fs::path repository_at(const fs::path& dot_git) {
    std::error_code error;
    if (fs::is_directory(dot_git, error)) return dot_git;
    constexpr std::string_view label = "gitdir: ";
    std::ifstream file{dot_git};
    std::string line;
    if (!std::getline(file, line) || !line.starts_with(label)) return {};
    return dot_git.parent_path() / line.substr(label.size());
}

fs::path repository_above(const fs::path& root) {
    std::error_code error;
    for (fs::path at = fs::absolute(root, error); !at.empty(); at = at.parent_path()) {
        if (fs::exists(at / ".git", error)) return repository_at(at / ".git");
        if (at == at.parent_path()) break;
    }
    return {};
}

} // namespace

std::optional<GitHistory::Stamp> GitHistory::stamp() const {
    const fs::path repository = repository_above(root_);
    if (repository.empty()) return std::nullopt;
    std::error_code error; // what is not there is as good as what never changes
    const auto head = fs::last_write_time(repository / "HEAD", error);
    const auto moves = fs::file_size(repository / "logs/HEAD", error);
    return Stamp{repository, head, moves};
}

void GitHistory::load() {
    auto times = first_commits(root_, patience);
    if (times) {
        times_ = *std::move(times);
        return;
    }
    times_.clear();
    if (log_) {
        log_->info(
            "files without a time are as old as their last change",
            {{"reason", times.error().detail}});
    }
}

std::optional<Timestamp> GitHistory::committed(std::string_view path) {
    auto now = stamp();
    if (!now) return std::nullopt;
    if (loaded_ != now) {
        loaded_ = std::move(now); // also when it fails: asked again when there is news
        load();
    }
    const auto found = times_.find(std::string{path});
    return found == times_.end() ? std::nullopt : std::optional{found->second};
}

} // namespace hive::colony::files::git
