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

private:
    Result<std::vector<FileRow>> select(std::string_view rest, Params params) const;

    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
