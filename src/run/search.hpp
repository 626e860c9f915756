#pragma once

#include <cstddef>
#include <optional>

namespace hive::run {

struct SearchOptions {
    double from = 100; // per second, tried first
    double to = 1'000'000;
    double lowest = 1;       // not looked for below this
    double precision = 0.05; // it ends when what holds and what does not are this close
    std::size_t steps_max = 40;
};

// Looks for the highest rate that holds: doubles until one does not, then halves what is between
// them. A rate that does not hold is tried once more before it is believed: a machine that was busy
// with something else must not decide.
class Search {
public:
    explicit Search(SearchOptions options);

    std::optional<double> next() const; // to be tried; none: it is over
    void tell(bool held);               // of what was to be tried

    std::optional<double> highest_held() const noexcept { return held_; }
    std::optional<double> lowest_failed() const noexcept { return failed_; }
    bool tries_again() const noexcept { return again_; } // the next one is a second try

private:
    void move_on();

    SearchOptions options_;
    std::optional<double> held_{};
    std::optional<double> failed_{};
    std::optional<double> next_{};
    bool again_ = false;
    std::size_t steps_ = 0;
};

} // namespace hive::run
