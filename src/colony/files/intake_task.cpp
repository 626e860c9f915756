#include "colony/files/intake_task.hpp"

#include "colony/files/intake_acts.hpp"
#include "colony/files/intake_adopt.hpp"
#include "colony/files/text.hpp"
#include "colony/files/vocabulary.hpp"
#include "colony/tasks/creating.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::colony::files {
namespace {

using tasks::Bench;
using tasks::State;
using tasks::Task;

// Whoever moved or edited the file, as far as it can be known.
std::string performer_of(
    const Colony& colony, const Document& document, const Task& task,
    const std::optional<Place>& from) {
    if (from && from->inbox != document.place.inbox && !document.place.inbox.empty())
        return colony.aliases.resolve(document.place.inbox);
    if (from && !from->inbox.empty()) return colony.aliases.resolve(from->inbox);
    if (!document.ours) {
        if (const auto* by = document.head.find({"completed by", "claimed by"}))
            return colony.aliases.resolve(by->value);
    }
    if (task.lease && task.lease->instance == "files") return task.lease->holder;
    if (!task.assigned_to.empty()) return task.assigned_to;
    return someone().id;
}

// The task of this file and where its file was before.
struct Known {
    Task task;
    std::optional<FileRow> base{};
    bool copy = false;  // the file before is still there
    bool back = false;  // it is there again: what was read here is nowhere by now
    bool stale = false; // its file has moved on, and somebody saved the old one again
};

Outcome<std::optional<Known>> known_by_row(const Colony& colony, const FileRow& row) {
    auto task = colony.tasks.search.find(row.entity);
    if (!task) return refuse(task.error());
    if (!*task) return std::optional<Known>{};
    return std::optional{Known{**std::move(task), row}};
}

bool is_there(const Colony& colony, const FileRow& row) {
    return row.family == Family::task && !row.gone && colony.exists && colony.exists(row.path);
}

// Asked after the file before was found where it was: then this one was moved there.
bool has_gone_back(const Colony& colony, const Incoming& incoming) {
    return !incoming.displaced && !colony.exists(incoming.document.path);
}

bool is_later(const FileRow& row, const FileRow& than) {
    if (row.gone != than.gone) return than.gone;
    return row.synced > than.synced;
}

// A life before this one moved the file and had no time to write that down, and somebody saved the
// old one again: the same name in a directory of ours.
bool is_half_moved(const Document& document, const FileRow& row) {
    const std::string& name = document.place.name;
    return document.task && place_of(row.path).name == name &&
           (document.path == fmt::format("{}/{}", archive_directory, name) ||
            document.path == fmt::format("{}/{}", tasks_directory, name));
}

// Its file was somewhere else: moved when it is no longer there, else a copy.
Outcome<std::optional<Known>>
known_elsewhere(const Colony& colony, const Incoming& incoming, const std::vector<FileRow>& rows) {
    const Document& document = incoming.document;
    const FileRow* last = nullptr; // where it was last
    for (const FileRow& row : rows) {
        if (row.family != Family::task || row.entity.empty() || row.path == document.path) continue;
        if (is_there(colony, row)) {
            const bool back = has_gone_back(colony, incoming);
            const bool same = document.task || row.digest == incoming.digest;
            if (!same && !back) continue; // only called the same
            auto known = known_by_row(colony, row);
            if (!known || !*known) return known;
            (*known)->back = back;
            (*known)->stale = is_half_moved(document, row);
            (*known)->copy = !(*known)->stale;
            return known;
        }
        if (last == nullptr || is_later(row, *last)) last = &row;
    }
    if (last == nullptr) return std::optional<Known>{};
    return known_by_row(colony, *last);
}

// A file at a path where this task's file is, or was.
Outcome<std::optional<Known>> known_here(const Colony& colony, const FileRow& before) {
    if (!before.gone) return known_by_row(colony, before);
    auto rows = colony.files.of_entity(before.entity);
    if (!rows) return refuse(rows.error());
    const FileRow* last = &before; // where it was last, which it has come back from
    for (const FileRow& row : *rows) {
        if (row.family != Family::task || row.path == before.path) continue;
        if (is_there(colony, row)) {
            auto known = known_by_row(colony, before);
            if (known && *known) (*known)->stale = true;
            return known;
        }
        if (is_later(row, *last)) last = &row;
    }
    return known_by_row(colony, *last);
}

Outcome<std::optional<Known>>
find_known(const Colony& colony, const Incoming& incoming, const std::optional<FileRow>& before) {
    const Document& document = incoming.document;
    if (document.task) {
        if (before && before->entity == document.task->id) return known_here(colony, *before);
        auto rows = colony.files.of_entity(document.task->id);
        if (!rows) return refuse(rows.error());
        auto elsewhere = known_elsewhere(colony, incoming, *rows);
        if (!elsewhere || *elsewhere) return elsewhere;
        auto task = colony.tasks.search.find(document.task->id);
        if (!task) return refuse(task.error());
        if (!*task) return std::optional<Known>{};
        return std::optional{Known{**std::move(task)}};
    }
    if (before && !before->entity.empty() && before->family == Family::task) {
        auto known = known_here(colony, *before);
        if (!known || *known) return known;
    }
    std::string stem = document.place.stem;
    constexpr std::string_view closed = "-COMPLETED-";
    if (const auto at = stem.find(closed); at != stem.npos) stem = stem.substr(at + closed.size());
    auto rows = colony.files.called(stem);
    if (!rows) return refuse(rows.error());
    std::erase_if(*rows, [&](const FileRow& row) { return row.stem != stem; });
    return known_elsewhere(colony, incoming, *rows);
}

// As both sides last had it: what the file was then.
Outcome<std::optional<Document>> base_of(const Colony& colony, const std::optional<FileRow>& row) {
    if (!row) return std::optional<Document>{};
    auto bytes = colony.files.bytes(row->digest);
    if (!bytes) return refuse(bytes.error());
    if (!*bytes) return std::optional<Document>{};
    const Lens lens{colony.aliases, colony.zone, row->changed};
    return std::optional{read_document(row->path, **bytes, lens)};
}

class Merging {
public:
    Merging(Colony& colony, const Incoming& incoming, Known known)
        : colony_{colony}, incoming_{incoming}, known_{std::move(known)} {}

    Outcome<Taken> run() {
        auto base = base_of(colony_, known_.base);
        if (!base) return refuse(base.error());
        base_ = *std::move(base);
        if (base_ && !known_.stale) from_ = base_->place;
        taken_ = {.path = document().path, .what = "changed", .entity = known_.task.id};
        if (known_.base && known_.base->path != document().path)
            taken_.what = fmt::format("moved from {}", known_.base->path);
        if (auto ok = merge_fields(); !ok) return refuse(ok.error());
        if (auto ok = merge_state(); !ok) return refuse(ok.error());
        if (auto ok = note_path(); !ok) return refuse(ok.error());
        taken_.rewrite = !taken_.conflicts.empty();
        return std::move(taken_);
    }
    const Task& task() const { return known_.task; }

private:
    const Document& document() const { return incoming_.document; }

    // The base as a task. A file of ours says itself what it was before somebody edited it, also
    // when they began with one that was old by then.
    std::optional<Task> base_task() const {
        if (document().written) {
            Task base = *document().written;
            if (document().description_edited) {
                base.description =
                    base_ ? task_in(*base_, known_.task).description : known_.task.description;
            }
            return base;
        }
        if (document().task && document().task->revision == known_.task.revision)
            return known_.task;
        if (!base_) return std::nullopt;
        return task_in(*base_, known_.task);
    }

    Outcome<void> merge_fields() {
        base_view_ = base_task();
        file_view_ = task_in(document(), base_view_ ? *base_view_ : known_.task);
        const Sides sides{
            base_view_ ? &*base_view_ : nullptr, *file_view_, known_.task, incoming_.changed};
        Merged merged = merge(sides, colony_.policy);
        if (merged.any) {
            auto done = act_as(colony_, someone(), [&](Moment& moment) {
                Bench bench{colony_.tasks, colony_.gate, moment, colony_.zones};
                return tasks::change(bench, known_.task, merged.changes);
            });
            if (!done) {
                if (done.error().code.empty()) return refuse(done.error());
                merged.conflicts.push_back(
                    {"", "fields", json::value(done.error().detail), json::value("unchanged")});
            } else {
                known_.task = *std::move(done);
            }
        }
        for (Conflict& conflict : merged.conflicts) {
            conflict.path = document().path;
            if (auto ok = tell_conflict(colony_, known_.task, conflict); !ok) return ok;
            taken_.conflicts.push_back(std::move(conflict));
        }
        return {};
    }

    std::optional<State> wanted() const {
        const State said = state_by_place(document(), file_view_->state, from_);
        const bool into_inbox = from_ && from_->inbox != document().place.inbox &&
                                !document().place.inbox.empty() && !is_over(said);
        if (into_inbox) return State::claimed;
        State before = base_view_ ? base_view_->state : known_.task.state;
        if (from_ && from_->archived && !is_over(before)) before = State::completed;
        if (said == before) return std::nullopt;
        return said;
    }

    Outcome<void> merge_state() {
        const auto state = wanted();
        if (!state) return {};
        const std::string who = performer_of(colony_, document(), known_.task, from_);
        const bool theirs = !known_.task.lease || known_.task.lease->holder == who;
        if (known_.task.state == *state && theirs) return {};
        auto done = bring_to(colony_, known_.task, *state, {who, "", incoming_.changed});
        if (done) {
            known_.task = *std::move(done);
            taken_.what += fmt::format("; {} now", name_of(known_.task.state));
            return {};
        }
        if (done.error().code.empty()) return refuse(done.error());
        // Part of the way may have been gone.
        auto now = colony_.tasks.search.find(known_.task.id);
        if (!now) return refuse(now.error());
        if (*now) known_.task = **std::move(now);
        Conflict conflict{
            document().path, "state",
            json::object{{"state", name_of(*state)}, {"by", who}, {"refused", done.error().detail}},
            json::value(name_of(known_.task.state))};
        taken_.what += "; refused: " + done.error().detail;
        if (auto ok = tell_conflict(colony_, known_.task, conflict); !ok) return ok;
        taken_.conflicts.push_back(std::move(conflict));
        return {};
    }

    // The file before is not there any more, if it was another one.
    Outcome<void> note_path() {
        if (!known_.base || known_.base->path == document().path || known_.stale) return {};
        FileRow old = *known_.base;
        old.gone = true;
        taken_.left = old.path;
        if (auto ok = colony_.files.put(old); !ok) return refuse(ok.error());
        return {};
    }

    Colony& colony_;
    const Incoming& incoming_;
    Known known_;
    std::optional<Document> base_{};
    std::optional<Place> from_{};
    std::optional<Task> base_view_{};
    std::optional<Task> file_view_{};
    Taken taken_{};
};

Outcome<void> keep(Colony& colony, const Incoming& incoming, FileRow row) {
    if (auto ok = colony.files.keep(incoming.digest, incoming.bytes); !ok)
        return refuse(ok.error());
    if (auto ok = colony.files.put(row); !ok) return refuse(ok.error());
    return {};
}

} // namespace

std::string called_besides(const Task& task) {
    const auto* name = task.metadata.if_contains("taskName");
    return name != nullptr && name->is_string() ? task_id_in(name->as_string()) : std::string{};
}

Task task_in(const Document& document, const Task& otherwise) {
    if (document.task) return *document.task;
    Task task = otherwise;
    task.title = document.title.value;
    task.description = document.body;
    task.state = document.state.value;
    if (document.priority.source != "default") task.priority = document.priority.value;
    if (const auto bee = document.recipient(); !bee.empty()) task.assigned_to = bee;
    return task;
}

Outcome<Taken>
take_task(Colony& colony, const Incoming& incoming, const std::optional<FileRow>& before) {
    const Document& document = incoming.document;
    auto known = find_known(colony, incoming, before);
    if (!known) return refuse(known.error());
    if (*known && (*known)->back)
        return Taken{.path = document.path, .what = "moved back", .left = document.path};
    FileRow row = row_of(colony, incoming);
    if (*known && (*known)->copy) {
        row.flaws.push_back(
            {"copy", fmt::format("a copy of {}, which is still there", (*known)->base->path)});
        Taken taken{.path = document.path, .what = "copy", .flaws = row.flaws};
        if (auto ok = keep(colony, incoming, std::move(row)); !ok) return refuse(ok.error());
        return taken;
    }
    Taken taken{.path = document.path};
    if (*known) {
        row.gone = (*known)->stale;
        Merging merging{colony, incoming, **std::move(known)};
        auto merged = merging.run();
        if (!merged) return merged;
        taken = *std::move(merged);
        taken.discard = row.gone;
        row.revision = document.task ? document.task->revision : 0;
        row.called = called_besides(merging.task());
        row.entity = merging.task().id;
        if (!row.gone) {
            auto placed =
                colony.tasks.records.place(row.entity, document.path, colony.moment.now());
            if (!placed) return refuse(placed.error());
        }
    } else {
        auto made = document.task ? restore(colony, incoming) : adopt(colony, incoming);
        if (!made) return refuse(made.error());
        taken.what = fmt::format("{}, {}", document.task ? "came back" : "new task", made->ref);
        taken.entity = made->id;
        row.entity = made->id;
        row.revision = made->revision;
        row.called = called_besides(*made);
    }
    if (auto ok = keep(colony, incoming, std::move(row)); !ok) return refuse(ok.error());
    return taken;
}

} // namespace hive::colony::files
