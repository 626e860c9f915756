#include "colony/files/header.hpp"

#include "colony/files/text.hpp"
#include "kernel/json.hpp"
#include "kernel/yaml.hpp"
#include "kernel/yaml_json.hpp"

#include <algorithm>
#include <array>

namespace hive::colony::files {
namespace {

constexpr std::size_t block_lines_max = 60;
constexpr std::size_t front_matter_lines_max = 200;
constexpr std::size_t lines_max = 100; // of headers kept
constexpr std::size_t value_max = 2000;

std::string key_of(std::string_view text) {
    std::string out;
    for (const char c : lowered(plain(text))) {
        const char as = c == '_' || c == '-' || c == '\t' ? ' ' : c;
        if (as == ' ' && (out.empty() || out.back() == ' ')) continue;
        out += as;
    }
    return std::string{trimmed(out)};
}

bool is_key(std::string_view text) {
    const auto words = split(text, " ");
    if (text.empty() || text.size() > 32 || words.empty() || words.size() > 4) return false;
    if (!is_letter(text.front())) return false;
    return std::ranges::all_of(text, [](char c) {
        return is_word(c) || c == ' ' || c == '-' || c == '_' || c == '/' || c == '(' || c == ')';
    });
}

void add(Head& head, HeaderLine line) {
    if (head.lines.size() >= lines_max || line.key.empty()) return;
    line.value = clipped(folded(line.value), value_max);
    head.lines.push_back(std::move(line));
}

// `**Key:** value` and `**Key**: value`, several in a line. Bold inside a value is part of it; bold
// with a colon is the next key.
bool add_bold(Head& head, std::string_view text, std::size_t number) {
    bool any = false;
    while (text.starts_with("**")) {
        const auto close = text.find("**", 2);
        if (close == text.npos) break;
        std::string_view key = trimmed(text.substr(2, close - 2));
        std::string_view rest = text.substr(close + 2);
        if (key.ends_with(':')) {
            key.remove_suffix(1);
        } else if (trimmed(rest).starts_with(':')) {
            rest.remove_prefix(rest.find(':') + 1);
        } else {
            break;
        }
        if (!is_key(trimmed(key))) break;
        std::size_t end = rest.find("**");
        const auto after = end == rest.npos ? rest.npos : rest.find("**", end + 2);
        const bool key_follows =
            after != rest.npos && rest.substr(end + 2, after - end - 2).ends_with(':');
        if (!key_follows) end = rest.size();
        std::string_view value = trimmed(rest.substr(0, end));
        while (value.ends_with('|')) value = trimmed(value.substr(0, value.size() - 1));
        add(head, {key_of(key), plain(value), Carrier::bold, number});
        any = true;
        text = rest.substr(end);
    }
    return any;
}

bool add_table_row(Head& head, std::string_view text, std::size_t number) {
    if (!text.starts_with('|')) return false;
    const auto cells = split(text, "|");
    if (cells.size() == 2 && trimmed(cells[0]).find_first_not_of("-: ") != std::string_view::npos) {
        std::string key = key_of(cells[0]);
        while (key.ends_with(':')) key.pop_back();
        if (is_key(key))
            add(head, {std::move(key), plain(trimmed(cells[1])), Carrier::table, number});
    }
    return true;
}

bool add_plain(Head& head, std::string_view text, std::size_t number) {
    const auto colon = text.find(':');
    if (colon == text.npos || colon + 1 >= text.size() || text[colon + 1] != ' ') return false;
    if (!is_key(text.substr(0, colon))) return false;
    add(head,
        {key_of(text.substr(0, colon)), plain(text.substr(colon + 2)), Carrier::plain, number});
    return true;
}

std::string scalar_text(const json::value& value) {
    if (value.is_string()) return std::string{value.as_string()};
    if (value.is_null()) return {};
    if (!value.is_array()) return to_text(value);
    std::string out;
    for (const auto& item : value.as_array()) {
        if (!out.empty()) out += ", ";
        out += scalar_text(item);
    }
    return out;
}

// How many lines the front matter takes, with both of its rules; 0: there is none.
std::size_t add_front_matter(Head& head, const std::vector<std::string_view>& lines) {
    if (lines.empty() || trimmed(lines[0]) != "---") return 0;
    std::string yaml;
    for (std::size_t i = 1; i < std::min(lines.size(), front_matter_lines_max); ++i) {
        if (trimmed(lines[i]) == "---" || trimmed(lines[i]) == "...") {
            const auto document = parse_yaml("front matter", yaml);
            if (document.root.kind != YamlNode::Kind::mapping) return 0; // a rule, then text
            for (const YamlNode& item : document.root.items) {
                add(head, {key_of(item.key), scalar_text(to_json(item)), Carrier::front_matter,
                           item.key_at.line + 1});
            }
            if (!document.findings.empty()) head.problem = document.findings.front().message;
            head.front_matter = true;
            return i + 1;
        }
        yaml += std::string{lines[i]} + '\n';
    }
    return 0;
}

bool is_rule(std::string_view line) {
    return line.size() >= 3 && line.find_first_not_of("-=*_ ") == line.npos;
}

std::string_view heading_of(std::string_view line) {
    std::size_t level = 0;
    while (level < line.size() && line[level] == '#') ++level;
    if (level == 0 || level > 6 || level >= line.size() || line[level] != ' ') return {};
    return trimmed(line.substr(level));
}

std::string_view without_bullet(std::string_view line) {
    for (const std::string_view bullet : {"- ", "* ", "> "}) {
        if (line.starts_with(bullet)) return trimmed(line.substr(2));
    }
    return line;
}

} // namespace

std::string_view name_of(Carrier carrier) noexcept {
    constexpr std::array<std::string_view, 5> names{
        "front matter", "bold header", "plain header", "table", "JSON"};
    return names.at(static_cast<std::size_t>(carrier));
}

const HeaderLine* Head::find(std::initializer_list<std::string_view> keys) const {
    for (const auto key : keys) {
        for (const HeaderLine& line : lines) {
            if (line.key == key && !line.value.empty()) return &line;
        }
    }
    return nullptr;
}

std::string plain(std::string_view markdown) {
    std::string out;
    for (std::size_t i = 0; i < markdown.size(); ++i) {
        if (markdown[i] == '`') continue;
        if (markdown.substr(i).starts_with("**")) {
            ++i;
            continue;
        }
        out += markdown[i];
    }
    return std::string{trimmed(out)};
}

Head head_of(std::string_view text) {
    Head head;
    const auto lines = lines_of(text);
    const std::size_t begin = add_front_matter(head, lines);
    bool fenced = false;
    bool open = true; // the leading block goes on
    bool headed = false;
    for (std::size_t i = begin; i < lines.size(); ++i) {
        const std::string_view line = trimmed(lines[i]);
        if (line.starts_with("```") || line.starts_with("~~~")) fenced = !fenced;
        if (fenced || line.empty()) continue;
        if (const auto heading = heading_of(line); !heading.empty()) {
            if (head.title.empty()) {
                head.title = folded(plain(heading));
                head.title_line = i + 1;
            } else if (headed) {
                open = false;
            }
            if (!open) break;
            continue;
        }
        if (!open && !head.title.empty()) break;
        if (!open || i - begin > block_lines_max) {
            open = false;
            continue;
        }
        if (is_rule(line)) continue;
        const std::string_view item = without_bullet(line);
        const bool header = add_bold(head, item, i + 1) || add_table_row(head, line, i + 1) ||
                            add_plain(head, line, i + 1);
        headed = headed || header;
        if (!header && headed) open = false;
    }
    return head;
}

std::optional<Head> head_of_json(std::string_view text) {
    const auto parsed = parse_json(text, {.bytes = std::size_t{4} << 20U, .depth = 64});
    if (!parsed || !parsed->is_object()) return std::nullopt;
    Head head;
    for (const auto& [key, value] : parsed->as_object()) {
        // `taskId` and `task_id` are the same key.
        std::string words;
        for (const char c : key) {
            if (c >= 'A' && c <= 'Z' && !words.empty() &&
                !(words.back() >= 'A' && words.back() <= 'Z'))
                words += ' ';
            words += c;
        }
        add(head, {key_of(words), scalar_text(value), Carrier::json, 0});
    }
    if (const auto* title = head.find({"title", "name", "summary"})) head.title = title->value;
    return head;
}

} // namespace hive::colony::files
