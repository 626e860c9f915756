#include "store/sqlite/open.hpp"

#include "store/sqlite/database_file.hpp"
#include "store/sqlite/sqlite_connection.hpp"

#include <fmt/format.h>

namespace hive::store::sqlite {

Result<std::unique_ptr<Database>> open(const Options& options) {
    auto claimed = options.tenancy == Tenancy::owner ? DataDirectory::claim(options.directory)
                                                     : DataDirectory::visit(options.directory);
    if (!claimed) return fail(claimed.error());
    const auto file = std::make_shared<DatabaseFile>(std::move(*claimed));
    if (!options.create && !FileIdentity::of(file->path())) {
        return fail(
            Errc::not_found, fmt::format("there is no database '{}'", file->path().string()));
    }
    // Tried here, so that a broken file is an error of opening and not of the first write.
    auto writer = std::make_unique<SqliteConnection>(file, Access::write, options.lock_wait);
    if (auto ok = writer->open(options.create); !ok) return fail(ok.error());

    const auto connect = [file, wait = options.lock_wait](Access access) {
        return std::make_unique<SqliteConnection>(file, access, wait);
    };
    return std::make_unique<ThreadedDatabase>(Engine::sqlite, connect, options.limits);
}

} // namespace hive::store::sqlite
