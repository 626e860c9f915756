#include "colony/files/intake_acts.hpp"

#include "colony/files/references.hpp"
#include "colony/files/text.hpp"
#include "colony/files/vocabulary.hpp"
#include "colony/stored.hpp"
#include "colony/tasks/steering.hpp"
#include "colony/tasks/working.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::colony::files {
namespace {

using tasks::Bench;
using tasks::Move;
using tasks::Task;

constexpr std::string_view instance = "files";
constexpr std::size_t titles_max = 2000;

tasks::Hold hold_of(const Task& task, const std::string& bee) {
    if (task.lease && task.lease->holder == bee) return {task.lease->token};
    return {};
}

Outcome<Task> claim_by_file(Colony& colony, const Task& task, const std::string& bee) {
    if (colony.may_claim) {
        if (auto ok = colony.may_claim(bee); !ok) return refuse(ok.error());
    }
    return act_as(colony, bee_named(bee), [&](Moment& moment) {
        Bench bench{colony.tasks, colony.gate, moment, colony.zones};
        return tasks::claim(
            bench, task.id, {.instance = std::string{instance}, .lease = colony.lease});
    });
}

Outcome<Task>
report_by_file(Colony& colony, const Task& task, Move move, const Performer& performer) {
    return act_as(colony, bee_named(performer.bee), [&](Moment& moment) -> Outcome<Task> {
        Bench bench{colony.tasks, colony.gate, moment, colony.zones};
        const tasks::Hold hold = hold_of(task, performer.bee);
        const tasks::Report report{.hold = hold, .note = performer.note};
        if (move == Move::progress) return tasks::progress(bench, task.id, report);
        if (move == Move::complete) return tasks::complete(bench, task.id, report);
        if (move == Move::block) return tasks::block(bench, task.id, report);
        if (move == Move::release) return tasks::release(bench, task.id, report);
        const std::string why = performer.note.empty() ? "its file says so" : performer.note;
        return tasks::fail_attempt(bench, task.id, {.hold = hold, .error = why});
    });
}

Outcome<Task> steer_by_file(Colony& colony, const Task& task, Move move) {
    const std::string why = "by its file";
    return act_as(colony, someone(), [&](Moment& moment) -> Outcome<Task> {
        Bench bench{colony.tasks, colony.gate, moment, colony.zones};
        if (move == Move::unblock) return tasks::unblock(bench, task.id, why);
        if (move == Move::cancel) return tasks::cancel(bench, task.id, why);
        if (move == Move::redrive) return tasks::redrive(bench, task.id, why);
        if (move == Move::reopen) return tasks::reopen(bench, task.id, why);
        return tasks::change(bench, task, {.not_before = std::optional<Timestamp>{}});
    });
}

// The one task of those that are called so; of several the one that is for whoever wrote the note.
Outcome<std::optional<Task>>
only_one(Colony& colony, std::string_view name, const std::string& author) {
    std::vector<Task> found;
    const auto add = [&](std::optional<Task> task) {
        if (task && std::ranges::find(found, task->id, &Task::id) == found.end())
            found.push_back(*std::move(task));
    };
    auto direct = colony.tasks.search.find(name);
    if (!direct) return refuse(direct.error());
    if (*direct) return *direct;
    auto rows = colony.files.called(name);
    if (!rows) return refuse(rows.error());
    for (const FileRow& row : *rows) {
        if (row.entity.empty() || row.family != Family::task) continue;
        auto task = colony.tasks.search.find(row.entity);
        if (!task) return refuse(task.error());
        add(*std::move(task));
    }
    if (found.size() > 1) {
        std::erase_if(found, [&](const Task& task) { return task.assigned_to != author; });
    }
    if (found.size() != 1) return std::optional<Task>{};
    return std::optional{std::move(found.front())};
}

Outcome<Link> by_likeness(Colony& colony, const Document& document) {
    if (!colony.titles) {
        auto newest = colony.tasks.search.list({.limit = titles_max});
        if (!newest) return refuse(newest.error());
        colony.titles.emplace();
        for (const Task& task : *newest) colony.titles->push_back({task.id, task.ref, task.title});
    }
    Link best;
    double most = likeness_min;
    for (const auto& [id, ref, title] : *colony.titles) {
        const double alike = likeness(document.title.value, title);
        if (alike < most) continue;
        most = alike;
        best = {id, ref, "similar"};
    }
    return best;
}

// An audit entry has room for both values of a conflict; the file's bytes are kept whole besides.
json::value bounded(const json::value& value) {
    constexpr std::size_t value_max = 24'000;
    const std::string text = value.is_string() ? std::string{value.as_string()} : to_text(value);
    if (text.size() <= value_max) return value;
    return json::value(std::string{clipped(text, value_max)} + " (cut)");
}

} // namespace

Actor someone() {
    return {.id = "files", .role = accounts::Role::human};
}

Actor bee_named(const std::string& id) {
    if (id.empty()) return someone();
    return {.id = id, .role = accounts::Role::bee};
}

Outcome<Task> perform(Colony& colony, const Task& task, Move move, const Performer& performer) {
    const bool lately = colony.moment.now() - performer.at < std::chrono::hours{1};
    if (lately && !performer.bee.empty() && performer.bee != someone().id) {
        auto heard = act_as(colony, bee_named(performer.bee), [&](Moment& moment) {
            bees::Hall hall{colony.bees, moment};
            return bees::heard(hall, performer.bee, fmt::format("file.{}", name_of(move)));
        });
        if (!heard) return refuse(heard.error());
    }
    switch (move) {
    case Move::claim: return claim_by_file(colony, task, performer.bee);
    case Move::progress:
    case Move::complete:
    case Move::fail:
    case Move::block:
    case Move::release: return report_by_file(colony, task, move, performer);
    case Move::ready:
    case Move::unblock:
    case Move::cancel:
    case Move::redrive:
    case Move::reopen: return steer_by_file(colony, task, move);
    case Move::wait:
    case Move::lapse:
    case Move::approve:
    case Move::reject: break; // no file asks for these
    }
    return refuse(illegal_move(task, move));
}

Outcome<Task>
bring_to(Colony& colony, const Task& task, tasks::State wanted, const Performer& performer) {
    const bool to_hold = wanted == tasks::State::claimed || wanted == tasks::State::in_progress;
    if (to_hold && task.lease && task.lease->holder != performer.bee) {
        return refuse(
            Errc::conflict, "not-holder",
            fmt::format("{} is held by {}", task.ref, task.lease->holder));
    }
    const auto moves = moves_to(task, wanted);
    if (!moves) {
        return refuse(
            Errc::conflict, "illegal-move",
            fmt::format(
                "{} is {} and cannot become {}", task.ref, name_of(task.state), name_of(wanted)));
    }
    Outcome<Task> now = task;
    for (const Move move : *moves) {
        now = perform(colony, *now, move, performer);
        if (!now) return now;
    }
    return now;
}

Outcome<void> tell_conflict(Colony& colony, const Task& task, const Conflict& conflict) {
    const auto& lost = conflict.file_won ? conflict.api : conflict.file;
    const std::string text = fmt::format(
        "{} was changed in {} and in the colony at once; {} stays. Lost: {}", conflict.field,
        conflict.path, conflict.file_won ? "the file" : "the colony",
        clipped(lost.is_string() ? std::string{lost.as_string()} : to_text(lost), 4000));
    OpenGate open; // what was lost is told, whatever rules there are
    channels::Desk desk{colony.messages, colony.moment, colony.quota, open};
    auto posted = channels::post(
        desk, {.channel = "task:" + task.ref, .content = text, .tags = {"conflict"}},
        channels::Counting::free);
    if (!posted) {
        posted = channels::post(
            desk, {.channel = "general", .content = task.ref + ": " + text, .tags = {"conflict"}},
            channels::Counting::free);
    }
    if (!posted) return refuse(posted.error());
    json::object told = to_json(conflict);
    json::object details{
        {"file", bounded(conflict.file)}, {"api", bounded(conflict.api)}, {"via", "files"}};
    told.erase("file");
    told.erase("api");
    told["ref"] = task.ref;
    colony.moment.say(
        {.type = "sync.conflict",
         .entity_type = "task",
         .entity_id = task.id,
         .told = std::move(told),
         .details = std::move(details),
         .words = {task.ref}});
    return {};
}

Outcome<Link> link_of(Colony& colony, const Document& document) {
    const std::string& author = document.sender.value;
    const std::string& name = document.task_name.value;
    if (!name.empty()) {
        auto exact = only_one(colony, clipped(name, 200), author);
        if (!exact) return refuse(exact.error());
        if (*exact) return Link{(*exact)->id, (*exact)->ref, "exact"};
        if (const auto id = task_id_in(name); !id.empty()) {
            auto named = only_one(colony, id, author);
            if (!named) return refuse(named.error());
            if (*named) return Link{(*named)->id, (*named)->ref, "named"};
        }
    }
    for (const auto& stem : document.cited) {
        auto cited = only_one(colony, stem, author);
        if (!cited) return refuse(cited.error());
        // More than one is a survey of many.
        if (*cited && document.cited.size() == 1) return Link{(*cited)->id, (*cited)->ref, "cited"};
    }
    if (document.place.family != Family::response) return Link{};
    return by_likeness(colony, document);
}

Outcome<std::string> post_note(Colony& colony, const Document& document, const Link& link) {
    constexpr std::size_t room = 400; // for the words that say it was cut
    std::string content{clipped(document.body, channels::content_max - room)};
    if (content.size() < document.body.size())
        content += fmt::format("\n\n(cut; all of it is in {})", document.path);
    if (trimmed(content).empty()) content = document.title.value;
    json::object metadata{
        {"file", document.path},
        {"title", document.title.value},
        {"writtenAt", format_timestamp(document.time.value)},
        {"link", link.confidence}};
    put(metadata, "kind", document.kind);
    put(metadata, "status", document.state.raw);
    put(metadata, "task", link.task);
    std::string type = lowered(document.kind);
    if (type.empty()) type = document.place.family == Family::response ? "response" : "text";
    channels::NewMessage note{
        .channel = "general",
        .content = std::move(content),
        .type = std::move(type),
        .metadata = std::move(metadata),
        .sender = document.sender.value};
    const std::string bee = document.recipient();
    if (link.sure()) {
        note.channel = "task:" + link.ref;
    } else if (!bee.empty()) {
        note.channel = "bee:" + bee;
    }
    if (!channels::parse_channel(note.channel)) note.channel = "general";
    auto posted = act_as(colony, bee_named(document.sender.value), [&](Moment& moment) {
        channels::Desk desk{colony.messages, moment, colony.quota, colony.gate};
        return channels::post(desk, std::move(note), channels::Counting::free);
    });
    if (!posted) return refuse(posted.error());
    return posted->message.id;
}

FileRow row_of(const Colony& colony, const Incoming& incoming) {
    const Document& document = incoming.document;
    std::string called = task_id_in(document.task_name.value);
    if (document.place.family != Family::task) called.clear();
    return {
        .path = document.path,
        .digest = incoming.digest,
        .size = incoming.bytes.size(),
        .changed = incoming.changed,
        .synced = colony.moment.now(),
        .family = document.place.family,
        .stem = document.place.stem,
        .called = std::move(called),
        .title = document.title.value,
        .sender = document.sender.value,
        .time = document.time.value,
        .kind = document.kind,
        .lines = document.lines.size(),
        .flaws = document.flaws};
}

bool is_note(const Document& document) {
    constexpr std::array<std::string_view, 14> kinds{
        "CLAIM",  "ACK",     "ACKNOWLEDGMENT", "ACKNOWLEDGEMENT", "RESPONSE", "STATUS",  "SYNC",
        "ANSWER", "ANSWERS", "APPROVAL",       "DECISION",        "REPORT",   "HANDOFF", "NOTICE"};
    return std::ranges::find(kinds, document.kind) != kinds.end();
}

} // namespace hive::colony::files
