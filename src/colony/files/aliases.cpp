#include "colony/files/aliases.hpp"

#include "colony/files/references.hpp"
#include "colony/files/text.hpp"
#include "kernel/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::colony::files {
namespace {

constexpr std::size_t id_max = 63;

bool ends_token(std::string_view text, std::size_t at) {
    return at >= text.size() || !is_word(text[at]);
}

// `_` and spaces are as good as '-' within a token.
std::string spelled(std::string_view text) {
    std::string out = lowered(text);
    std::ranges::replace(out, '_', '-');
    std::ranges::replace(out, ' ', '-');
    return out;
}

// Words that stand for someone without a number. Longer ones first.
struct Named {
    std::string_view word;
    std::string_view id;
};
constexpr std::array named{
    Named{"all-agents", everyone},
    Named{"all-bots", everyone},
    Named{"all-bees", everyone},
    Named{"left-brain", "LEFT-BRAIN"},
    Named{"right-brain", "RIGHT-BRAIN"},
    Named{"human-dave", "HUMAN-DAVE"},
    Named{"bot-test-cli", "BOT-TEST-CLI"},
    Named{"unassigned", ""},
    Named{"unknown", ""},
    Named{"everyone", everyone},
    Named{"queen", "Q33N"},
    Named{"codex", "CODEX"},
    Named{"human", "HUMAN"},
    Named{"gpt-5", "GPT-5"},
    Named{"none", ""},
    Named{"user", "USER"},
    Named{"dave", "HUMAN-DAVE"},
    Named{"q33n", "Q33N"},
    Named{"all", everyone},
    Named{"any", ""},
    Named{"n/a", ""},
    Named{"tbd", ""},
};

// A kind of agent that is numbered. Only `bee` keeps its own name: it is how the colony names bees.
constexpr std::array<std::string_view, 7> kinds{"claude-code", "bot-cli", "claude", "agent",
                                                "drone",       "bee",     "bot"};

// `BOT-B1`: a letter before the number makes it another one.
std::optional<Aliases::Match>
lettered_at(std::string_view low, std::string_view kind, std::size_t at) {
    if (at + 1 >= low.size() || !is_letter(low[at]) || low[at - 1] != '-') return std::nullopt;
    std::size_t end = at + 1;
    while (end < low.size() && is_digit(low[end])) ++end;
    if (end == at + 1 || !ends_token(low, end)) return std::nullopt;
    return Aliases::Match{
        fmt::format("{}-{}", raised(kind), raised(low.substr(at, end - at))), end};
}

std::optional<Aliases::Match> numbered(std::string_view text, const std::string& queen) {
    const std::string low = spelled(clipped(text, 40));
    for (const auto kind : kinds) {
        if (!low.starts_with(kind)) continue;
        std::size_t at = kind.size();
        if (at < low.size() && low[at] == '-') ++at;
        if (auto lettered = lettered_at(low, kind, at)) return lettered;
        std::size_t end = at;
        while (end < low.size() && is_digit(low[end])) ++end;
        const auto value = number(std::string_view{low}.substr(at, end - at));
        if (!value) continue;
        std::string suffix;
        if (end < low.size() && is_letter(low[end]) && ends_token(low, end + 1)) {
            suffix = raised(low.substr(end, 1));
            ++end;
        }
        if (!ends_token(low, end)) continue;
        if (*value == 0 && suffix.empty()) return Aliases::Match{queen, end};
        const bool own_name = kind == "bee" || kind == "bot-cli" || !suffix.empty();
        return Aliases::Match{
            fmt::format("{}-{:03}{}", own_name ? raised(kind) : "BOT", *value, suffix), end};
    }
    return std::nullopt;
}

std::optional<Aliases::Match> worded(std::string_view text, const std::string& queen) {
    const std::string low = spelled(clipped(text, 40));
    for (const Named& one : named) {
        if (!low.starts_with(one.word) || !ends_token(low, one.word.size())) continue;
        return Aliases::Match{one.id == "Q33N" ? queen : std::string{one.id}, one.word.size()};
    }
    return std::nullopt;
}

// `003`: three digits alone, as old names have them.
std::optional<Aliases::Match> bare_number(std::string_view text, const std::string& queen) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) ++end;
    if ((end != 3 && end != 5) || !ends_token(text, end)) return std::nullopt;
    const int value = *number(text.substr(0, end));
    return Aliases::Match{value == 0 ? queen : fmt::format("BOT-{:03}", value), end};
}

std::optional<Aliases::Match> longest_in(
    const std::map<std::string, std::string, std::less<>>& spellings, std::string_view text) {
    std::optional<Aliases::Match> best;
    const std::string low = spelled(clipped(text, 200));
    for (const auto& [spelling, id] : spellings) {
        if (best && best->length >= spelling.size()) continue;
        if (low.starts_with(spelling) && ends_token(low, spelling.size()))
            best = Aliases::Match{id, spelling.size()};
    }
    return best;
}

// A name nobody has told us of: its first word, if it can be an id.
std::string unlisted(std::string_view value) {
    std::string id;
    for (const char c : value) {
        if (is_word(c) || c == '-' || c == '_' || c == '.') {
            id += c;
        } else {
            break;
        }
        if (id.size() > id_max) return {};
    }
    while (!id.empty() && !is_word(id.back())) id.pop_back();
    return !id.empty() && is_word(id.front()) ? id : std::string{};
}

} // namespace

Result<Aliases> Aliases::parse(std::string_view yaml) {
    const auto document = parse_yaml("aliases.yaml", yaml);
    if (!document.findings.empty()) {
        return fail(
            Errc::invalid, fmt::format(
                               "line {}: {}", document.findings.front().at.line,
                               document.findings.front().message));
    }
    Aliases aliases;
    for (const YamlNode& item : document.root.items) {
        if (item.key == "queen") {
            aliases.queen_ = item.text;
            continue;
        }
        aliases.table_[spelled(item.key)] = item.key;
        if (item.kind == YamlNode::Kind::scalar) aliases.table_[spelled(item.text)] = item.key;
        for (const YamlNode& alias : item.items) aliases.table_[spelled(alias.text)] = item.key;
    }
    return aliases;
}

void Aliases::know(const std::string& id) {
    // An id such as `hive` would be found in every other file name.
    if (id.size() >= 3) known_.emplace(spelled(id), id);
}

std::optional<Aliases::Match> Aliases::listed(std::string_view text) const {
    if (auto match = longest_in(table_, text)) return match;
    if (auto match = longest_in(known_, text)) return match;
    if (auto match = numbered(text, queen_)) return match;
    return worded(text, queen_);
}

std::optional<Aliases::Match> Aliases::at_start(std::string_view text) const {
    if (auto match = listed(text)) return match;
    return bare_number(text, queen_);
}

std::optional<Aliases::Match> Aliases::anywhere(std::string_view text) const {
    text = clipped(text, 400);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && is_word(text[i - 1])) continue;
        auto match = listed(text.substr(i));
        // Words such as `all` or `human` say nothing inside a sentence.
        if (match && !match->id.empty() && match->id != everyone && match->length > 3) return match;
    }
    return std::nullopt;
}

std::string Aliases::resolve(std::string_view value) const {
    const std::string text = folded(value);
    std::string_view rest = text;
    while (!rest.empty() && !is_word(rest.front())) rest.remove_prefix(1);
    if (rest.empty()) return {};
    if (auto match = at_start(rest)) return match->id;
    if (auto match = anywhere(rest)) return match->id;
    return unlisted(rest);
}

Words Aliases::resolve_all(std::string_view value) const {
    std::string text = without_parentheses(folded(value));
    for (const std::string_view word : {" and ", " & ", " + ", " / "}) {
        for (auto at = text.find(word); at != text.npos; at = text.find(word))
            text.replace(at, word.size(), ",");
    }
    Words all;
    const auto parts = split(text, ",;");
    for (const auto part : parts) {
        auto id = resolve(part);
        // Of several, one that is no agent is a remark: `BOT-004 - QA & Testing`.
        if (parts.size() > 1 && !at_start(trimmed(part)) && !anywhere(part)) continue;
        if (!id.empty() && !has(all, id)) all.push_back(std::move(id));
        if (all.size() == 50) break;
    }
    return all;
}

} // namespace hive::colony::files
