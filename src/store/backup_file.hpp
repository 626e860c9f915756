#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "store/checksum.hpp"
#include "store/row.hpp"
#include "store/schema.hpp"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace hive::store {

// A backup is JSON lines:
//   {"format":"hive.backup/1","schema":1}         first
//   {"table":"settings","columns":["hive",...]}   then its rows
//   ["main",42,null,{"blob":"00ff"}]              one line a row
//   {"end":true,"rows":17,"checksum":"<16 hex>"}  last; CRC-64 of all bytes before this line
inline constexpr std::string_view backup_format = "hive.backup/1";
inline constexpr std::size_t backup_line_max = std::size_t{64} << 20U; // bytes

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

// Writes beside the final name and moves there at the end. An unfinished file is removed.
class BackupWriter {
public:
    static Result<BackupWriter> create(const std::filesystem::path& path);

    BackupWriter(File file, std::filesystem::path path);
    BackupWriter(BackupWriter&&) noexcept = default;
    BackupWriter& operator=(BackupWriter&&) = delete;
    ~BackupWriter();

    void header(std::int64_t schema);
    void table(const Table& table);
    void row(const Row& row);
    Status status() const; // the first failure to write: worth asking now and then
    Status finish();       // on disk and under its name
    std::int64_t rows() const { return rows_; }

private:
    void line();

    File file_;
    std::filesystem::path path_;
    Checksum checksum_;
    std::string text_; // of the current line, kept for its capacity
    std::int64_t rows_ = 0;
    Status status_{};
};

std::optional<std::string> from_hex(std::string_view text); // the bytes; empty when it is not hex

struct BackupRow {
    json::array columns;
};
struct BackupEnd {};

// Reads line by line, and fails at the first that is not what it should be.
class BackupReader {
public:
    static Result<BackupReader> open(const std::filesystem::path& path);

    std::int64_t schema() const { return schema_; }
    // The end comes only after the checksum was found to be right.
    Result<std::variant<Table, BackupRow, BackupEnd>> next();

private:
    explicit BackupReader(File file) : file_{std::move(file)} {}
    Result<json::value> line();
    Result<Table> table(const json::object& object) const;
    Status check_end(const json::object& object) const;
    Error damaged(std::string_view what) const;

    File file_;
    std::int64_t schema_ = 0;
    Checksum checksum_; // of the lines before the current one
    std::string text_;  // the current line
    std::int64_t lines_ = 0;
    std::int64_t rows_ = 0;
};

} // namespace hive::store
