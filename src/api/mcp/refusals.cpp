#include "api/mcp/refusals.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace hive::mcp {
namespace {

struct Advice {
    std::string_view code;
    std::string_view next;
};

constexpr std::array<Advice, 15> advices{{
    {"stale-lease", "You no longer hold this task: stop working on it and claim the next one."},
    {"not-holder", "Somebody else holds this task: leave it and claim another one."},
    {"lease-token-needed", "Pass the token that `claim` gave you for this task."},
    {"no-such-task", "Look at the refs that `ready` lists."},
    {"assigned-to-another", "Claim without naming a task to get one that is for you."},
    {"bee-paused", "Stop, and wait until a person lets you go on."},
    {"changed-meanwhile", "Somebody was faster: try once more."},
    {"illegal-move", "Do one of the moves that are allowed now, or claim another task."},
    {"quota-too-fast", "Wait as long as it says, then send fewer messages."},
    {"quota-over-day", "You can send nothing more today: go on with your task."},
    {"quota-cooling", "Send nothing until then: go on with your task."},
    {"ack-from-whom", "Say in `from` who has to answer, or leave `within` out."},
    {"no-such-message", "Take the id from `inbox`."},
    {"invalid", "Correct the arguments and call again."},
    {"unsound-body", "Correct the arguments and call again."},
}};

std::string_view text_at(const json::object& in, std::string_view name) {
    const auto* value = in.if_contains(name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()}
                                                  : std::string_view{};
}

std::string_view next_after(unsigned status, std::string_view code) {
    for (const Advice& advice : advices) {
        if (advice.code == code) return advice.next;
    }
    switch (status) {
    case 400: return "Correct the arguments and call again.";
    case 401: return "The key is not valid: ask a person for another one.";
    case 403: return "This key may not do that: ask a person, do not try again.";
    case 404: return "Look for what there is first.";
    case 409: return "Look at how it is now before you try something else.";
    case 429: return "Wait before you call again.";
    default: return "Try again in a moment; if it stays so, tell a person.";
    }
}

// `: /percent: must be at most 100`
std::string places_of(const json::object& problem) {
    std::string places;
    const auto* errors = problem.if_contains("errors");
    if (errors == nullptr || !errors->is_array()) return places;
    for (const auto& item : errors->get_array()) {
        if (!item.is_object()) continue;
        const json::object& one = item.get_object();
        places += fmt::format(
            "{}{} {}", places.empty() ? " " : "; ", text_at(one, "pointer"),
            text_at(one, "detail"));
    }
    return places;
}

} // namespace

std::string trouble_of(const RestAnswer& answer) {
    if (!answer.body.is_object()) {
        const std::string why =
            answer.body.is_string() ? std::string{answer.body.get_string()} : "no answer";
        return fmt::format("The hive did not answer: {}. {}", why, next_after(answer.status, ""));
    }
    const json::object& problem = answer.body.get_object();
    const std::string_view code = text_at(problem, "code");
    std::string said = fmt::format("{}{}.", text_at(problem, "detail"), places_of(problem));
    for (const auto* name : {"allowed", "retryAfter"}) {
        if (const auto* value = problem.if_contains(name)) {
            said += fmt::format(" {}: {}.", name, to_text(*value));
        }
    }
    return fmt::format("{} {} ({})", said, next_after(answer.status, code), code);
}

} // namespace hive::mcp
