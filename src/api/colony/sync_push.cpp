// What happened in the colony, written into files.
#include "api/colony/file_sync.hpp"
#include "colony/files/intake_adopt.hpp"
#include "colony/files/intake_task.hpp"
#include "store/audit_ledger.hpp"
#include "store/file_tables.hpp"
#include "store/settings.hpp"
#include "store/task_tables.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

using namespace std::chrono_literals;
using namespace colony::files;

constexpr std::size_t entries_at_once = 500;
constexpr std::size_t tasks_at_once = 500;
constexpr std::size_t written_at_once = 50;
constexpr int tries_max = 3; // of a file that somebody writes at the same time
constexpr Duration presence_every = 2s;

bool is_copy(const FileRow& row) {
    return std::ranges::any_of(row.flaws, [](const Flaw& flaw) { return flaw.code == "copy"; });
}

} // namespace

// A hive that has had no files yet: its open tasks get theirs.
Status FileSync::begin_following() {
    const auto begun = read([&](store::Session& session) -> Status {
        dirty_tasks_.clear();
        std::unordered_map<std::string, std::uint64_t> in_step; // revisions by task
        const store::FileTable files{session, hive_};
        for (std::string after;;) {
            auto rows = files.list(after, tasks_at_once);
            if (!rows) return fail(rows.error());
            if (rows->empty()) break;
            after = rows->back().path;
            for (const FileRow& row : *rows) {
                if (row.family != Family::task) continue;
                auto& revision = in_step[row.entity]; // one that has gone is not made again
                revision = std::max(revision, row.revision);
            }
        }
        const store::TaskTable tasks{session, hive_};
        for (std::string after;;) {
            auto some = tasks.list({.after = after, .limit = tasks_at_once});
            if (!some) return fail(some.error());
            if (some->empty()) return {};
            after = some->back().id;
            for (const auto& task : *some) {
                const auto known = in_step.find(task.id);
                const bool same = known != in_step.end() && known->second == task.revision;
                if (!same && !is_over(task.state)) dirty_tasks_.insert(task.id);
            }
        }
    });
    if (!begun) return begun;
    presence_due_ = true;
    first_life_ = false;
    keep_cursor_ = true; // once they are written
    return {};
}

Status FileSync::follow_audit() {
    std::vector<audit::Entry> entries;
    const auto looked = read([&](store::Session& session) -> Status {
        auto some = store::AuditLedger{session, hive_}.read(cursor_ + 1, entries_at_once);
        if (!some) return fail(some.error());
        entries = *std::move(some);
        return {};
    });
    if (!looked) return looked;
    std::set<std::string> tasks;
    tasks.swap(dirty_tasks_);
    for (const audit::Entry& entry : entries) hear(entry, tasks);
    if (!entries.empty()) cursor_ = entries.back().sequence;
    SyncPass pass{.direction = "push"};
    // A part at a time: files that change meanwhile do not wait for all of them.
    const auto part = std::next(
        tasks.begin(), static_cast<std::ptrdiff_t>(std::min(tasks.size(), written_at_once)));
    dirty_tasks_.insert(part, tasks.end());
    for (auto task = tasks.begin(); task != part; ++task) {
        if (auto ok = push_task(*task, pass); !ok) {
            dirty_tasks_.insert(*task);
            complain(ok.error());
        }
    }
    if (presence_due_ && tools_.clock.now() >= next_presence_) {
        write_presence();
        presence_due_ = false;
        next_presence_ = tools_.clock.now() + presence_every;
    }
    const bool far = entries.size() == entries_at_once;
    // The cursor moves only when nothing that was heard is left: a crash would forget it.
    const bool cursor_due = (keep_cursor_ || far) && dirty_tasks_.empty();
    if (written_.empty() && vacated_.empty() && !cursor_due) return {};
    return record_written(pass);
}

void FileSync::hear(const audit::Entry& entry, std::set<std::string>& tasks) {
    const bool of_task = entry.action.starts_with("task.");
    if (of_task || entry.action.starts_with("bee.")) presence_due_ = true;
    json::object details;
    if (!entry.erased()) {
        auto parsed = parse_json(entry.disclosure->details);
        if (parsed && parsed->is_object()) details = std::move(parsed->as_object());
    }
    if (of_task && !details.contains(in_step)) tasks.insert(entry.entity_id);
    if (details.empty() || details.contains("via")) return; // its bee wrote files itself
    if (of_task) {
        note_log(entry, details);
        note_ending(entry, details);
    }
    if (entry.action == "message.new") note_message(details);
    if (entry.action == "bee.paused") note_pause(entry.entity_id, true);
    if (entry.action == "bee.resumed") note_pause(entry.entity_id, false);
}

Result<FileSync::Target> FileSync::target_of(const std::string& id) const {
    Target target;
    const auto found = read([&](store::Session& session) -> Status {
        target = {};
        const store::TaskTable tasks{session, hive_};
        auto task = tasks.find(id);
        if (!task) return fail(task.error());
        target.task = *std::move(task);
        if (!target.task) return {};
        auto rows = store::FileTable{session, hive_}.of_entity(id);
        if (!rows) return fail(rows.error());
        // The one that is there, else where it was last.
        for (FileRow& row : *rows) {
            if (row.family != Family::task || is_copy(row)) continue;
            const bool better = !target.row || (target.row->gone && !row.gone) ||
                                (target.row->gone && row.synced > target.row->synced);
            if (better) target.row = std::move(row);
        }
        for (const auto& other : target.task->depends_on) {
            auto on = tasks.find(other);
            if (!on) return fail(on.error());
            if (*on) target.refs[other] = (*on)->ref;
        }
        return {};
    });
    if (!found) return fail(found.error());
    return target;
}

Status FileSync::push_task(const std::string& id, SyncPass& pass) {
    auto target = target_of(id);
    if (!target) return fail(target.error());
    if (!target->task) return {};
    ++pass.looked_at;
    std::optional<Document> file;
    if (target->row) {
        const std::string& path = target->row->path;
        auto bytes = tools_.tree.read(path);
        if (bytes && digest_of(*bytes) != target->row->digest) {
            waiting_.insert(path); // somebody has changed it: that is taken first
            dirty_tasks_.insert(id);
            return {};
        }
        const bool gone = !bytes && bytes.error().code == Errc::not_found;
        // Perhaps it is one of those that have not settled, or was moved just now: written here
        // again there would be two, of which the other looks like a new task.
        if (gone && (!waiting_.empty() || !target->row->gone || just_gone_.contains(path))) {
            waiting_.insert(path);
            dirty_tasks_.insert(id);
            return {};
        }
        // One that is gone is written again where it was.
        if (bytes) file = read_document(path, *bytes, {aliases_, zone_, target->row->changed});
        if (!bytes && !gone) return fail(bytes.error());
    }
    const Desk desk{aliases_, zone_, target->refs};
    auto wanted = outgo_of(*target->task, file, desk);
    if (!wanted) return {};
    if (!file && target->row) wanted->path = path_for(*target->task, target->row->path, desk);
    if (!file) target->row.reset();
    return write_file(*std::move(target), *std::move(wanted), pass);
}

// Somebody has just moved the file that was to be written: where to is taken first.
Status FileSync::look_again(const Target& target, SyncPass& pass) {
    pass.changes.pop_back();
    if (target.row) waiting_.insert(target.row->path);
    dirty_tasks_.insert(target.task->id);
    return {};
}

Status FileSync::write_file(Target target, Written file, SyncPass& pass) {
    const std::string id = target.task->id;
    pass.changes.push_back({.path = file.path, .what = "written", .entity = id});
    if (pass.dry) return {};
    if (target.row && target.row->path != file.path) {
        auto moved = tools_.tree.move(target.row->path, file.path);
        if (!moved && moved.error().code == Errc::conflict) {
            const Place place = place_of(file.path);
            file.path = file.path.substr(0, file.path.size() - place.name.size()) + place.stem +
                        "-" + id.substr(id.size() - 8) + place.extension;
            moved = tools_.tree.move(target.row->path, file.path);
        }
        if (!moved && moved.error().code == Errc::not_found) return look_again(target, pass);
        if (!moved) return moved;
        pass.changes.back().path = file.path;
        pass.changes.back().what = "moved from " + target.row->path;
        vacated_.push_back(target.row->path);
        known_.erase(target.row->path);
    }
    for (int tries = 0; tries < tries_max; ++tries) {
        auto before = tools_.tree.put(
            file.path, file.bytes, target.row ? Tree::Mode::replace : Tree::Mode::create);
        if (!before && before.error().code == Errc::not_found) return look_again(target, pass);
        if (!before) return fail(before.error());
        remember_written(file, id, target.task->revision);
        written_.back().first.called = called_besides(*target.task);
        const bool known = !*before || (target.row && digest_of(**before) == target.row->digest) ||
                           **before == file.bytes;
        if (known) return {};
        // Somebody wrote between our look and now: theirs is merged, and the outcome written.
        if (auto ok = merge_theirs(file, id, **std::move(before), pass); !ok) return ok;
        auto now = target_of(id);
        if (!now) return fail(now.error());
        target = *std::move(now);
        file.bytes = write_task(without_place(*target.task), target.refs);
    }
    dirty_tasks_.insert(id);
    return {};
}

Status FileSync::merge_theirs(
    const Written& ours, const std::string& task, std::string theirs, SyncPass& pass) {
    Incoming incoming = incoming_of(ours.path, std::move(theirs), tools_.clock.wall());
    incoming.displaced = true;
    SyncPass taken{.direction = "pull"};
    const auto done = change([&](Unit& unit) -> Status {
        taken.changes.clear();
        if (auto ok = take_all(unit, {&incoming, 1}, {}, taken); !ok) return ok;
        say_pass(unit, taken, 0);
        // What lies there is ours: that is what the next change is compared with.
        store::FileTable files{unit.session(), hive_};
        auto row = files.find(ours.path);
        if (!row) return fail(row.error());
        if (!*row) return {};
        (*row)->digest = digest_of(ours.bytes);
        (*row)->entity = task;
        if (auto ok = files.keep((*row)->digest, ours.bytes); !ok) return ok;
        return files.put(**row);
    });
    if (!done) return done;
    pass.changes.insert(pass.changes.end(), taken.changes.begin(), taken.changes.end());
    const std::lock_guard lock{mutex_};
    conflicts_ += taken.conflicts();
    return {};
}

void FileSync::remember_written(
    const Written& file, const std::string& task, std::uint64_t revision) {
    const auto entry = tools_.tree.look(file.path);
    const Timestamp changed = entry ? entry->changed : tools_.clock.wall();
    const Document document = read_document(file.path, file.bytes, {aliases_, zone_, changed});
    FileRow row{
        .path = file.path,
        .digest = digest_of(file.bytes),
        .size = file.bytes.size(),
        .changed = changed,
        .synced = tools_.clock.wall(),
        .family = document.place.family,
        .entity = task,
        .revision = revision,
        .stem = document.place.stem,
        .title = document.title.value,
        .sender = document.sender.value,
        .time = document.time.value,
        .kind = document.kind};
    known_[file.path] = {row.digest, row.size, changed};
    written_.emplace_back(std::move(row), file.bytes);
}

Status FileSync::record_written(const SyncPass& pass) {
    SyncPass told = pass; // with notes, which belong to no task's file
    for (const auto& [row, bytes] : written_) {
        if (row.entity.empty()) told.changes.push_back({.path = row.path, .what = "written"});
    }
    const auto done = change([&](Unit& unit) -> Status {
        store::FileTable files{unit.session(), hive_};
        store::TaskTable tasks{unit.session(), hive_};
        for (const auto& path : vacated_) {
            auto row = files.find(path);
            if (!row) return fail(row.error());
            if (!*row) continue;
            (*row)->gone = true;
            if (auto ok = files.put(**row); !ok) return ok;
        }
        for (const auto& [row, bytes] : written_) {
            if (auto ok = files.keep(row.digest, bytes); !ok) return ok;
            if (auto ok = files.put(row); !ok) return ok;
            if (row.family != Family::task || row.entity.empty()) continue;
            if (auto ok = tasks.place(row.entity, row.path, row.synced); !ok) return ok;
        }
        say_pass(unit, told, 0);
        if (!dirty_tasks_.empty()) return {};
        return store::put_setting(
            unit.session(), hive_, {"files.cursor", std::to_string(cursor_)}, unit.now());
    });
    if (!done) return done;
    if (dirty_tasks_.empty()) keep_cursor_ = false;
    written_.clear();
    vacated_.clear();
    const std::lock_guard lock{mutex_};
    files_ = known_.size();
    if (!told.changes.empty()) times_.push = tools_.clock.wall();
    return {};
}

Result<SyncPass> FileSync::push_all(bool dry) {
    SyncPass pass{.direction = "push", .dry = dry};
    SyncPass first{.direction = "pull"};
    drain_waiting(first);
    std::string after;
    for (;;) {
        std::vector<std::string> ids;
        const auto listed = read([&](store::Session& session) -> Status {
            ids.clear();
            auto some =
                store::TaskTable{session, hive_}.list({.after = after, .limit = tasks_at_once});
            if (!some) return fail(some.error());
            for (const auto& task : *some) ids.push_back(task.id);
            return {};
        });
        if (!listed) return fail(listed.error());
        if (ids.empty()) break;
        after = ids.back();
        const std::size_t before = pass.changes.size();
        for (const auto& id : ids) {
            if (auto ok = push_task(id, pass); !ok) return fail(ok.error());
        }
        if (dry) continue;
        SyncPass part{.direction = "push"};
        part.changes.assign(
            pass.changes.begin() + static_cast<std::ptrdiff_t>(before), pass.changes.end());
        if (auto ok = record_written(part); !ok) return fail(ok.error());
    }
    return pass;
}

} // namespace hive::rest
