#include "colony/files/name.hpp"

#include "colony/files/text.hpp"
#include "colony/files/vocabulary.hpp"

#include <array>

namespace hive::colony::files {
namespace {

void skip_joints(std::string_view& text) {
    while (!text.empty() && (text.front() == '-' || text.front() == '_' || text.front() == ' '))
        text.remove_prefix(1);
}

bool take_joined(std::string_view& text, std::string_view word) {
    if (!lowered(clipped(text, word.size())).starts_with(word)) return false;
    if (text.size() > word.size() && is_word(text[word.size()])) return false;
    text.remove_prefix(word.size());
    skip_joints(text);
    return true;
}

// `unknown` counts as an agent: it stands where one should be.
bool take_agent(std::string_view& text, const Aliases& aliases, std::string& id) {
    const auto match = aliases.at_start(text);
    if (!match) return false;
    id = match->id;
    text.remove_prefix(match->length);
    skip_joints(text);
    return true;
}

std::optional<tasks::State> state_of_ending(std::string_view stem) {
    constexpr std::array<std::string_view, 10> endings{
        "complete", "completed", "failed",    "blocked",  "queued",
        "done",     "ready",     "cancelled", "finished", "status"};
    const auto words = split(stem, "-_ ");
    if (words.empty()) return std::nullopt;
    const std::string last = lowered(words.back());
    for (const auto ending : endings) {
        if (last == ending) return state_in(last);
    }
    return std::nullopt;
}

} // namespace

NameParts parts_of(std::string_view stem, const Aliases& aliases, const Zone& zone) {
    const std::string name = folded(stem);
    NameParts parts;
    std::string_view rest = name;
    if (const auto time = when_at_start(rest, zone)) {
        parts.when = time->when;
        rest.remove_prefix(time->length);
    }
    skip_joints(rest);
    if (take_joined(rest, "completed")) { // `<time>-COMPLETED-<name>`
        parts.state = tasks::State::completed;
        if (const auto time = when_at_start(rest, zone)) {
            parts.when = time->when;
            rest.remove_prefix(time->length);
            skip_joints(rest);
        }
    }
    bool first = take_agent(rest, aliases, parts.from);
    if (auto kind = kind_at_start(rest); kind && !first && kind->word != "TASK") {
        parts.kind = kind->word; // `ASSIGNMENT-BOT-004-...`
        rest.remove_prefix(kind->length);
        skip_joints(rest);
        std::string to;
        if (take_agent(rest, aliases, to)) parts.to = to;
        first = false;
    }
    if (first) {
        take_joined(rest, "to");
        take_agent(rest, aliases, parts.to);
    }
    if (auto kind = kind_at_start(rest); kind && parts.kind.empty()) {
        parts.kind = kind->word;
        // `TASK-002-017` is a name, not a kind and a subject.
        if (task_id_in(rest.substr(0, kind->length + 2)).empty()) {
            rest.remove_prefix(kind->length);
            skip_joints(rest);
        }
    }
    if (rest.size() > 3 && rest[2] == '-' && numbered_priority_in(rest.substr(0, 2))) {
        rest.remove_prefix(3); // `P1-`
    }
    parts.subject = rest;
    parts.priority = numbered_priority_in(name);
    parts.task_id = task_id_in(name);
    if (!parts.state) parts.state = state_of_ending(name);
    return parts;
}

} // namespace hive::colony::files
