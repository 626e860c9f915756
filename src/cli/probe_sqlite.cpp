#include "cli/file_descriptor.hpp"
#include "cli/probe_store.hpp"
#include "store/migration.hpp"
#include "store/sqlite/data_directory.hpp"
#include "store/sqlite/open.hpp"
#include "store/wait.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace hive::cli {
namespace {

Check broken(std::string message, std::string remedy) {
    return {
        .name = "store",
        .health = Health::missing,
        .message = std::move(message),
        .remedy = std::move(remedy)};
}

struct Schema {
    std::int64_t version = 0;
    std::vector<std::string> wrong{}; // it is not the one that this program would have made
};

Result<Schema> read_schema(const std::string& data, Duration within) {
    // Beside a server that may have it. Nothing is made: the file is there.
    auto database = store::sqlite::open(
        {.directory = data,
         .tenancy = store::sqlite::Tenancy::visitor,
         .create = false,
         .lock_wait = within});
    if (!database) return fail(database.error());
    return store::read_for(
        **database,
        [](store::Session& session) -> Result<Schema> {
            Schema schema;
            const auto version = store::schema_version(session, store::Engine::sqlite);
            if (!version) return fail(version.error());
            schema.version = *version;
            if (schema.version < 1 || schema.version > known_schema()) return schema;
            // Older is not wrong: steps that are still to come are left out.
            const auto steps = store::migrations().first(static_cast<std::size_t>(schema.version));
            auto wrong = store::check_migrations(session, store::Engine::sqlite, steps);
            if (!wrong) return fail(wrong.error());
            schema.wrong = std::move(*wrong);
            return schema;
        },
        within);
}

// A backup, a change of the schema and SQLite's log need as much room again as the file takes.
void look_at_room(Check& check, const std::string& data, std::uint64_t size) {
    struct statvfs room{};
    if (::statvfs(data.c_str(), &room) != 0) return; // the probe of the data directory says so
    const std::uint64_t free = std::uint64_t{room.f_bavail} * room.f_frsize;
    check.message += fmt::format(", {:.1f} MiB", static_cast<double>(size) / (1U << 20U));
    if (free >= size || check.health == Health::missing) return;
    check.health = Health::warning;
    check.message += fmt::format(", and only {} MiB are free beside it", free >> 20U);
    check.remedy = "make room: a backup or a change of the schema needs as much again";
}

} // namespace

Check check_sqlite(const std::string& data, Duration within) {
    const std::string path = data + "/hive.db";
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) {
        return {
            .name = "store",
            .health = Health::note,
            .message =
                fmt::format("SQLite in {}, not made yet; set --store URL to use PostgreSQL", data)};
    }
    const std::string where = "SQLite store " + path;
    if (!S_ISREG(status.st_mode)) {
        return broken(
            where + " is not a file", "move it away, or choose another directory with --data DIR");
    }
    // Opened, not asked for: permission bits would not tell of a read-only mount.
    const FileDescriptor writable{::open(path.c_str(), O_RDWR | O_CLOEXEC)};
    if (!writable) {
        return broken(
            fmt::format("{} cannot be written: {}", where, std::strerror(errno)),
            "change its owner or permissions, or the mount");
    }
    if (status.st_size == 0) return check_schema(where, 0);
    const auto schema = read_schema(data, within);
    if (!schema) {
        return broken(
            fmt::format("{} cannot be read: {}", where, schema.error().detail),
            "look closer with hive store check, or restore a backup");
    }
    Check check = check_schema(where, schema->version);
    if (!schema->wrong.empty()) {
        check = broken(
            fmt::format("{}: {}", where, schema->wrong.front()),
            "use the program that made it, or restore a backup");
    }
    look_at_room(check, data, static_cast<std::uint64_t>(status.st_size));
    if (store::sqlite::DataDirectory::is_claimed(data)) {
        check.message += "; a server has it, which is fine";
    }
    return check;
}

} // namespace hive::cli
