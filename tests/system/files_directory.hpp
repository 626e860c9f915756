#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::test {

// A `.deia` directory as a bee without any other tool has it.
class Directory {
public:
    explicit Directory(std::filesystem::path root) : root_{std::move(root)} {
        std::filesystem::create_directories(root_ / "hive/tasks");
    }

    // Whole at once, as careful bees write.
    void write(const std::string& path, std::string_view text) const;
    // Only if the file is there still: at once, so that a server that moves it comes before or
    // after.
    bool overwrite(const std::string& path, std::string_view text) const;
    void append(const std::string& path, std::string_view text) const;
    std::string read(const std::string& path) const; // empty when it is not there
    void move(const std::string& from, const std::string& to) const;
    void remove(const std::string& path) const { std::filesystem::remove(root_ / path); }
    bool has(const std::string& path) const { return std::filesystem::exists(root_ / path); }
    // All files below a directory whose path has this in it, sorted.
    std::vector<std::string> find(const std::string& below, std::string_view part = "") const;
    void replace(const std::string& path, std::string_view from, std::string_view to) const;

    const std::filesystem::path& root() const { return root_; }

private:
    std::filesystem::path root_;
};

// Waits for something that must come true; generous, because machines can be slow.
bool eventually(const std::function<bool()>& holds);

} // namespace hive::test
