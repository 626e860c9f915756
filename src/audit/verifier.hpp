#pragma once

#include "audit/appender.hpp"
#include "audit/checkpoint.hpp"
#include "audit/entry.hpp"
#include "audit/note.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::audit {

enum class FaultKind : std::uint8_t {
    malformed, // cannot be read
    missing,   // an entry is not where it belongs: deleted, moved or inserted
    foreign,   // belongs to another hive or log
    altered,   // does not hash to what it says
    details,   // the details are not those the entry was made with
    signature, // a checkpoint that no trusted key signed
    rewritten, // hashes fit each other but not a signed checkpoint
    truncated, // entries that a checkpoint promises are not there
    uncovered, // more entries than the closing checkpoint covers
};
std::string_view name_of(FaultKind kind) noexcept;

struct Fault {
    FaultKind kind{};
    std::uint64_t sequence = 0; // the first entry that is bad, or that a bad checkpoint covers
    std::string reason{};       // for people
};

struct Report {
    std::uint64_t entries = 0; // good ones, before the first fault
    std::uint64_t erased = 0;  // entries whose details are gone
    std::uint64_t checkpoints = 0;
    std::uint64_t covered = 0; // entries that a signed checkpoint vouches for
    Digest chain{};
    Digest root{};
    std::optional<Fault> fault{};

    bool good() const noexcept { return !fault; }
};

// Checks a log entry by entry, in one pass and constant memory. After the first fault it takes
// nothing more: whatever follows a bad entry cannot be judged.
class Verifier {
public:
    Verifier(HiveId hive, std::vector<TrustedKey> keys);

    // Each returns false once there is a fault.
    bool add(const EntryView& entry);
    // A signed promise that the entries must keep as soon as so many of them are there. Those that
    // are open are kept in memory.
    bool expect(std::string_view note);
    bool expect_here(std::string_view note); // a promise about exactly the entries so far
    // For faults that only the reader of the log can see; counts against the next entry.
    bool refuse(FaultKind kind, std::string reason);

    Report finish(); // promises that are still open mean truncation

    std::uint64_t size() const noexcept { return head_.size(); }
    std::uint64_t promised() const noexcept { return promised_; } // by any checkpoint so far
    const Head& head() const noexcept { return head_; }
    bool failed() const noexcept { return fault_.has_value(); }

private:
    bool fail_at(std::uint64_t sequence, FaultKind kind, std::string reason);
    bool settle(); // compares with the checkpoints of exactly this size

    std::vector<TrustedKey> keys_;
    Head head_;
    std::string origin_{};                            // of the first checkpoint; all must share it
    std::multimap<std::uint64_t, Checkpoint> open_{}; // by size
    std::uint64_t promised_ = 0;
    std::uint64_t erased_ = 0;
    std::uint64_t checkpoints_ = 0;
    std::uint64_t covered_ = 0;
    std::optional<Fault> fault_{};
};

} // namespace hive::audit
