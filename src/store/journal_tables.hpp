#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive::store {

// A line of history. Severity is a number that grows with how bad it is; 0 is nothing bad.
struct JournalRow {
    std::uint64_t sequence = 0; // given by append(), from 1 within a hive
    std::string swarm{};
    std::string run{}; // empty: of no run
    Timestamp time{};
    std::int64_t severity = 0;
    std::string kind{};
    std::string type{};
    std::string origin{};
    std::optional<std::string> correlation_id{};
    std::string data{}; // JSON text

    bool operator==(const JournalRow&) const = default;
};

struct JournalQuery {
    std::optional<std::string> swarm{};
    std::optional<std::string> run{};
    std::optional<std::string> kind{};
    std::optional<std::string> type{};
    std::optional<std::string> correlation_id{};
    std::int64_t severity_min = 0;
    std::optional<Timestamp> since{};      // included
    std::optional<Timestamp> until{};      // not included
    std::optional<std::uint64_t> before{}; // newest first, from below this sequence
    std::optional<std::uint64_t> after{};  // oldest first instead, from above this sequence
    std::size_t limit = 100;
};

inline constexpr std::size_t journal_page_max = 1000;

struct JournalPage {
    std::vector<JournalRow> rows{};
    bool more = false; // beyond the last row
};

// What is cleared out, and when. Runs that are pinned or have not ended stay whole.
struct JournalRetention {
    Duration run_age = std::chrono::hours{24} * 30; // since its end
    std::size_t runs_ended = 1000;                  // this many, the newest
    std::size_t entries_without_run = 100'000;      // the newest
    std::size_t rows_per_pass = 20'000;             // of one unit, so that nobody waits for it
};

struct JournalSweep {
    std::int64_t runs = 0;
    std::int64_t entries = 0;
    bool more = false; // a bound was reached: sweep again
};

// The journal of one hive, within one unit of work.
class JournalTable {
public:
    JournalTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    // In this order, after everything that is there; sets their sequences. `batch` names them: when
    // it is what was appended last, nothing happens and the answer is false.
    Result<bool> append(std::span<JournalRow> rows, std::string_view batch);

    Result<JournalPage> page(const JournalQuery& query) const;
    Result<std::uint64_t> last() const; // sequence ever given; 0: none

    Result<JournalSweep> sweep(const JournalRetention& retention, Timestamp now);

private:
    Result<std::vector<std::string>>
    expired_runs(const JournalRetention& retention, Timestamp now) const;
    Result<std::int64_t> remove_oldest(std::string_view run, std::uint64_t up_to, std::size_t most);
    Result<std::uint64_t> bound_without_run(std::size_t kept) const;

    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
