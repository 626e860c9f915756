#include "colony/files/references.hpp"

#include "colony/files/text.hpp"
#include "colony/files/vocabulary.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>

namespace hive::colony::files {
namespace {

constexpr std::size_t cited_max = 20;

std::set<std::string> words_in(std::string_view text) {
    constexpr std::array<std::string_view, 14> empty{"the", "a",    "and",  "of",       "for",
                                                     "to",  "with", "task", "response", "complete",
                                                     "bot", "in",   "on",   "report"};
    std::set<std::string> words;
    std::string word;
    for (const char c : lowered(clipped(text, 400)) + " ") {
        if (is_word(c)) {
            word += c;
            continue;
        }
        if (word.size() > 1 && !all_digits(word) && std::ranges::find(empty, word) == empty.end())
            words.insert(word);
        word.clear();
    }
    return words;
}

} // namespace

std::string without_parentheses(std::string_view text) {
    std::string out;
    int depth = 0;
    for (const char c : text) {
        if (c == '(') ++depth;
        if (depth == 0) out += c;
        if (c == ')' && depth > 0) --depth;
    }
    return out;
}

Words dependencies_in(std::string_view text) {
    Words found;
    std::string prefix; // of the last one, up to its last number
    const std::string listed = without_parentheses(folded(clipped(text, 2000)));
    for (const auto part : split(listed, ",;&+")) {
        const std::string_view item = trimmed(part);
        std::string id = task_id_in(item);
        if (id.empty() && !prefix.empty() && all_digits(item) && item.size() <= 4)
            id = prefix + std::string{item};
        if (id.empty()) continue;
        prefix = id.substr(0, id.rfind('-') + 1);
        if (!has(found, id)) found.push_back(std::move(id));
        if (found.size() == 100) break;
    }
    return found;
}

Words cited_tasks(std::string_view text) {
    constexpr std::string_view directory = "tasks/";
    Words found;
    for (auto at = text.find(directory); at != text.npos; at = text.find(directory, at + 1)) {
        std::size_t end = at;
        while (end < text.size() && (is_word(text[end]) || text[end] == '-' || text[end] == '_' ||
                                     text[end] == '.' || text[end] == '/'))
            ++end;
        const std::string_view path = text.substr(at, end - at);
        const auto extension = path.rfind(".md");
        if (extension == path.npos) continue;
        const auto slash = path.rfind('/', extension);
        std::string stem{path.substr(slash + 1, extension - slash - 1)};
        if (!stem.empty() && !has(found, stem)) found.push_back(std::move(stem));
        if (found.size() == cited_max) break;
    }
    return found;
}

double likeness(std::string_view a, std::string_view b) {
    const auto left = words_in(a);
    const auto right = words_in(b);
    std::size_t shared = 0;
    for (const auto& word : left) shared += right.count(word);
    const std::size_t all = left.size() + right.size() - shared;
    return all == 0 ? 0.0 : static_cast<double>(shared) / static_cast<double>(all);
}

} // namespace hive::colony::files
