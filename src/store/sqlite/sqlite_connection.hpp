#pragma once

#include "store/connection.hpp"
#include "store/sqlite/database_file.hpp"
#include "store/sqlite/handle.hpp"
#include "store/sqlite/sqlite_session.hpp"

#include <memory>

namespace hive::store::sqlite {

// Pages of the log (4 KiB each) after which it is folded into the database even under load. A log
// that starts over writes in place, which a disk syncs faster than a file that grows.
inline constexpr int log_pages_max = 4000;

class SqliteConnection final : public Connection {
public:
    SqliteConnection(std::shared_ptr<DatabaseFile> file, Access access, Duration lock_wait);
    ~SqliteConnection() override;

    // Only a store that is opened for the first time may make a new file: later a missing file is
    // a loss to report, not to paper over.
    Status open(bool create);

    Step begin() override;
    Step begin_unit(TimePoint deadline) override;
    Step end_unit(bool keep) override;
    Session& session() override { return session_; }
    Step commit() override;
    void rollback() override;
    void idle() override;

private:
    Status ensure_open();
    Step lost(Loss loss, Error error);
    Step check_file();
    void fold_log();
    void close();

    const std::shared_ptr<DatabaseFile> file_; // shared with the other connections
    const Access access_;
    const Duration lock_wait_;
    Handle handle_;
    SqliteSession session_;
    int log_pages_ = 0;
    DatabaseFile::Use use_; // during a transaction
    const DatabaseFile::Member member_;
};

} // namespace hive::store::sqlite
