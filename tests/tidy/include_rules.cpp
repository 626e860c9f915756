#include "tests/tidy/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

namespace hive::tidy {
namespace {

// A name of a library, and the headers that bring it: the first is what to write.
struct Need {
    std::regex name;
    std::vector<std::string> headers;
};

const std::vector<Need>& needs() {
    static const std::vector<Need> all = [] {
        const auto need = [](const char* name, std::vector<std::string> headers) {
            return Need{std::regex{name, std::regex::optimize}, std::move(headers)};
        };
        return std::vector<Need>{
            need(R"(std::string\b)", {"string"}),
            need(R"(std::string_view\b)", {"string_view", "string"}),
            need(R"(std::vector\b)", {"vector"}),
            need(R"(std::(optional|nullopt)\b)", {"optional"}),
            need(R"(std::(multi)?map\b)", {"map"}),
            need(R"(std::(multi)?set\b)", {"set"}),
            need(R"(std::function\b)", {"functional"}),
            need(R"(std::(unique_ptr|shared_ptr|weak_ptr|make_unique|make_shared)\b)", {"memory"}),
            need(R"(std::(variant|monostate|visit)\b)", {"variant"}),
            need(R"(std::array\b)", {"array"}),
            need(R"(std::span\b)", {"span"}),
            need(R"(std::deque\b)", {"deque"}),
            need(R"(std::atomic\b)", {"atomic"}),
            need(R"(std::(mutex|lock_guard|unique_lock|scoped_lock)\b)", {"mutex"}),
            need(R"(std::condition_variable)", {"condition_variable"}),
            need(R"(std::j?thread\b)", {"thread"}),
            need(R"(std::(future|promise)\b)", {"future"}),
            need(R"(std::chrono::)", {"chrono"}),
            need(R"(std::u?int(8|16|32|64)_t\b)", {"cstdint"}),
            need(R"(std::filesystem)", {"filesystem"}),
            need(R"(std::unordered_(map|set)\b)", {"unordered_map", "unordered_set"}),
            need(R"(\bfmt::)", {"fmt/format.h", "fmt/core.h", "fmt/ranges.h"}),
            need(R"(\bboost::json::)", {"boost/json.hpp", "boost/json/fwd.hpp"}),
            need(R"(\btl::)", {"tl/expected.hpp"})};
    }();
    return all;
}

class Reach {
public:
    explicit Reach(const SourceTree& tree) {
        for (const auto& file : tree.files) files_[file.path] = &file;
    }

    // Every library header that including this file brings in, as far as our own files say.
    std::set<std::string> libraries(const SourceFile& file) const {
        std::set<std::string> found;
        std::set<const SourceFile*> seen;
        std::vector<const SourceFile*> open{&file};
        while (!open.empty()) {
            const SourceFile* next = open.back();
            open.pop_back();
            if (!seen.insert(next).second) continue;
            for (const auto& include : next->includes) {
                if (!include.quoted) {
                    found.insert(include.target);
                } else if (const SourceFile* ours = find(include.target)) {
                    open.push_back(ours);
                }
            }
        }
        return found;
    }

    // The file an include names; null when it is not one of ours.
    const SourceFile* find(const std::string& target) const {
        for (const auto* root : {"src/", ""}) {
            const auto at = files_.find(root + target);
            if (at != files_.end()) return at->second;
        }
        return nullptr;
    }

private:
    std::map<std::string, const SourceFile*> files_;
};

} // namespace

// Precompiled headers hide a missing include from the compiler, so it is looked for in the text.
Violations headers_that_lean_on_others(const SourceTree& tree) {
    const Reach reach{tree};
    Violations found;
    for (const auto& file : tree.files) {
        if (!file.path.ends_with(".hpp")) continue;
        const auto brought = reach.libraries(file);
        for (const auto& need : needs()) {
            const auto has = [&](const std::string& header) { return brought.contains(header); };
            if (std::ranges::any_of(need.headers, has)) continue;
            const auto uses = [&](const std::string& line) {
                return std::regex_search(line.substr(0, line.find("//")), need.name);
            };
            const auto line = std::ranges::find_if(file.lines, uses);
            if (line == file.lines.end()) continue;
            found.push_back(fmt::format(
                "{}:{}: nothing it includes brings <{}>", file.path, line - file.lines.begin() + 1,
                need.headers.front()));
        }
    }
    return found;
}

// What is first in a file has nothing above it to lean on: the compiler checks the header with its
// source.
Violations sources_that_lean_on_others(const SourceTree& tree) {
    const Reach reach{tree};
    Violations found;
    for (const auto& file : tree.files) {
        if (!file.path.ends_with(".cpp")) continue;
        const SourceFile* own = reach.find(file.path.substr(0, file.path.size() - 4) + ".hpp");
        if (own == nullptr) continue;
        if (!file.includes.empty() && reach.find(file.includes.front().target) == own) continue;
        found.push_back(fmt::format("{}:1: its own header is not its first include", file.path));
    }
    return found;
}

} // namespace hive::tidy
