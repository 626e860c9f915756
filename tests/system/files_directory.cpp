#include "tests/system/files_directory.hpp"

#include <fcntl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <thread>

namespace hive::test {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

// A file beside `path` that nobody looks at, with that text.
fs::path make_draft(const fs::path& path, std::string_view text) {
    static std::atomic<unsigned> number = 0;
    fs::path draft = path.parent_path() / (".draft" + std::to_string(++number));
    std::ofstream{draft, std::ios::binary} << text;
    return draft;
}

} // namespace

void Directory::write(const std::string& path, std::string_view text) const {
    fs::create_directories((root_ / path).parent_path());
    fs::rename(make_draft(root_ / path, text), root_ / path);
}

bool Directory::overwrite(const std::string& path, std::string_view text) const {
    const fs::path draft = make_draft(root_ / path, text);
    const bool done =
        ::renameat2(AT_FDCWD, draft.c_str(), AT_FDCWD, (root_ / path).c_str(), RENAME_EXCHANGE) ==
        0;
    fs::remove(draft);
    return done;
}

void Directory::append(const std::string& path, std::string_view text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream{root_ / path, std::ios::binary | std::ios::app} << text;
}

std::string Directory::read(const std::string& path) const {
    std::ifstream file{root_ / path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

void Directory::move(const std::string& from, const std::string& to) const {
    fs::create_directories((root_ / to).parent_path());
    fs::rename(root_ / from, root_ / to);
}

std::vector<std::string> Directory::find(const std::string& below, std::string_view part) const {
    std::vector<std::string> paths;
    std::error_code error;
    fs::recursive_directory_iterator entries{root_ / below, error};
    for (; !error && entries != fs::recursive_directory_iterator{}; entries.increment(error)) {
        const std::string path = entries->path().lexically_relative(root_).string();
        const bool hidden = entries->path().filename().string().starts_with('.');
        if (!hidden && entries->is_regular_file(error) && path.find(part) != path.npos)
            paths.push_back(path);
    }
    std::ranges::sort(paths);
    return paths;
}

void Directory::replace(const std::string& path, std::string_view from, std::string_view to) const {
    std::string text = read(path);
    const auto at = text.find(from);
    if (at == text.npos) throw std::logic_error{"not in " + path + ": " + std::string{from}};
    write(path, text.replace(at, from.size(), to));
}

bool eventually(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + 60s;
    while (std::chrono::steady_clock::now() < end) {
        if (holds()) return true;
        std::this_thread::sleep_for(10ms);
    }
    return holds();
}

} // namespace hive::test
