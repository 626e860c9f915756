#pragma once

#include "colony/files/document.hpp"
#include "colony/files/place.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// What is known of a file since it was last in step with the colony. Its bytes then, kept by their
// digest, are the base of the next merge.
struct FileRow {
    std::string path{}; // below `.deia`
    std::string digest{};
    std::uint64_t size = 0;
    Timestamp changed{}; // the file itself
    Timestamp synced{};
    Family family = Family::document;
    std::string entity{};       // the task or the message that it is
    std::uint64_t revision = 0; // of the task, as the file has it
    std::string stem{};
    std::string called{}; // `TASK-002-017`: what else it is called
    bool gone = false;    // it was there once

    std::string title{};
    std::string sender{};
    Timestamp time{};
    std::string kind{};
    std::uint64_t lines = 0; // of a log, so far
    std::vector<Flaw> flaws{};

    bool operator==(const FileRow&) const = default;
};

std::string digest_of(std::string_view bytes); // SHA-256 in hex
std::string to_stored(const FileRow& row);     // what has no column of its own
Result<FileRow> from_stored(std::string_view text);

// Storage as files of one hive need it, within one unit of work.
class FileRepository {
public:
    virtual ~FileRepository() = default;

    virtual Result<std::optional<FileRow>> find(std::string_view path) const = 0;
    virtual Status put(const FileRow& row) = 0;
    virtual Result<std::vector<FileRow>> of_entity(std::string_view entity) const = 0;
    // Tasks whose file has this stem, or that are called so.
    virtual Result<std::vector<FileRow>> called(std::string_view name) const = 0;
    virtual Result<std::vector<FileRow>> list(std::string_view after, std::size_t limit) const = 0;
    virtual Status keep(std::string_view digest, std::string_view bytes) = 0;
    virtual Result<std::optional<std::string>> bytes(std::string_view digest) const = 0;
};

} // namespace hive::colony::files
