#pragma once

#include "audit/appender.hpp"
#include "audit/checkpoint.hpp"
#include "audit/entry.hpp"
#include "kernel/result.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::audit {

inline constexpr std::size_t page_max = 1000;

// Every field that is set must match; times are [since, until).
struct Query {
    std::optional<std::string> actor{};
    std::optional<std::string> action{};
    std::optional<std::string> entity_type{};
    std::optional<std::string> entity_id{};
    std::optional<Timestamp> since{};
    std::optional<Timestamp> until{};
    std::optional<std::uint64_t> before{}; // cursor: only entries with a smaller sequence
    std::size_t limit = 100;               // at most page_max
};
bool matches(const Query& query, const EntryView& entry); // all but the limit

// Newest first.
struct Page {
    std::vector<Entry> entries{};
    std::optional<std::uint64_t> next{}; // Query::before of the next page; absent on the last
};

// Storage of one hive's log. An instance lives inside one transaction of the caller and sees what
// that transaction sees, so that an entry commits with the change it records. Entries are never
// changed or removed; only their details can be erased.
class Ledger {
public:
    virtual ~Ledger() = default;

    virtual Result<Head> head() const = 0;
    // Errc::conflict unless the first entry follows the head that is stored.
    virtual Status append(const Batch& batch) = 0;
    // In order from `first` on, at most `limit` (and page_max); empty beyond the end.
    virtual Result<std::vector<Entry>> read(std::uint64_t first, std::size_t limit) const = 0;
    virtual Result<Page> search(const Query& query) const = 0;
    // Removes details and salt for good. Repeating it is fine; Errc::not_found beyond the end.
    virtual Status erase_details(std::uint64_t sequence) = 0;
    // One checkpoint per size: Errc::conflict when there is one.
    virtual Status save_checkpoint(const SignedCheckpoint& checkpoint) = 0;
    // Those of more than `size` entries, smallest first, at most `limit` (and page_max).
    virtual Result<std::vector<SignedCheckpoint>>
    checkpoints_after(std::uint64_t size, std::size_t limit) const = 0;
};

} // namespace hive::audit
