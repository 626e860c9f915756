#include "bees/postprocessor/row_buffer.hpp"

#include <algorithm>
#include <utility>

namespace hive::bees {

void RowBuffer::add(std::string_view row, TimePoint now) {
    if (rows_.size() == under_way_) due_ = now + limits_.flush_every;
    rows_.emplace_back(row);
    if (rows_.size() <= limits_.rows_max || rows_.size() == under_way_ + 1) return;
    // What is under way may have arrived already, so it is not what goes.
    rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(under_way_));
    ++dropped_;
}

void RowBuffer::flush(TimePoint now) {
    due_ = std::min(due_, now);
}

std::optional<TimePoint> RowBuffer::wake() const {
    if (under_way_ > 0 || rows_.empty()) return std::nullopt;
    const TimePoint ready = rows_.size() >= limits_.batch_rows ? TimePoint{} : due_;
    return std::max(ready, not_before_);
}

std::string RowBuffer::lines(std::size_t begin, std::size_t end) const {
    std::string out;
    for (std::size_t i = begin; i < end; ++i) {
        out += rows_[i];
        out += '\n';
    }
    return out;
}

std::optional<std::string> RowBuffer::next(TimePoint now) {
    const auto when = wake();
    if (!when || now < *when) return std::nullopt;
    under_way_ = std::min(rows_.size(), limits_.batch_rows);
    due_ = now + limits_.flush_every; // of those that stay
    return lines(0, under_way_);
}

std::string RowBuffer::rest() {
    return lines(std::exchange(under_way_, rows_.size()), rows_.size());
}

void RowBuffer::written() {
    written_ += under_way_;
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(under_way_));
    under_way_ = 0;
    pause_ = Duration{0};
    not_before_ = TimePoint{};
}

void RowBuffer::refused(TimePoint now) {
    ++refusals_;
    under_way_ = 0;
    pause_ = pause_ == Duration{0} ? limits_.retry_first : std::min(pause_ * 2, limits_.retry_most);
    not_before_ = now + pause_;
    due_ = now;
}

} // namespace hive::bees
