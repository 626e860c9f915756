#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace hive::tidy {

struct Include {
    std::string target; // as written, without the quotes or brackets
    bool quoted = false;
    std::size_t line = 0;
};

struct SourceFile {
    std::string path;   // relative to the root, with '/'
    std::string folder; // under src: "kernel", "bus/memory"; empty for other trees
    std::vector<std::string> lines{};
    std::vector<Include> includes{};

    std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// One row of the map in docs/ARCHITECTURE.md.
struct Folder {
    std::string path;
    bool pure = false;
    bool adapter = false;
};

struct SourceTree {
    std::vector<Folder> map{}; // in the order in which folders may build on each other
    std::vector<SourceFile> files{};
};

SourceFile make_file(std::string path, const std::string& text);
std::vector<Folder> read_map(const std::string& architecture);
SourceTree read_tree(const std::filesystem::path& root);

} // namespace hive::tidy
