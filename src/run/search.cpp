#include "run/search.hpp"

#include <algorithm>
#include <cmath>

namespace hive::run {
namespace {

// People offer 150 a second, not 149.63.
double rounded(double rate) {
    return rate >= 10 ? std::round(rate) : std::round(rate * 10) / 10;
}

} // namespace

Search::Search(SearchOptions options) : options_{options} {
    next_ = std::clamp(options_.from, options_.lowest, options_.to);
}

std::optional<double> Search::next() const {
    return next_;
}

void Search::tell(bool held) {
    if (!next_) return;
    ++steps_;
    if (!held && !again_) {
        again_ = true;
        if (steps_ < options_.steps_max) return;
    }
    again_ = false;
    (held ? held_ : failed_) = *next_;
    move_on();
}

void Search::move_on() {
    next_.reset();
    if (steps_ >= options_.steps_max) return;
    if (!failed_) {
        if (*held_ < options_.to) next_ = std::min(*held_ * 2, options_.to);
        return;
    }
    if (!held_) {
        if (*failed_ > options_.lowest) next_ = std::max(*failed_ / 2, options_.lowest);
        return;
    }
    if (*failed_ - *held_ <= *held_ * options_.precision) return;
    const double middle = rounded((*held_ + *failed_) / 2);
    if (middle > *held_ && middle < *failed_) next_ = middle;
}

} // namespace hive::run
