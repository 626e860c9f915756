#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// How a value is written.
enum class Carrier : std::uint8_t { front_matter, bold, plain, table, json };
std::string_view name_of(Carrier carrier) noexcept;

struct HeaderLine {
    std::string key; // lower case, words separated by one space
    std::string value;
    Carrier carrier = Carrier::bold;
    std::size_t line = 0; // from 1; 0: of a JSON document

    bool operator==(const HeaderLine&) const = default;
};

// The leading block of a document: what stands before its first paragraph. Later headers belong to
// templates and quoted tasks, so they are not looked at.
struct Head {
    std::vector<HeaderLine> lines{};
    std::string title{}; // the first heading outside fences
    std::size_t title_line = 0;
    std::string problem{}; // why the front matter could not be read
    bool front_matter = false;

    // The first value of the first of these keys that has one.
    const HeaderLine* find(std::initializer_list<std::string_view> keys) const;
};
Head head_of(std::string_view text);

// A JSON document as if its members were a header.
std::optional<Head> head_of_json(std::string_view text);

// Without `**`, backquotes and the link around a word.
std::string plain(std::string_view markdown);

} // namespace hive::colony::files
