#include "store/sqlite/sqlite_connection.hpp"

#include <fmt/format.h>

namespace hive::store::sqlite {

SqliteConnection::SqliteConnection(
    std::shared_ptr<DatabaseFile> file, Access access, Duration lock_wait)
    : file_{std::move(file)}, access_{access}, lock_wait_{lock_wait},
      member_{file_->join([this] { close(); })} {}

SqliteConnection::~SqliteConnection() {
    rollback();
    file_->leave(member_);
    close();
}

Status SqliteConnection::open(bool create) {
    close();
    auto handle = open_handle(
        {.file = file_->path(),
         .create = create,
         .read_only = access_ == Access::read,
         .lock_wait = lock_wait_});
    if (!handle) return fail(handle.error());
    handle_ = std::move(*handle);
    session_.attach(handle_.get());
    sqlite3_wal_hook(
        handle_.get(),
        [](void* self, sqlite3*, const char*, int pages) {
            static_cast<SqliteConnection*>(self)->log_pages_ = pages;
            return SQLITE_OK;
        },
        this);
    return {};
}

void SqliteConnection::close() {
    session_.attach(nullptr);
    handle_.reset();
    log_pages_ = 0;
}

Status SqliteConnection::ensure_open() {
    if (!file_->is_current()) {
        use_.unlock();
        const Status renewed = file_->renew();
        use_.lock();
        if (!renewed) return renewed;
    }
    return handle_ ? Status{} : open(false);
}

// After an error that may have left the connection in doubt, the next transaction starts afresh.
Step SqliteConnection::lost(Loss loss, Error error) {
    close();
    return broken(loss, std::move(error));
}

Step SqliteConnection::begin() {
    if (!use_.owns_lock()) use_ = file_->use();
    if (auto ok = ensure_open(); !ok) {
        use_.unlock();
        return broken(Loss::everyone, ok.error());
    }
    const auto begun = session_.execute(access_ == Access::write ? "BEGIN IMMEDIATE" : "BEGIN", {});
    if (!begun) return lost(Loss::everyone, begun.error());
    return {};
}

Step SqliteConnection::begin_unit(TimePoint deadline) {
    if (access_ == Access::write) {
        if (auto ok = session_.execute("SAVEPOINT unit", {}); !ok) {
            return lost(Loss::alone, ok.error());
        }
    }
    session_.limit(deadline);
    return {};
}

Step SqliteConnection::end_unit(bool keep) {
    session_.unlimit();
    if (access_ == Access::read) return {};
    if (sqlite3_get_autocommit(handle_.get()) != 0) {
        // A full disk and the like: SQLite has rolled everything back by itself.
        return lost(Loss::alone, {Errc::unavailable, "SQLite gave up the transaction"});
    }
    if (!keep) {
        if (auto ok = session_.execute("ROLLBACK TO unit", {}); !ok) {
            return lost(Loss::alone, ok.error());
        }
    }
    if (auto ok = session_.execute("RELEASE unit", {}); !ok) return lost(Loss::alone, ok.error());
    return {};
}

Step SqliteConnection::commit() {
    constexpr int primary_mask = 0xff;
    const auto committed = session_.execute("COMMIT", {});
    if (committed) {
        if (auto ok = check_file(); !ok) return ok;
        file_->note_log();
        if (log_pages_ >= log_pages_max) fold_log();
        use_.unlock();
        return {};
    }
    // When writing or syncing the log fails, a later reader of that log may still find the commit.
    if ((sqlite3_errcode(handle_.get()) & primary_mask) == SQLITE_IOERR) {
        return lost(
            Loss::unknown,
            {Errc::unavailable, committed.error().detail + "; the change may have been applied"});
    }
    return broken(Loss::alone, committed.error());
}

// What is written into a deleted file is gone with this process: never call that durable.
Step SqliteConnection::check_file() {
    if (file_->is_current()) return {};
    return broken(
        Loss::unknown, {Errc::unavailable,
                        fmt::format(
                            "the database file '{}' was deleted or replaced during the write; the "
                            "change may have been applied to the old file only",
                            file_->path().string())});
}

void SqliteConnection::rollback() {
    // When even this fails, closing the connection rolls back.
    if (handle_ && sqlite3_get_autocommit(handle_.get()) == 0 &&
        !session_.execute("ROLLBACK", {})) {
        close();
    }
    if (use_.owns_lock()) use_.unlock();
}

void SqliteConnection::idle() {
    const auto use = file_->use();
    if (handle_ && log_pages_ > 0) fold_log();
}

// The log holds every commit until this succeeds, so a failure loses nothing and is tried again
// after the next write.
void SqliteConnection::fold_log() {
    int pages = 0;
    int folded = 0;
    const int code = sqlite3_wal_checkpoint_v2(
        handle_.get(), nullptr, SQLITE_CHECKPOINT_PASSIVE, &pages, &folded);
    if (code == SQLITE_OK && pages == folded) log_pages_ = 0;
}

} // namespace hive::store::sqlite
