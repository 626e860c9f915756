#pragma once

#include "kernel/clock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>

namespace hive::telemetry {

// Latencies in nanoseconds, from 0 to centuries, in buckets that are at most 0.2 % wide: a
// percentile is within 0.1 % of the truth. One page of 512 buckets per doubling, made when the
// first value falls into it: 4 KiB each, ten or so in a usual run. Not for several threads at once:
// each has its own, and they are merged.
class Histogram {
public:
    __extension__ using Sum = unsigned __int128;

    static constexpr unsigned page_bits = 9;
    static constexpr std::size_t page_size = std::size_t{1} << page_bits;
    static constexpr std::size_t pages = 64 - page_bits + 1;
    static constexpr std::size_t buckets = pages * page_size;

    Histogram() = default;
    Histogram(const Histogram& other) { merge(other); }
    Histogram(Histogram&&) noexcept = default;
    Histogram& operator=(const Histogram& other);
    Histogram& operator=(Histogram&&) noexcept = default;
    ~Histogram() = default;

    void record(Duration latency) { // below zero counts as zero
        record_ns(static_cast<std::uint64_t>(std::max(latency.count(), Duration::rep{0})));
    }
    void record_ns(std::uint64_t ns) {
        const std::size_t index = index_of(ns);
        std::unique_ptr<Page>& page = pages_[index >> page_bits];
        if (!page) [[unlikely]]
            page = std::make_unique<Page>();
        ++(*page)[index & (page_size - 1)];
        ++count_;
        sum_ += ns;
        min_ = std::min(min_, ns);
        max_ = std::max(max_, ns);
    }
    // `count` values that fall into the same bucket as `ns`.
    void record_many(std::uint64_t ns, std::uint64_t count);

    void merge(const Histogram& other);
    // What came since `earlier`, which this has grown from. Its smallest and largest values are
    // those of its outermost buckets, within the bounds of the whole.
    Histogram since(const Histogram& earlier) const;
    void clear(); // keeps its memory

    std::uint64_t count() const noexcept { return count_; }
    std::uint64_t min_ns() const noexcept { return count_ == 0 ? 0 : min_; }
    std::uint64_t max_ns() const noexcept { return max_; }
    Sum sum_ns() const noexcept { return sum_; }
    double mean_ns() const noexcept; // exact; 0 without values
    double stddev_ns() const noexcept;

    // The value below which `percent` of all are, 0 without values. 0 is the smallest, 100 the
    // largest, both exact.
    double percentile_ns(double percent) const noexcept;

    // How many are at most `ns`; those of its bucket count as a whole.
    std::uint64_t count_up_to(std::uint64_t ns) const noexcept;

    // Calls visit(index, count) for every bucket with something in it, in order.
    void
    each_bucket(const std::function<void(std::size_t index, std::uint64_t count)>& visit) const;

    std::size_t memory_bytes() const noexcept;

    static constexpr std::size_t index_of(std::uint64_t ns) noexcept {
        if (ns < page_size) return static_cast<std::size_t>(ns);
        const auto shift = static_cast<unsigned>(std::bit_width(ns)) - page_bits - 1;
        // The leading bit of what is left is 1; it makes up for the page that is counted here.
        return (std::size_t{shift} << page_bits) + static_cast<std::size_t>(ns >> shift);
    }
    static constexpr std::uint64_t lowest_of(std::size_t index) noexcept {
        if (index < 2 * page_size) return index;
        const auto shift = static_cast<unsigned>(index >> page_bits) - 1;
        return (page_size + (std::uint64_t{index} & (page_size - 1))) << shift;
    }
    static constexpr std::uint64_t highest_of(std::size_t index) noexcept {
        return index + 1 == buckets ? std::numeric_limits<std::uint64_t>::max()
                                    : lowest_of(index + 1) - 1;
    }

    bool operator==(const Histogram& other) const;

private:
    friend class HistogramReader;
    using Page = std::array<std::uint64_t, page_size>;

    void add_to(std::size_t index, std::uint64_t count);

    std::array<std::unique_ptr<Page>, pages> pages_{};
    std::uint64_t count_ = 0;
    Sum sum_ = 0;
    std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t max_ = 0;
};

} // namespace hive::telemetry
