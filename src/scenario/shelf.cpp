#include "scenario/shelf.hpp"

#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"
#include "kernel/id.hpp"
#include "kernel/text.hpp"
#include "scenario/shelf_files.hpp"
#include "scenario/validate.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace hive::scenario {
namespace {

namespace fs = std::filesystem;

// A file may change again without a new time of change when both fall into one tick of the system.
constexpr std::int64_t settled_after_ns = 200'000'000;

std::int64_t nanoseconds(const timespec& time) {
    return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

std::int64_t now_ns() {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    return nanoseconds(now);
}

Error gone(std::string_view id) {
    return {Errc::not_found, fmt::format("there is no scenario '{}'", printable(id))};
}

} // namespace

Edit Edit::all(Files files) {
    Edit edit{.whole = true};
    for (auto& [path, text] : files) edit.files.emplace(path, std::move(text));
    return edit;
}

Result<std::unique_ptr<Shelf>> Shelf::open(std::string folder, Catalog catalog) {
    std::error_code error;
    fs::create_directories(folder, error);
    const fs::path whole = fs::canonical(folder, error);
    if (error || !fs::is_directory(whole)) {
        return fail(
            Errc::invalid, fmt::format(
                               "the folder of scenarios {} cannot be used: {}", folder,
                               error ? error.message() : "it is no folder"));
    }
    return std::unique_ptr<Shelf>{new Shelf{whole.string(), std::move(catalog)}};
}

std::string Shelf::place_of(std::string_view id) const {
    return fmt::format("{}/{}", folder_, id);
}

// Hidden, so that nobody takes it for a scenario; of this process, so that two never meet.
std::string Shelf::scratch_name() {
    return fmt::format("{}/.hive-{}-{}", folder_, ::getpid(), ++scratches_);
}

std::vector<std::string> Shelf::ids() {
    std::vector<std::string> out;
    std::error_code error;
    for (fs::directory_iterator at{folder_, error}; !error && at != fs::directory_iterator{};
         at.increment(error)) {
        std::string name = at->path().filename().string();
        if (!check_id("scenario", name)) continue;
        struct stat about{};
        const auto main = fmt::format("{}/{}/scenario.yaml", folder_, name);
        if (::stat(main.c_str(), &about) != 0) continue;
        out.push_back(std::move(name));
        if (out.size() == shelf_max) break;
    }
    std::ranges::sort(out);
    return out;
}

Shelf::Stamps Shelf::stamps_of(const std::string& folder, bool& settled) const {
    Stamps stamps;
    std::int64_t newest = 0;
    for_each_file(folder, [&](const std::string& name) {
        struct stat about{};
        if (::stat(fmt::format("{}/{}", folder, name).c_str(), &about) != 0) return true;
        const Stamp stamp{
            static_cast<std::uint64_t>(about.st_size), nanoseconds(about.st_mtim),
            nanoseconds(about.st_ctim), about.st_ino};
        newest = std::max({newest, stamp.modified, stamp.changed});
        stamps.emplace(name, stamp);
        return stamps.size() < bundle_files_max;
    });
    settled = newest + settled_after_ns < now_ns();
    return stamps;
}

StoredPtr Shelf::read(std::string_view id, const Stamps& stamps) const {
    const std::string place = place_of(id);
    Sha256 hash;
    for (const auto& [name, stamp] : stamps) {
        hash.update(bytes_of(fmt::format("{}:{}:", name.size(), name)));
        hash_file(fmt::format("{}/{}", place, name), hash);
    }
    auto stored = std::make_shared<Stored>();
    stored->id = id;
    stored->revision = to_hex(hash.finish()).substr(0, 32);
    stored->loaded = load(read_bundle_inside(place));
    judge(*stored, {});
    return stored;
}

void Shelf::judge(Stored& stored, const Choices& choices) const {
    stored.findings = stored.loaded.findings;
    const auto more = validate(stored.loaded, catalog_, choices);
    stored.findings.insert(stored.findings.end(), more.begin(), more.end());
    sort_by_place(stored.findings);
}

Result<StoredPtr> Shelf::look(std::string_view id) {
    if (!check_id("scenario", id)) return fail(gone(id));
    bool settled = false;
    const std::string place = place_of(id);
    std::error_code error;
    const Stamps stamps = stamps_of(place, settled);
    if (stamps.empty() || !fs::is_directory(place, error)) {
        known_.erase(std::string{id});
        return fail(gone(id));
    }
    Known& known = known_[std::string{id}];
    if (known.stored && known.settled && known.stamps == stamps) return known.stored;
    StoredPtr fresh = read(id, stamps);
    // Whoever holds the old one compares revisions, not places in memory.
    if (!known.stored || known.stored->revision != fresh->revision) known.stored = fresh;
    known.stamps = stamps;
    known.settled = settled;
    return known.stored;
}

Result<StoredPtr> Shelf::find(std::string_view id) {
    const std::lock_guard lock{mutex_};
    return look(id);
}

Result<std::string> Shelf::file(std::string_view id, std::string_view path) {
    if (auto ok = check_file_name(path); !ok) return fail(ok.error());
    const std::lock_guard lock{mutex_};
    const auto stored = look(id);
    if (!stored) return fail(stored.error());
    if (!(*stored)->loaded.bundle.sizes.contains(path)) {
        return fail(
            Errc::not_found, fmt::format("scenario '{}' has no file '{}'", id, printable(path)));
    }
    return read_whole(fmt::format("{}/{}", place_of(id), path), bundle_bytes_max);
}

Result<Files> Shelf::files(std::string_view id) {
    const std::lock_guard lock{mutex_};
    const auto stored = look(id);
    if (!stored) return fail(stored.error());
    Files out;
    std::size_t left = bundle_bytes_max;
    for (const auto& [name, size] : (*stored)->loaded.bundle.sizes) {
        auto text = read_whole(fmt::format("{}/{}", place_of(id), name), left);
        if (!text) return fail(text.error());
        left -= text->size();
        out.emplace(name, *std::move(text));
    }
    return out;
}

Status Shelf::expect(const std::string& id, const std::string& expected) {
    if (auto ok = check_id("scenario", id); !ok) return fail(ok.error());
    const auto stored = look(id);
    if (expected.empty()) {
        std::error_code error;
        if (!stored && !fs::exists(place_of(id), error)) return {};
        return fail(Errc::conflict, fmt::format("there is a scenario '{}' already", id));
    }
    if (!stored) return fail(stored.error());
    if ((*stored)->revision == expected) return {};
    return fail(
        Errc::conflict, fmt::format("scenario '{}' was changed meanwhile; read it again", id));
}

Status Shelf::create(const std::string& id, const Edit& edit) {
    const std::string scratch = scratch_name();
    const ScratchFolder away{scratch};
    for (const auto& [path, text] : edit.files) {
        if (!text) continue;
        if (auto ok = write_whole(fmt::format("{}/{}", scratch, path), *text); !ok) return ok;
    }
    std::error_code error;
    fs::rename(scratch, place_of(id), error);
    if (error) {
        return fail(
            Errc::unavailable, fmt::format("cannot write scenario '{}': {}", id, error.message()));
    }
    return {};
}

// Written before anything is removed: what is cut short leaves more than was there, never less.
Status Shelf::change(const std::string& id, const Edit& edit) {
    const std::string place = place_of(id);
    std::vector<std::string> goes;
    if (edit.whole) {
        for_each_file(place, [&](const std::string& name) {
            if (!edit.files.contains(name)) goes.push_back(name);
            return true;
        });
    }
    for (const auto& [path, text] : edit.files) {
        if (!text) {
            goes.push_back(path);
            continue;
        }
        if (auto ok = check_way(place, path); !ok) return ok;
        const std::string whole = fmt::format("{}/{}", place, path);
        // What stays as it is keeps its times: nobody needs to look at it again.
        if (const auto now = read_whole(whole, bundle_bytes_max); now && *now == *text) continue;
        if (auto ok = write_whole(whole, *text); !ok) return ok;
    }
    for (const std::string& path : goes) {
        if (auto ok = check_way(place, path); !ok) return ok;
        if (auto ok = remove_file(place, path); !ok) return ok;
    }
    return {};
}

Result<std::string>
Shelf::put(const std::string& id, const Edit& edit, const std::string& expected) {
    Files written;
    for (const auto& [path, text] : edit.files) {
        if (auto ok = check_file_name(path); !ok) return fail(ok.error());
        if (text) written.emplace(path, *text);
    }
    if (auto ok = check_files(written); !ok) return fail(ok.error());
    const auto main = edit.files.find("scenario.yaml");
    const bool has_main = main != edit.files.end() ? main->second.has_value() : !edit.whole;
    if (!has_main) return fail(Errc::invalid, "a scenario needs its scenario.yaml");
    const std::lock_guard lock{mutex_};
    if (auto ok = expect(id, expected); !ok) return fail(ok.error());
    auto done = expected.empty() ? create(id, edit) : change(id, edit);
    known_.erase(id);
    if (!done) return fail(done.error());
    const auto stored = look(id);
    if (!stored) return fail(stored.error());
    told_[id] = (*stored)->revision; // whoever changed it tells of it
    return (*stored)->revision;
}

Status Shelf::remove(const std::string& id, const std::string& expected) {
    const std::lock_guard lock{mutex_};
    if (auto ok = expect(id, expected); !ok) return ok;
    // Gone at once, whatever time its files take.
    const std::string scratch = scratch_name();
    const ScratchFolder away{scratch};
    std::error_code error;
    fs::rename(place_of(id), scratch, error);
    if (error) {
        return fail(
            Errc::unavailable, fmt::format("cannot remove scenario '{}': {}", id, error.message()));
    }
    known_.erase(id);
    told_.erase(id);
    return {};
}

std::vector<Changed> Shelf::changes() {
    const auto present = ids();
    const std::lock_guard lock{mutex_};
    std::map<std::string, std::string, std::less<>> now;
    for (const std::string& id : present) {
        if (const auto stored = look(id)) now.emplace(id, (*stored)->revision);
    }
    std::vector<Changed> out;
    for (const auto& [id, revision] : now) {
        const auto before = told_.find(id);
        if (before == told_.end()) {
            out.push_back({id, "", revision});
        } else if (before->second != revision) {
            out.push_back({id, before->second, revision});
        }
    }
    for (const auto& [id, revision] : told_) {
        if (!now.contains(id)) out.push_back({id, revision, ""});
    }
    told_ = std::move(now);
    if (std::exchange(first_, false)) out.clear();
    return out;
}

Result<Stored> Shelf::try_out(const Files& files, const Choices& choices) {
    if (auto ok = check_files(files); !ok) return fail(ok.error());
    std::unique_lock lock{mutex_};
    const std::string scratch = scratch_name();
    lock.unlock();
    const ScratchFolder away{scratch};
    for (const auto& [path, text] : files) {
        if (auto ok = write_whole(fmt::format("{}/{}", scratch, path), text); !ok) {
            return fail(ok.error());
        }
    }
    Stored tried{.id = "", .revision = "", .loaded = load(read_bundle_inside(scratch))};
    judge(tried, choices);
    return tried;
}

} // namespace hive::scenario
