#include "colony/files/vocabulary.hpp"

#include "colony/files/text.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace hive::colony::files {
namespace {

using tasks::State;

constexpr std::array<std::string_view, 12> failed{"✗",      "✘",       "❌",      "🔴",
                                                  "failed", "failure", "fail",    "error",
                                                  "abort",  "crash",   "timeout", "timed out"};
constexpr std::array<std::string_view, 5> blocked{"🚫", "⛔", "🛑", "block", "stuck"};
constexpr std::array<std::string_view, 6> cancelled{"cancel",   "withdraw", "superseded",
                                                    "obsolete", "retract",  "abandon"};
constexpr std::array<std::string_view, 4> done_marks{"✅", "✓", "✔", "☑"};
constexpr std::array<std::string_view, 17> queued{
    "queue", "pending",     "wait",    "⏳",       "⏸",        "todo",
    "to do", "not started", "backlog", "hold",     "standby",  "assigned",
    "draft", "proposed",    "open",    "awaiting", "scheduled"};
constexpr std::array<std::string_view, 16> done{"complete", "done",        "finish",   "closed",
                                                "deliver",  "success",     "resolved", "accepted",
                                                "approved", "implemented", "fixed",    "shipped",
                                                "pass",     "operational", "final",    "🎉"};
constexpr std::array<std::string_view, 7> ready{"ready", "execute",    "immediate", "start now",
                                                "new",   "start here", "available"};
constexpr std::array<std::string_view, 14> progress{
    "progress", "working", "active", "claim", "started", "ongoing", "underway",
    "running",  "wip",     "🔄",     "🟡",    "doing",   "testing", "investigat"};

bool any_in(std::string_view text, std::span<const std::string_view> words) {
    return std::ranges::any_of(
        words, [&](auto word) { return text.find(word) != std::string_view::npos; });
}

// Longer ones first where one begins another.
constexpr std::array<std::string_view, 46> kinds{
    "HUMAN-INTERJECT",
    "ACKNOWLEDGMENT",
    "ACKNOWLEDGEMENT",
    "SESSION-END",
    "INSTRUCTIONS",
    "CLARIFICATION",
    "CONFIRMATION",
    "INTRODUCTION",
    "RETRACTION",
    "ESCALATION",
    "DELEGATION",
    "ASSIGNMENT",
    "CORRECTION",
    "ONBOARDING",
    "COMPLETION",
    "DIRECTIVE",
    "INTERRUPT",
    "FOLLOW-UP",
    "FOLLOWUP",
    "APPROVAL",
    "BRIEFING",
    "DECISION",
    "PROPOSAL",
    "PROTOCOL",
    "QUESTION",
    "REMINDER",
    "RESPONSE",
    "ANSWERS",
    "HANDOFF",
    "REQUEST",
    "ANSWER",
    "NOTIFY",
    "NOTICE",
    "REPORT",
    "STATUS",
    "UPDATE",
    "URGENT",
    "ALERT",
    "CLAIM",
    "QUERY",
    "ACK",
    "INFO",
    "SPEC",
    "SYNC",
    "TASK",
    "PLAN"};

} // namespace

std::optional<State> state_in(std::string_view text) {
    const std::string low = lowered(trimmed(clipped(text, 300)));
    if (low.empty()) return std::nullopt;
    if (const auto exact = tasks::parse_state(low)) return *exact;
    const bool waits = any_in(low, queued);
    if (any_in(low, failed)) return State::failed;
    if (any_in(low, blocked) && low.find("unblock") == low.npos) return State::blocked;
    if (any_in(low, cancelled)) return State::cancelled;
    if (any_in(low, done_marks) && !waits) return State::completed;
    if (low.find("in progress") != low.npos || low.find("in_progress") != low.npos)
        return State::in_progress;
    if (waits) return State::pending;
    if (any_in(low, done)) return State::completed;
    if (any_in(low, ready)) return State::pending;
    if (any_in(low, progress)) return State::in_progress;
    return std::nullopt;
}

std::optional<int> numbered_priority_in(std::string_view text) {
    const std::string up = raised(clipped(text, 300));
    for (std::size_t i = 0; i + 1 < up.size(); ++i) {
        const bool begins = i == 0 || !is_word(up[i - 1]);
        const bool ends = i + 2 >= up.size() || !is_word(up[i + 2]);
        if (begins && ends && up[i] == 'P' && up[i + 1] >= '0' && up[i + 1] <= '4')
            return up[i + 1] - '0';
    }
    return std::nullopt;
}

std::optional<int> priority_in(std::string_view text) {
    if (const auto by_number = numbered_priority_in(text)) return by_number;
    const std::string up = raised(folded(clipped(text, 300)));
    const auto says = [&](std::span<const std::string_view> words) { return any_in(up, words); };
    constexpr std::array<std::string_view, 7> first{"EMERGENCY", "CRITICAL", "URGENT", "IMMEDIATE",
                                                    "BLOCKING",  "ASAP",     "HIGHEST"};
    constexpr std::array<std::string_view, 2> high{"HIGH", "IMPORTANT"};
    constexpr std::array<std::string_view, 4> usual{"MEDIUM", "NORMAL", "STANDARD", "MODERATE"};
    constexpr std::array<std::string_view, 3> low{"LOW", "MINOR", "WHENEVER"};
    if (says(first)) return 0;
    if (says(high)) return 1;
    if (says(usual)) return 2;
    if (says(low)) return 3;
    if (up.size() == 1 && up[0] >= '0' && up[0] <= '4') return up[0] - '0';
    return std::nullopt;
}

std::optional<Kind> kind_at_start(std::string_view text) {
    const std::string up = raised(clipped(text, 40));
    for (const auto word : kinds) {
        if (!up.starts_with(word)) continue;
        if (up.size() > word.size() && is_word(up[word.size()])) continue;
        return Kind{std::string{word}, word.size()};
    }
    return std::nullopt;
}

std::string task_id_in(std::string_view text) {
    const std::string up = raised(clipped(text, 1000));
    for (std::size_t i = 0; i < up.size(); ++i) {
        if (i > 0 && is_word(up[i - 1])) continue;
        std::size_t at = i;
        for (const std::string_view word : {"TASK-", "BACKLOG-", "BUG-", "FEATURE-"}) {
            if (std::string_view{up}.substr(i).starts_with(word)) at = i + word.size();
        }
        if (at == i) continue;
        std::size_t end = at;
        while (end < up.size() && (is_digit(up[end]) || (up[end] == '-' && end + 1 < up.size() &&
                                                         is_digit(up[end + 1]) && end > at)))
            ++end;
        // `TASK-5-QUEUED` ends before the hyphen; `TASK-ABC` is a title.
        if (end > at && (end == up.size() || !is_word(up[end]))) return up.substr(i, end - i);
    }
    return {};
}

} // namespace hive::colony::files
