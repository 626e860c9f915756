#include "wire/routing.hpp"
#include "wire/topic.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

using namespace hive::wire;

namespace {

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const std::size_t dot = text.find('.');
        words.push_back(text.substr(0, dot));
        if (dot == text.npos) break;
        text.remove_prefix(dot + 1);
        if (text.empty()) words.emplace_back();
    }
    return words;
}

// The textbook answer: a table of what prefixes of pattern and key match.
bool reference(std::string_view pattern, std::string_view key) {
    const auto p = words_of(pattern);
    const auto k = words_of(key);
    std::vector<std::vector<bool>> fits(p.size() + 1, std::vector<bool>(k.size() + 1, false));
    fits[0][0] = true;
    for (std::size_t i = 1; i <= p.size(); ++i) {
        for (std::size_t j = 0; j <= k.size(); ++j) {
            if (p[i - 1] == "#") {
                fits[i][j] = fits[i - 1][j] || (j > 0 && fits[i][j - 1]);
            } else {
                const bool same = j > 0 && (p[i - 1] == "*" || p[i - 1] == k[j - 1]);
                fits[i][j] = same && fits[i - 1][j - 1];
            }
        }
    }
    return fits[p.size()][k.size()];
}

} // namespace

// The input is a pattern and a key, with a line break between them.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t size_max = 512; // twice what a broker accepts; keeps the table small
    if (size > size_max) return 0;
    const std::string_view text{reinterpret_cast<const char*>(data), size};
    const std::size_t line = text.find('\n');
    const std::string_view pattern = text.substr(0, line);
    const std::string_view key = line == text.npos ? std::string_view{} : text.substr(line + 1);

    assert(topic_matches(pattern, key) == reference(pattern, key));
    assert(topic_matches("#", key));
    for (const std::string_view word : {pattern, key}) {
        const auto parsed = parse_routing_key(word);
        if (parsed) assert(to_text(*parsed) == word);
        if (!parsed) assert(!parsed.error().detail.empty());
    }
    return 0;
}
