#include "store/sqlite/database_file.hpp"

#include <fmt/format.h>

#include <mutex>

namespace hive::store::sqlite {

DatabaseFile::Member DatabaseFile::join(std::function<void()> close) {
    const std::unique_lock lock{mutex_};
    return members_.insert(members_.end(), std::move(close));
}

void DatabaseFile::leave(Member member) {
    const std::unique_lock lock{mutex_};
    members_.erase(member);
}

Status DatabaseFile::renew() {
    const std::unique_lock lock{mutex_};
    const auto now = FileIdentity::of(path());
    if (!now) {
        return fail(
            Errc::unavailable,
            fmt::format(
                "the database file '{}' is gone; put it back or restore a backup",
                path().string()));
    }
    if (now == identity_) return {}; // another connection was first
    for (const auto& close : members_) close();
    if (const auto left = FileIdentity::of(log()); left && left == log_identity_) {
        std::error_code error;
        std::filesystem::remove(path().string() + "-shm", error);
        std::filesystem::remove(log(), error);
        if (error) {
            return fail(
                Errc::unavailable,
                fmt::format(
                    "the database file was replaced, but its old log '{}' cannot be removed: {}",
                    log().string(), error.message()));
        }
    }
    identity_ = now;
    log_identity_.reset();
    return {};
}

} // namespace hive::store::sqlite
