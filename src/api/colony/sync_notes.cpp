// What bees that read files want to see besides their tasks.
#include "api/colony/file_sync.hpp"
#include "colony/stored.hpp"
#include "store/bee_tables.hpp"
#include "store/task_tables.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

using namespace std::chrono_literals;
using namespace colony::files;
using colony::text_in;

constexpr Duration there_lately = 1h;
constexpr std::size_t bees_max = 500;

std::string text_if(const json::object& details, std::string_view name) {
    const auto* value = details.if_contains(name);
    return value != nullptr && value->is_string() ? std::string{value->as_string()} : std::string{};
}

std::string word_of(std::string_view action, const json::object& details) {
    if (action == "task.completed") return "complete";
    if (action == "task.dead") return "failed";
    if (action == "task.blocked") return "blocked";
    const auto* last = details.if_contains("final");
    const bool over = last != nullptr && last->is_bool() && last->as_bool();
    return action == "task.failed" && over ? "failed" : "";
}

} // namespace

void FileSync::put_note(const Written& note) {
    if (auto ok = tools_.tree.put(note.path, note.bytes, Tree::Mode::create); !ok) {
        complain(ok.error());
        return;
    }
    remember_written(note, "", 0);
}

void FileSync::note_ending(const audit::Entry& entry, const json::object& details) {
    const std::string word = word_of(entry.action, details);
    if (word.empty()) return;
    const auto target = target_of(std::string{entry.entity_id});
    if (!target || !target->task) return;
    std::string text = text_if(details, "note");
    if (text.empty()) text = text_if(details, "error");
    std::string bee = text_if(details, "bee");
    if (bee.empty()) bee = entry.actor.substr(entry.actor.find(':') + 1);
    put_note(response_of(
        *target->task,
        {.bee = std::move(bee),
         .word = word,
         .text = std::move(text),
         .at = entry.time,
         .sequence = entry.sequence},
        zone_));
}

void FileSync::note_message(const json::object& details) {
    const auto* shown = details.if_contains("message");
    if (shown == nullptr) return;
    const auto message = colony::channels::from_stored(to_text(*shown));
    if (!message) return;
    // What is said about a task stands with the task; the rest has readers of its own.
    if (message->channel != "general" && !message->channel.starts_with("bee:")) return;
    put_note(message_file(*message, zone_));
}

// The last line of ours in a log, so that a life after a crash does not repeat it.
std::uint64_t FileSync::last_sequence_in(const std::string& path) {
    const auto found = logged_.find(path);
    if (found != logged_.end()) return found->second;
    std::uint64_t last = 0;
    if (const auto text = tools_.tree.read(path)) {
        for (const LogLine& line : read_log(*text, zone_)) last = std::max(last, line.sequence);
    }
    return logged_[path] = last;
}

void FileSync::note_log(const audit::Entry& entry, const json::object& details) {
    LogFact fact{
        .at = entry.time,
        .bee = text_if(details, "bee"),
        .event = log_event_of(entry.action),
        .task = text_if(details, "ref"),
        .text = text_if(details, "note"),
        .sequence = entry.sequence};
    if (fact.event.empty() || fact.bee.empty()) return;
    if (fact.text.empty()) fact.text = text_if(details, "error");
    if (fact.text.empty()) fact.text = text_if(details, "title");
    const std::string path = log_path(fact.bee);
    if (last_sequence_in(path) >= fact.sequence) return;
    const bool settled = tools_.tree.look(path).has_value();
    if (auto ok = tools_.tree.append(path, log_line(fact)); !ok) {
        complain(ok.error());
        return;
    }
    logged_[path] = fact.sequence;
    if (!settled || known_.contains(path)) note_held(path);
}

// It has changed by our own hand: nothing to be taken.
void FileSync::note_held(const std::string& path) {
    const auto entry = tools_.tree.look(path);
    if (!entry) return;
    auto& known = known_[path];
    known.size = entry->size;
    known.changed = entry->changed;
}

void FileSync::note_pause(const std::string& bee, bool paused) {
    const Written file = pause_file(bee);
    if (paused) {
        put_note(file);
    } else if (auto ok = tools_.tree.remove(file.path); !ok) {
        complain(ok.error());
    }
}

void FileSync::write_presence() {
    std::vector<OnBoard> all;
    const Timestamp now = tools_.clock.wall();
    const auto looked = read([&](store::Session& session) -> Status {
        all.clear();
        auto bees = store::BeeTable{session, hive_}.list("", bees_max);
        if (!bees) return fail(bees.error());
        const store::TaskTable tasks{session, hive_};
        for (auto& bee : *bees) {
            if (now - bee.last_seen > there_lately) continue;
            auto held = tasks.list({.holder = bee.id, .limit = 1});
            if (!held) return fail(held.error());
            all.push_back({std::move(bee), held->empty() ? std::string{} : held->front().ref});
        }
        return {};
    });
    if (!looked) return complain(looked.error());
    if (all.empty()) return;
    for (const OnBoard& one : all) {
        auto& last = beaten_[one.bee.id];
        if (last == one.bee.last_seen) continue;
        last = one.bee.last_seen;
        const Written file = heartbeat_of(one.bee, one.task);
        if (auto ok = tools_.tree.put(file.path, file.bytes, Tree::Mode::create); !ok)
            return complain(ok.error());
        note_held(file.path);
    }
    const auto before = tools_.tree.read(board_path);
    const std::string board = board_of(before ? *before : std::string{}, all, now);
    if (auto ok = tools_.tree.put(board_path, board, Tree::Mode::create); !ok)
        return complain(ok.error());
    note_held(std::string{board_path});
}

} // namespace hive::rest
