#pragma once

#include "kernel/result.hpp"
#include "store/sqlite/data_directory.hpp"

#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <shared_mutex>

namespace hive::store::sqlite {

// The database file that the connections of one store share, watched for being deleted or replaced.
//
// A replaced file must not meet the log of the old one: SQLite would replay it into the new file.
// So nobody opens the new file before everybody has closed the old one and its log is gone.
class DatabaseFile {
public:
    explicit DatabaseFile(std::shared_ptr<const DataDirectory> directory)
        : directory_{std::move(directory)} {}

    std::filesystem::path path() const { return directory_->database(); }

    // Held during a transaction.
    using Use = std::shared_lock<std::shared_mutex>;
    Use use() { return Use{mutex_}; }

    // Called with nobody using the file; closes a connection that has it open.
    using Member = std::list<std::function<void()>>::iterator;
    Member join(std::function<void()> close);
    void leave(Member member);

    // Whether the path still leads to the file that the connections have open. While using it.
    bool is_current() const { return identity_ && FileIdentity::of(path()) == identity_; }

    // The writer says which log its commits went to; while using the file.
    void note_log() { log_identity_ = FileIdentity::of(log()); }

    // Makes the file that is there now the current one: closes every connection and removes the
    // log of the file they had. Not while using it.
    Status renew();

private:
    std::filesystem::path log() const { return path().string() + "-wal"; }

    const std::shared_ptr<const DataDirectory> directory_; // the claim lasts as long as its users
    std::shared_mutex mutex_;
    std::list<std::function<void()>> members_;
    std::optional<FileIdentity> identity_;
    std::optional<FileIdentity> log_identity_;
};

} // namespace hive::store::sqlite
