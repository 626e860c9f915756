#include "tests/tidy/source_tree.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace hive::tidy {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
    std::ifstream in{path, std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// `#include "kernel/id.hpp"` or `#include <amqp.h>`; anything else yields an empty target.
Include parse_include(const std::string& line, std::size_t number) {
    const std::size_t start = line.find_first_not_of(" \t");
    if (start == line.npos || line.compare(start, 8, "#include") != 0) return {};
    const std::size_t open = line.find_first_of("\"<", start);
    if (open == line.npos) return {};
    const std::size_t close = line.find_first_of("\">", open + 1);
    if (close == line.npos) return {};
    return {line.substr(open + 1, close - open - 1), line[open] == '"', number};
}

bool is_source(const fs::path& path) {
    const auto ext = path.extension();
    return ext == ".cpp" || ext == ".hpp" || path.filename() == "README.md";
}

} // namespace

SourceFile make_file(std::string path, const std::string& text) {
    SourceFile file{.path = std::move(path), .folder = {}};
    if (file.path.starts_with("src/")) {
        const std::size_t last = file.path.rfind('/');
        file.folder = last > 4 ? file.path.substr(4, last - 4) : "";
    }
    std::istringstream in{text};
    for (std::string line; std::getline(in, line);) {
        auto include = parse_include(line, file.lines.size() + 1);
        if (!include.target.empty()) file.includes.push_back(std::move(include));
        file.lines.push_back(std::move(line));
    }
    return file;
}

// Rows look like: | `bus/memory` | the broker inside the process | adapter |
std::vector<Folder> read_map(const std::string& architecture) {
    std::vector<Folder> map;
    std::istringstream in{architecture};
    bool in_map = false;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with("## ")) in_map = line == "## The map";
        if (in_map && line.starts_with("Beside `src`")) break;
        if (!in_map || !line.starts_with("| `")) continue;
        const std::string path = line.substr(3, line.find('`', 3) - 3);
        map.push_back({path, line.ends_with("| pure |"), line.ends_with("| adapter |")});
    }
    return map;
}

SourceTree read_tree(const fs::path& root) {
    SourceTree tree{.map = read_map(read_text(root / "docs/ARCHITECTURE.md"))};
    for (const char* top : {"src", "tests", "bench"}) {
        for (const auto& entry : fs::recursive_directory_iterator{root / top}) {
            if (!entry.is_regular_file() || !is_source(entry.path())) continue;
            tree.files.push_back(make_file(
                fs::relative(entry.path(), root).generic_string(), read_text(entry.path())));
        }
    }
    std::ranges::sort(tree.files, {}, &SourceFile::path);
    return tree;
}

} // namespace hive::tidy
