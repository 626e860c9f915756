#include "telemetry/histogram.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace hive::telemetry {
namespace {

double middle_of(std::size_t index) {
    const auto low = static_cast<double>(Histogram::lowest_of(index));
    return low + (static_cast<double>(Histogram::highest_of(index)) - low) / 2;
}

} // namespace

Histogram& Histogram::operator=(const Histogram& other) {
    if (this != &other) *this = Histogram{other};
    return *this;
}

void Histogram::add_to(std::size_t index, std::uint64_t count) {
    std::unique_ptr<Page>& page = pages_[index >> page_bits];
    if (!page) page = std::make_unique<Page>();
    (*page)[index & (page_size - 1)] += count;
    count_ += count;
}

void Histogram::record_many(std::uint64_t ns, std::uint64_t count) {
    if (count == 0) return;
    add_to(index_of(ns), count);
    sum_ += Sum{ns} * count;
    min_ = std::min(min_, ns);
    max_ = std::max(max_, ns);
}

void Histogram::merge(const Histogram& other) {
    for (std::size_t p = 0; p < pages; ++p) {
        if (!other.pages_[p]) continue;
        if (!pages_[p]) pages_[p] = std::make_unique<Page>();
        for (std::size_t i = 0; i < page_size; ++i) (*pages_[p])[i] += (*other.pages_[p])[i];
    }
    count_ += other.count_;
    sum_ += other.sum_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
}

Histogram Histogram::since(const Histogram& earlier) const {
    if (earlier.count_ > count_) return *this; // it has begun anew
    Histogram out;
    each_bucket([&](std::size_t index, std::uint64_t count) {
        const auto& page = earlier.pages_[index >> page_bits];
        const std::uint64_t before = page ? (*page)[index & (page_size - 1)] : 0;
        if (count <= before) return;
        out.add_to(index, count - before);
        out.min_ = std::min(out.min_, std::max(lowest_of(index), min_));
        out.max_ = std::min(highest_of(index), max_);
    });
    out.sum_ = sum_ >= earlier.sum_ ? sum_ - earlier.sum_ : Sum{0};
    return out;
}

void Histogram::clear() {
    for (auto& page : pages_) {
        if (page) page->fill(0);
    }
    count_ = 0;
    sum_ = 0;
    min_ = std::numeric_limits<std::uint64_t>::max();
    max_ = 0;
}

double Histogram::mean_ns() const noexcept {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Histogram::stddev_ns() const noexcept {
    if (count_ == 0) return 0;
    const double mean = mean_ns();
    double squares = 0;
    each_bucket([&](std::size_t index, std::uint64_t count) {
        const double away = middle_of(index) - mean;
        squares += away * away * static_cast<double>(count);
    });
    return std::sqrt(squares / static_cast<double>(count_));
}

double Histogram::percentile_ns(double percent) const noexcept {
    if (count_ == 0) return 0;
    if (!(percent > 0)) return static_cast<double>(min_ns());
    if (percent >= 100) return static_cast<double>(max_);
    // A hair less, so that 90 % of ten values is the ninth and not the tenth.
    const double wanted = static_cast<double>(count_) * percent / 100;
    const auto rank = static_cast<std::uint64_t>(std::ceil(wanted * (1 - 1e-12)));
    std::uint64_t seen = 0;
    for (std::size_t p = 0; p < pages; ++p) {
        if (!pages_[p]) continue;
        for (std::size_t i = 0; i < page_size; ++i) {
            seen += (*pages_[p])[i];
            if (seen < rank) continue;
            const double value = middle_of((p << page_bits) + i);
            return std::clamp(value, static_cast<double>(min_), static_cast<double>(max_));
        }
    }
    return static_cast<double>(max_);
}

std::uint64_t Histogram::count_up_to(std::uint64_t ns) const noexcept {
    const std::size_t last = index_of(ns);
    std::uint64_t total = 0;
    for (std::size_t p = 0; p <= last >> page_bits; ++p) {
        if (!pages_[p]) continue;
        for (std::size_t i = 0; i < page_size && (p << page_bits) + i <= last; ++i) {
            total += (*pages_[p])[i];
        }
    }
    return total;
}

void Histogram::each_bucket(
    const std::function<void(std::size_t index, std::uint64_t count)>& visit) const {
    for (std::size_t p = 0; p < pages; ++p) {
        if (!pages_[p]) continue;
        for (std::size_t i = 0; i < page_size; ++i) {
            if ((*pages_[p])[i] != 0) visit((p << page_bits) + i, (*pages_[p])[i]);
        }
    }
}

std::size_t Histogram::memory_bytes() const noexcept {
    const auto made =
        std::ranges::count_if(pages_, [](const auto& page) { return page != nullptr; });
    return sizeof(Histogram) + static_cast<std::size_t>(made) * sizeof(Page);
}

bool Histogram::operator==(const Histogram& other) const {
    if (count_ != other.count_ || sum_ != other.sum_ || min_ns() != other.min_ns() ||
        max_ != other.max_)
        return false;
    static const Page empty{};
    for (std::size_t p = 0; p < pages; ++p) {
        const Page& mine = pages_[p] ? *pages_[p] : empty;
        const Page& theirs = other.pages_[p] ? *other.pages_[p] : empty;
        if (mine != theirs) return false;
    }
    return true;
}

} // namespace hive::telemetry
