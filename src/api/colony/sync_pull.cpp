// What files say, taken into the colony.
#include "api/colony/file_sync.hpp"
#include "kernel/timestamp.hpp"
#include "store/bee_tables.hpp"
#include "store/file_tables.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

using namespace std::chrono_literals;
using namespace colony::files;

constexpr std::size_t batch_max = 100;
constexpr std::size_t named_max = 50; // files in one audit entry
constexpr Duration empty_for = 2s;    // somebody has opened it and is about to write

// Tasks before what speaks of them.
int rank_of(Family family) {
    switch (family) {
    case Family::control: return 0;
    case Family::task: return 1;
    case Family::response: return 3;
    default: return 2;
    }
}

bool comes_first(const Incoming& a, const Incoming& b) {
    const int left = rank_of(a.document.place.family);
    const int right = rank_of(b.document.place.family);
    if (left != right) return left < right;
    if (a.document.time.value != b.document.time.value)
        return a.document.time.value < b.document.time.value;
    return a.document.path < b.document.path;
}

// A file of ours that was not finished when the hive was killed: nothing yet, its beginning, or all
// but its end. Files besides tasks are written by us alone.
bool is_half_of_ours(const Incoming& stray) {
    constexpr std::string_view beginning = "---\nhive: ";
    if (stray.document.place.family != Family::task) return true;
    if (beginning.starts_with(stray.bytes)) return true;
    return stray.bytes.starts_with(beginning) &&
           (!stray.document.task || !stray.bytes.ends_with('\n'));
}

} // namespace

void say_pass(Unit& unit, const SyncPass& pass, std::size_t from) {
    json::array files;
    std::size_t count = 0;
    json::array conflicts;
    for (std::size_t i = from; i < pass.changes.size(); ++i) {
        const Taken& taken = pass.changes[i];
        ++count;
        if (files.size() < named_max) files.emplace_back(taken.path);
        for (const Conflict& conflict : taken.conflicts) {
            if (conflicts.size() < named_max)
                conflicts.push_back({{"path", conflict.path}, {"field", conflict.field}});
        }
    }
    if (count == 0) return;
    unit.moment().say(
        {.type = pass.direction == "pull" ? "sync.pulled" : "sync.pushed",
         .entity_type = "sync",
         .entity_id = pass.direction,
         .told = {
             {"direction", pass.direction},
             {"count", count},
             {"files", std::move(files)},
             {"conflicts", std::move(conflicts)}}});
}

FileSync::Incoming
FileSync::incoming_of(const std::string& path, std::string bytes, Timestamp changed) const {
    std::string digest = digest_of(bytes);
    Document document = read_document(path, bytes, {aliases_, zone_, changed, tools_.history});
    return {std::move(bytes), std::move(digest), changed, std::move(document)};
}

bool FileSync::unsettled(const Entry& entry) const {
    const Duration age = tools_.clock.wall() - entry.changed;
    if (age < Duration::zero()) return false; // from a clock that is ahead: it never settles
    return age < (entry.size == 0 ? empty_for : options_.settle);
}

void FileSync::look_at(const std::string& path, Depth depth, std::vector<Incoming>& incoming) {
    const auto entry = tools_.tree.look(path);
    if (!entry) {
        if (entry.error().code != Errc::not_found) {
            const std::lock_guard lock{mutex_};
            findings_[path] = {{"unreadable", entry.error().detail}};
        }
        return;
    }
    const auto known = known_.find(path);
    const bool same = known != known_.end() && known->second.size == entry->size &&
                      known->second.changed == entry->changed;
    if (same && depth == Depth::by_time) return;
    if (!same && place_of(path).family != Family::control && unsettled(*entry)) {
        waiting_.insert(path);
        return;
    }
    auto bytes = tools_.tree.read(path);
    if (!bytes) {
        const std::lock_guard lock{mutex_};
        findings_[path] = {{"unreadable", bytes.error().detail}};
        return;
    }
    if (bytes->size() > file_bytes_max) bytes->resize(file_bytes_max + 1);
    if (known != known_.end() && known->second.digest == digest_of(*bytes)) {
        known->second.size = entry->size;
        known->second.changed = entry->changed;
        return;
    }
    incoming.push_back(incoming_of(path, *std::move(bytes), entry->changed));
}

Status FileSync::refresh_aliases() {
    Aliases aliases;
    if (const auto table = tools_.tree.read(aliases_path)) {
        auto parsed = Aliases::parse(*table);
        const std::lock_guard lock{mutex_};
        if (parsed) {
            findings_.erase(std::string{aliases_path});
            aliases = *std::move(parsed);
        } else {
            findings_[std::string{aliases_path}] = {{"bad-aliases", parsed.error().detail}};
        }
    }
    std::vector<std::string> bees;
    const auto read_bees = read([&](store::Session& session) -> Status {
        bees.clear();
        const store::BeeTable table{session, hive_};
        auto some = table.list("", 1000);
        if (!some) return fail(some.error());
        for (const auto& bee : *some) bees.push_back(bee.id);
        return {};
    });
    if (!read_bees) return read_bees;
    for (const auto& bee : bees) aliases.know(bee);
    aliases_ = std::move(aliases);
    return {};
}

Result<SyncPass> FileSync::scan(Depth depth, bool dry) {
    if (auto ok = refresh_aliases(); !ok) return fail(ok.error());
    if (!dry) just_gone_.clear(); // where they went is seen now
    auto listing = tools_.tree.list();
    if (!listing) return fail(listing.error());
    SyncPass pass{.direction = "pull", .dry = dry, .looked_at = listing->files.size()};
    {
        const std::lock_guard lock{mutex_};
        std::erase_if(findings_, [](const auto& one) {
            const std::string& code = one.second.front().code;
            return code == "unreadable" || code == "link-outside" || code == "bad-name";
        });
        for (const Trouble& trouble : listing->troubles) findings_[trouble.path] = {trouble.flaw};
        times_.scan = tools_.clock.wall();
    }
    if (!dry && !listing->strays.empty()) {
        if (auto ok = take_strays(listing->strays); !ok) return fail(ok.error());
    }
    const std::set<std::string> waiting = waiting_;
    std::vector<Incoming> incoming;
    for (const Entry& entry : listing->files) look_at(entry.path, depth, incoming);
    if (dry) waiting_ = waiting; // what has not settled is not taken by a dry run either
    std::vector<std::string> gone;
    for (const auto& [path, known] : known_) {
        if (!std::ranges::binary_search(listing->files, path, {}, &Entry::path))
            gone.push_back(path);
    }
    if (auto ok = apply(std::move(incoming), std::move(gone), pass); !ok) return fail(ok.error());
    return pass;
}

void FileSync::pull(const std::vector<std::string>& paths, SyncPass& pass) {
    if (paths.empty()) return;
    pass.looked_at += paths.size();
    std::vector<Incoming> incoming;
    std::vector<std::string> gone;
    for (const auto& path : paths) {
        if (!is_taken(path)) continue;
        look_at(path, Depth::by_time, incoming);
        const auto entry = tools_.tree.look(path);
        if (!entry && entry.error().code == Errc::not_found && known_.contains(path))
            gone.push_back(path);
    }
    if (auto ok = apply(std::move(incoming), std::move(gone), pass); !ok) {
        complain(ok.error());
        waiting_.insert(paths.begin(), paths.end()); // the store is away: later
        std::this_thread::sleep_for(100ms);
    }
}

Status
FileSync::apply(std::vector<Incoming> incoming, std::vector<std::string> gone, SyncPass& pass) {
    std::ranges::sort(incoming, comes_first);
    std::span<const Incoming> rest{incoming};
    while (!rest.empty()) {
        const auto batch = rest.subspan(0, std::min(batch_max, rest.size()));
        rest = rest.subspan(batch.size());
        if (apply_batch(batch, {}, pass)) continue;
        // One of them breaks the transaction of all: each alone.
        for (const Incoming& one : batch) {
            const auto alone = apply_batch({&one, 1}, {}, pass);
            if (alone) continue;
            if (alone.error().code == Errc::unavailable || alone.error().code == Errc::closed ||
                alone.error().code == Errc::timeout || alone.error().code == Errc::limit)
                return alone;
            note_refused(one, alone.error(), pass);
        }
    }
    std::span<const std::string> left{gone};
    while (!left.empty()) {
        const auto batch = left.subspan(0, std::min(batch_max, left.size()));
        left = left.subspan(batch.size());
        if (auto ok = apply_batch({}, batch, pass); !ok) return ok;
    }
    const std::lock_guard lock{mutex_};
    files_ = known_.size();
    waiting_count_ = waiting_.size();
    return {};
}

// Files that somebody is writing: until they have settled, or for a few seconds.
void FileSync::drain_waiting(SyncPass& pass) {
    constexpr int turns_max = 60;
    for (int turn = 0; turn < turns_max && !waiting_.empty(); ++turn) {
        std::this_thread::sleep_for(options_.settle);
        const std::set<std::string> paths = std::exchange(waiting_, {});
        pull({paths.begin(), paths.end()}, pass);
    }
}

Status FileSync::apply_batch(
    std::span<const Incoming> batch, std::span<const std::string> gone, SyncPass& pass) {
    const std::size_t before = pass.changes.size();
    const auto done = change([&](Unit& unit) -> Status {
        pass.changes.resize(before);
        if (auto ok = take_all(unit, batch, gone, pass); !ok) return ok;
        if (pass.dry) return fail(Errc::conflict, "dry run");
        say_pass(unit, pass, before);
        return {};
    });
    if (pass.dry) return pass.changes.size() > before || done ? Status{} : done;
    if (!done) {
        pass.changes.resize(before);
        return done;
    }
    const std::lock_guard lock{mutex_};
    for (std::size_t i = before; i < pass.changes.size(); ++i) {
        const Taken& taken = pass.changes[i];
        conflicts_ += taken.conflicts.size();
        if (taken.rewrite && !taken.entity.empty()) dirty_tasks_.insert(taken.entity);
        known_.erase(taken.left); // should it come back it is news, also with the same bytes
    }
    for (const Incoming& one : batch) {
        known_[one.document.path] = {one.digest, one.bytes.size(), one.changed};
        findings_.erase(one.document.path);
        if (!one.document.flaws.empty()) findings_[one.document.path] = one.document.flaws;
    }
    for (std::size_t i = before; i < pass.changes.size(); ++i) {
        const Taken& taken = pass.changes[i];
        if (!taken.flaws.empty()) findings_[taken.path] = taken.flaws;
        if (taken.discard) discard(taken.path);
        if (taken.left == taken.path) known_.erase(taken.path); // read there, and there no longer
    }
    for (const auto& path : gone) {
        known_.erase(path);
        findings_.erase(path);
        just_gone_.insert(path);
    }
    times_.pull = tools_.clock.wall();
    return {};
}

// Taken by now; unless somebody wrote it once more, which is taken next.
void FileSync::discard(const std::string& path) {
    const auto bytes = tools_.tree.read(path);
    const auto known = known_.find(path);
    const bool same = bytes && known != known_.end() && known->second.digest == digest_of(*bytes);
    if (same) (void)tools_.tree.remove(path); // one that stays is taken again, to the same end
    known_.erase(path);
}

Status FileSync::take_all(
    Unit& unit, std::span<const Incoming> batch, std::span<const std::string> gone,
    SyncPass& pass) {
    Workplace place{unit, *colony_};
    store::FileTable files{unit.session(), hive_};
    Colony colony{
        .tasks = place.bench().book,
        .gate = place.bench().gate,
        .messages = place.desk().book,
        .quota = place.desk().quota,
        .bees = place.hall().book,
        .files = files,
        .moment = unit.moment(),
        .aliases = aliases_,
        .zone = zone_,
        .zones = place.zones(),
        .policy = policy_,
        .lease = options_.lease,
        .may_claim = [&](const std::string& bee) { return place.check_may_claim(bee); },
        .exists = [this](std::string_view path) { return tools_.tree.look(path).has_value(); }};
    for (const Incoming& incoming : batch) {
        auto taken = take(colony, incoming);
        if (!taken) return fail(taken.error().kind, taken.error().detail);
        if (taken->what != "known") pass.changes.push_back(*std::move(taken));
    }
    for (const auto& path : gone) {
        auto taken = forget(colony, path);
        if (!taken) return fail(taken.error().kind, taken.error().detail);
        pass.changes.push_back(*std::move(taken));
    }
    const auto left = place.leave({});
    return left ? Status{} : fail(left.error());
}

// A file that the colony cannot take is kept, and said.
void FileSync::note_refused(const Incoming& incoming, const Error& error, SyncPass& pass) {
    const Flaw flaw{"refused", error.detail};
    const auto kept = change([&](Unit& unit) -> Status {
        store::FileTable files{unit.session(), hive_};
        if (auto ok = files.keep(incoming.digest, incoming.bytes); !ok) return ok;
        FileRow row{
            .path = incoming.document.path,
            .digest = incoming.digest,
            .size = incoming.bytes.size(),
            .changed = incoming.changed,
            .synced = unit.now(),
            .family = incoming.document.place.family,
            .stem = incoming.document.place.stem,
            .title = incoming.document.title.value,
            .sender = incoming.document.sender.value,
            .time = incoming.document.time.value};
        row.flaws = {flaw};
        return files.put(row);
    });
    if (!kept) complain(kept.error());
    known_[incoming.document.path] = {incoming.digest, incoming.bytes.size(), incoming.changed};
    pass.changes.push_back({.path = incoming.document.path, .what = "finding: " + error.detail});
    const std::lock_guard lock{mutex_};
    findings_[incoming.document.path] = {flaw};
}

// A crash while a file was exchanged: the stray has what somebody wrote, or is half of ours.
Status FileSync::take_strays(const std::vector<std::string>& strays) {
    for (const auto& path : strays) {
        const auto bytes = tools_.tree.read(path);
        if (!bytes) continue;
        const auto slash = path.rfind('/') + 1;
        std::string target = path.substr(0, slash) + path.substr(slash + 1);
        target.resize(target.size() - std::string_view{".hive~"}.size());
        Incoming stray = incoming_of(target, *bytes, tools_.clock.wall());
        stray.displaced = true;
        bool ours = false;
        const auto judged = read([&](store::Session& session) -> Status {
            const store::FileTable files{session, hive_};
            auto known = files.bytes(stray.digest);
            if (!known) return fail(known.error());
            ours = known->has_value();
            return {};
        });
        if (!judged) return judged;
        ours = ours || is_half_of_ours(stray);
        if (stray.document.task) {
            auto now = target_of(stray.document.task->id);
            if (!now) return fail(now.error());
            ours = ours || (now->task && now->task->revision == stray.document.task->revision);
        }
        if (!ours) {
            SyncPass pass{.direction = "pull"};
            if (auto ok = apply_batch({&stray, 1}, {}, pass); !ok)
                note_refused(stray, ok.error(), pass);
            known_.erase(target); // what is there now is looked at next
        }
        if (auto ok = tools_.tree.remove(path); !ok) return ok;
    }
    return {};
}

} // namespace hive::rest
