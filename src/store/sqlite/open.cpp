#include "store/sqlite/open.hpp"

#include "store/sqlite/data_directory.hpp"
#include "store/sqlite/sqlite_connection.hpp"

#include <fmt/format.h>

namespace hive::store::sqlite {

Result<std::unique_ptr<Database>> open(const Options& options) {
    auto claimed = options.tenancy == Tenancy::owner ? DataDirectory::claim(options.directory)
                                                     : DataDirectory::visit(options.directory);
    if (!claimed) return fail(claimed.error());
    const auto directory = std::move(*claimed);
    if (!options.create && !FileIdentity::of(directory->database())) {
        return fail(
            Errc::not_found,
            fmt::format("there is no database '{}'", directory->database().string()));
    }
    // Tried here, so that a broken file is an error of opening and not of the first write.
    auto writer = std::make_unique<SqliteConnection>(directory, Access::write, options.lock_wait);
    if (auto ok = writer->open(options.create); !ok) return fail(ok.error());

    const auto connect = [directory, wait = options.lock_wait](Access access) {
        return std::make_unique<SqliteConnection>(directory, access, wait);
    };
    return std::make_unique<ThreadedDatabase>(Engine::sqlite, connect, options.limits);
}

} // namespace hive::store::sqlite
