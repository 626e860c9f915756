#include "runtime/process/records.hpp"

#include "runtime/process/small_file.hpp"
#include "runtime/process/trouble.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>

namespace hive::runtime::process {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view suffix = ".json";
constexpr int lock_tries = 100; // each is a directory that another one removed meanwhile

Status make_directory(const std::string& path) {
    if (::mkdir(path.c_str(), 0700) == 0) return {};
    const int error = errno;
    struct stat status{};
    if (error == EEXIST && ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode)) return {};
    return fail(trouble("directory " + path + " cannot be made", error));
}

// The system's error number, or 0.
int write_whole(const Descriptor& file, std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file.get(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

Result<Record> read_record(const std::string& path) {
    const auto text = read_small_file(path);
    if (!text) return fail(text.error());
    auto record = parse_record(*text);
    if (record) return record;
    return fail(
        Errc::conflict,
        fmt::format(
            "{} is not a record of a component: {}; end its process if there is one, and remove "
            "the file",
            path, record.error().detail));
}

bool is_still(const Descriptor& directory, const std::string& path) {
    struct stat held{};
    struct stat named{};
    return ::fstat(directory.get(), &held) == 0 && ::stat(path.c_str(), &named) == 0 &&
           held.st_dev == named.st_dev && held.st_ino == named.st_ino;
}

} // namespace

SwarmLock::~SwarmLock() {
    if (!directory_) return;
    ::rmdir(path_.c_str()); // does nothing while a record is in it
    // Said aloud: a child that is just being forked may hold a copy of the descriptor.
    ::flock(directory_.get(), LOCK_UN);
}

Status Records::make_directories() const {
    std::error_code error;
    fs::create_directories(fs::path{directory_}.parent_path(), error); // told below if it failed
    for (const std::string& path : {directory_, directory_ + "/run", directory_ + "/logs"}) {
        if (auto ok = make_directory(path); !ok) return ok;
    }
    return {};
}

std::string Records::run_of(const SwarmId& swarm) const {
    return fmt::format("{}/run/{}", directory_, swarm.text());
}

std::string Records::path_of(const Name& name) const {
    return fmt::format("{}/{}{}", run_of(name.swarm), name.instance.text(), suffix);
}

std::string Records::log_of(const Name& name) const {
    return fmt::format("{}/logs/{}/{}.log", directory_, name.swarm.text(), name.instance.text());
}

Status Records::make_log_directory(const SwarmId& swarm) const {
    return make_directory(fmt::format("{}/logs/{}", directory_, swarm.text()));
}

Status Records::collect(const SwarmId& swarm, Listing& listing) const {
    const std::string directory = run_of(swarm);
    std::error_code error;
    fs::directory_iterator entries{directory, error};
    if (error == std::errc::no_such_file_or_directory) return {};
    for (; !error && entries != fs::directory_iterator{}; entries.increment(error)) {
        if (entries->path().extension() != suffix) continue;
        auto record = read_record(entries->path().string());
        if (record) {
            listing.records.push_back(std::move(*record));
        } else if (record.error().code != Errc::not_found) { // gone since it was listed
            listing.broken.push_back(std::move(record.error()));
        }
    }
    if (error) return fail(trouble(directory + " cannot be listed", error.value()));
    return {};
}

Result<Records::Listing> Records::list(const SwarmId& swarm) const {
    Listing listing;
    if (auto ok = collect(swarm, listing); !ok) return fail(ok.error());
    std::ranges::sort(
        listing.records, {}, [](const Record& record) { return record.name.instance.text(); });
    return listing;
}

Result<Records::Listing> Records::list() const {
    Listing all;
    const std::string directory = directory_ + "/run";
    std::error_code error;
    fs::directory_iterator entries{directory, error};
    if (error == std::errc::no_such_file_or_directory) return all;
    for (; !error && entries != fs::directory_iterator{}; entries.increment(error)) {
        const auto swarm = SwarmId::parse(entries->path().filename().string());
        if (!swarm) continue; // nothing of ours has such a name
        if (auto ok = collect(*swarm, all); !ok) return fail(ok.error());
    }
    if (error) return fail(trouble(directory + " cannot be listed", error.value()));
    std::ranges::sort(all.records, {}, [](const Record& record) {
        return std::pair{record.name.swarm.text(), record.name.instance.text()};
    });
    return all;
}

Result<std::optional<Record>> Records::find(const Name& name) const {
    auto record = read_record(path_of(name));
    if (record) return std::optional{std::move(*record)};
    if (record.error().code == Errc::not_found) return std::optional<Record>{};
    return fail(std::move(record.error()));
}

Result<std::optional<SwarmLock>> Records::try_lock(const SwarmId& swarm) const {
    const std::string path = run_of(swarm);
    // Whoever held it may have removed the directory with the last record: then make it anew.
    for (int tried = 0; tried < lock_tries; ++tried) {
        if (auto ok = make_directory(path); !ok) return fail(ok.error());
        Descriptor directory{::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
        if (!directory) {
            if (errno == ENOENT) continue;
            return fail(trouble(path + " cannot be opened", errno));
        }
        if (::flock(directory.get(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) return std::optional<SwarmLock>{};
            return fail(trouble(path + " cannot be locked", errno));
        }
        if (!is_still(directory, path)) continue;
        return std::optional{SwarmLock{std::move(directory), path}};
    }
    return std::optional<SwarmLock>{};
}

Status Records::write(const Record& record, const SwarmLock&) const {
    const std::string path = path_of(record.name);
    // Beside the swarms, so that one left by a killed launcher does not keep a directory alive.
    const std::string temporary = fmt::format(
        "{}/run/.{}.{}.tmp", directory_, record.name.swarm.text(), record.name.instance.text());
    const auto cannot = [&](int error) {
        ::unlink(temporary.c_str());
        return fail(trouble("record " + path + " cannot be written", error));
    };
    const Descriptor file{
        ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)};
    if (!file) return cannot(errno);
    if (const int error = write_whole(file, to_text(record)); error != 0) return cannot(error);
    // An empty file after a power failure would be a record that says nothing.
    if (::fsync(file.get()) != 0) return cannot(errno);
    if (::rename(temporary.c_str(), path.c_str()) != 0) return cannot(errno);
    return {};
}

Status Records::remove(const Record& record, const SwarmLock&) const {
    const std::string path = path_of(record.name);
    auto found = find(record.name);
    if (!found) return fail(std::move(found.error()));
    if (!*found || (*found)->process != record.process) return {};
    if (::unlink(path.c_str()) != 0) {
        return fail(trouble("record " + path + " cannot be removed", errno));
    }
    return {};
}

} // namespace hive::runtime::process
