#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace hive::bees {

// Rows on their way to a server, in batches, one batch at a time: what is due when, what is tried
// again, what is dropped. Decides only; time comes from whoever asks.
class RowBuffer {
public:
    struct Limits {
        std::size_t batch_rows = 1000;
        std::size_t rows_max = 100'000; // the oldest go when there are more
        Duration flush_every = std::chrono::seconds{1};
        Duration retry_first = std::chrono::milliseconds{250}; // doubled each time
        Duration retry_most = std::chrono::seconds{30};
    };
    explicit RowBuffer(Limits limits) : limits_{limits} {}

    void add(std::string_view row, TimePoint now);
    // All that is there is due now.
    void flush(TimePoint now);
    // The lines of the next batch, which is under way from now on.
    std::optional<std::string> next(TimePoint now);
    void written();              // the batch that is under way
    void refused(TimePoint now); // it is tried again later, the same rows first

    // The lines of all rows that are not under way, which then are, for a last try.
    std::string rest();

    // When next() may have something; nothing while a batch is under way or there are no rows.
    std::optional<TimePoint> wake() const;
    std::size_t under_way() const noexcept { return under_way_; }
    std::size_t waiting() const noexcept { return rows_.size(); } // those under way among them
    std::uint64_t written_rows() const noexcept { return written_; }
    std::uint64_t dropped_rows() const noexcept { return dropped_; }
    std::uint64_t refusals() const noexcept { return refusals_; }

private:
    std::string lines(std::size_t begin, std::size_t end) const;

    Limits limits_;
    std::deque<std::string> rows_{};
    std::size_t under_way_ = 0; // the first so many rows
    TimePoint due_{};           // of the oldest row that is not under way
    TimePoint not_before_{};    // after a refusal
    Duration pause_{};
    std::uint64_t written_ = 0;
    std::uint64_t dropped_ = 0;
    std::uint64_t refusals_ = 0;
};

} // namespace hive::bees
