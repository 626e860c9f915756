#include "colony/files/notes.hpp"

#include "colony/files/place.hpp"
#include "colony/files/text.hpp"
#include "kernel/json.hpp"
#include "kernel/json_layout.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::colony::files {
namespace {

// An id as a part of a file name: no slash, no dot at its start, not too long.
std::string in_name(std::string_view id) {
    std::string out;
    for (const char c : clipped(id, 60)) out += is_word(c) || c == '-' || c == '_' ? c : '-';
    return out.empty() ? std::string{"unknown"} : out;
}

std::string one_line(std::string_view text) {
    std::string out{text};
    for (char& c : out) {
        if (c == '\n' || c == '\r') c = ' ';
    }
    return out;
}

std::string tail_of(const std::string& id) {
    return id.size() > 8 ? id.substr(id.size() - 8) : id;
}

} // namespace

Written response_of(const tasks::Task& task, const Ending& ending, const Zone& zone) {
    const std::string name = fmt::format(
        "{}-{}-{}-RESPONSE-{}-{}-{}.md", stamp(ending.at, zone), in_name(ending.bee),
        in_name(task.created_by), in_name(slug(task.ref, 40)), ending.sequence, ending.word);
    std::string text = fmt::format(
        "---\nhive: response/1\ntask: {}\nsequence: {}\n---\n\n# RESPONSE: {} - {}\n\n",
        to_text(json::value(task.id)), ending.sequence, one_line(task.title), ending.word);
    const auto put = [&](std::string_view key, std::string_view value) {
        text += fmt::format("**{}:** {}\n", key, one_line(value));
    };
    put("From", ending.bee);
    put("To", task.created_by);
    put("Task", task.ref);
    put("Status", tasks::name_of(task.state));
    put("Completed by", ending.bee);
    put("Completion Timestamp", format_timestamp(ending.at));
    text += fmt::format("\n---\n\n## Summary\n\n{}\n", ending.text.empty() ? "-" : ending.text);
    if (!task.result.is_null())
        text += fmt::format("\n## Output\n\n```json\n{}```\n", laid_out(task.result));
    if (!task.error.empty()) text += fmt::format("\n## Error\n\n{}\n", task.error);
    text += "\n## Archival Confirmation\n\n- [x] the task file is in the archive when it is over\n";
    return {fmt::format("{}/{}", responses_directory, name), std::move(text)};
}

Written message_file(const channels::Message& message, const Zone& zone) {
    const bool direct = message.channel.starts_with("bee:");
    const std::string to = direct ? message.channel.substr(4) : std::string{"ALL"};
    const std::string name = fmt::format(
        "{}-{}-{}-{}-{}-{}.md", stamp(message.created, zone), in_name(message.sender), in_name(to),
        in_name(raised(message.type)), in_name(slug(clipped(message.content, 60), 40)),
        tail_of(message.id));
    std::string text = fmt::format(
        "---\nhive: message/1\nmessage: {}\n---\n\n# {} from {}\n\n",
        to_text(json::value(message.id)), raised(message.type), one_line(message.sender));
    text += fmt::format(
        "**From:** {}\n**To:** {}\n**Date:** {}\n**Channel:** {}\n\n---\n\n{}\n",
        one_line(message.sender), to, format_timestamp(message.created), message.channel,
        message.content);
    return {fmt::format("{}/{}", messages_directory, name), std::move(text)};
}

Written heartbeat_of(const bees::Bee& bee, const std::string& task) {
    std::string text = "hive: heartbeat/1\n";
    const auto put = [&](std::string_view key, const std::string& value) {
        if (!value.empty()) text += fmt::format("{}: {}\n", key, to_text(json::value(value)));
    };
    put("agent_id", bee.id);
    put("status",
        bee.status.empty() ? std::string{task.empty() ? "STANDBY" : "WORKING"} : bee.status);
    put("last_heartbeat", format_timestamp(bee.last_seen));
    put("current_focus", task);
    put("message", bee.note);
    return {fmt::format("{}/{}.yaml", heartbeats_directory, in_name(bee.id)), std::move(text)};
}

Written pause_file(const std::string& bee) {
    return {
        fmt::format("{}/{}-PAUSE", controls_directory, in_name(bee)),
        fmt::format("{} is paused; remove this file to let it work again\n", bee)};
}

std::string log_line(const LogFact& fact) {
    json::object line{{"ts", format_timestamp(fact.at)}, {"bee", fact.bee}, {"event", fact.event}};
    if (!fact.task.empty()) line["task"] = fact.task;
    line["msg"] = clipped(fact.text, 2000);
    line["hive_seq"] = fact.sequence;
    return to_text(line) + "\n";
}

std::string log_path(const std::string& bee) {
    return fmt::format("{}/{}-activity.jsonl", logs_directory, in_name(bee));
}

std::string log_event_of(std::string_view action) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 9> events{
        {{"task.claimed", "task_started"},
         {"task.progress", "progress"},
         {"task.completed", "task_completed"},
         {"task.review", "waiting"},
         {"task.failed", "error"},
         {"task.dead", "error"},
         {"task.blocked", "blocked"},
         {"task.released", "waiting"},
         {"task.lapsed", "error"}}};
    for (const auto& [from, to] : events) {
        if (from == action) return std::string{to};
    }
    return {};
}

std::string board_of(std::string_view before, const std::vector<OnBoard>& all, Timestamp now) {
    json::object board;
    const auto parsed = parse_json(repaired(before));
    if (parsed && parsed->is_object()) board = parsed->as_object();
    board["rev"] = format_timestamp(now);
    auto& bots = board["bots"];
    if (!bots.is_object()) bots.emplace_object();
    for (const OnBoard& one : all) {
        auto& entry = bots.as_object()[one.bee.id];
        if (!entry.is_object()) entry.emplace_object();
        json::object& bot = entry.as_object();
        std::string status = one.bee.status;
        if (status.empty()) status = one.task.empty() ? "STANDBY" : "WORKING";
        if (one.bee.paused) status = "PAUSED";
        bot["status"] = status;
        bot["current_task"] = one.task.empty() ? json::value{} : json::value(one.task);
        bot["last_heartbeat"] = format_timestamp(one.bee.last_seen);
        bot["available_for_assignment"] = one.task.empty() && !one.bee.paused;
    }
    return laid_out(board);
}

} // namespace hive::colony::files
