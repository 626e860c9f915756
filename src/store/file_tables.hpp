#pragma once

#include "colony/files/file_row.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class FileTable final : public colony::files::FileRepository {
public:
    FileTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using FileRow = colony::files::FileRow;

    Result<std::optional<FileRow>> find(std::string_view path) const override;
    Status put(const FileRow& row) override;
    Result<std::vector<FileRow>> of_entity(std::string_view entity) const override;
    Result<std::vector<FileRow>> called(std::string_view name) const override;
    Result<std::vector<FileRow>> list(std::string_view after, std::size_t limit) const override;
    Status keep(std::string_view digest, std::string_view bytes) override;
    Result<std::optional<std::string>> bytes(std::string_view digest) const override;

    // Versions of files are in use while a file has them, and after it has gone while its task has
    // no other: the next merge begins with them. The rest goes once it has been out of use for
    // `keep`; `limit` of them at a time. How many have gone.
    struct Retention {
        Timestamp now{};
        Duration keep{};
        std::size_t limit = 1000;
    };
    Result<std::uint64_t> sweep(const Retention& retention);

private:
    Result<std::vector<FileRow>> select(std::string_view rest, Params params) const;

    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
