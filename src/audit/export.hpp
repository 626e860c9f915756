#pragma once

#include "audit/checkpoint.hpp"
#include "audit/ledger.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hive::audit {

// An export is JSON lines: a header, then every entry from 1 on, with each checkpoint right after
// the last entry it covers. The closing checkpoint, which covers all, stands in the header, so that
// a reader knows from the start what must come.

inline constexpr std::string_view export_format = "hive.audit.export/1";
inline constexpr std::size_t export_line_max = std::size_t{128} << 10U; // bytes

struct ExportHeader {
    HiveId hive;
    std::uint64_t checkpoints = 0; // lines that follow, without the closing one
    std::string closing;           // note
};

// Without the line end; the readers accept exactly what is written here.
std::string to_line(const ExportHeader& header);
Result<ExportHeader> read_header_line(std::string_view line);
std::string to_checkpoint_line(std::string_view note);
bool is_checkpoint_line(std::string_view line) noexcept;
Result<std::string> read_checkpoint_line(std::string_view line); // the note

// Writes the entries that `closing` covers, piece by piece. Entries never change, so each piece may
// be read in a transaction of its own.
class ExportWriter {
public:
    explicit ExportWriter(SignedCheckpoint closing) : closing_{std::move(closing)} {}
    Result<std::string> next(const Ledger& ledger); // empty: that was all

private:
    Result<std::string> begin(const Ledger& ledger);

    SignedCheckpoint closing_;
    bool begun_ = false;
    std::uint64_t written_ = 0;
};

// Writes the entries that `closing` covers, in pieces of some kilobytes.
Status write_export(
    const Ledger& ledger, const SignedCheckpoint& closing,
    const std::function<Status(std::string_view)>& sink);

} // namespace hive::audit
