#pragma once

#include "kernel/clock.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace hive::pace {

inline constexpr double rate_max = 1e8; // items per second
inline constexpr Duration length_max = std::chrono::hours{24 * 400};

double seconds(Duration duration);
Duration from_seconds(double seconds); // to the nearest nanosecond

// One stretch of a shape. The rate is a polynomial of the place in it, `u` from 0 to 1, so rate and
// integral cost a few multiplications, whatever the shape was made from.
struct Piece {
    double start = 0;  // seconds since the cycle began
    double length = 0; // seconds, above zero
    double before = 0; // items due in the cycle before this piece
    double items = 0;  // items due in it
    std::array<double, 5> rate{};
    std::array<double, 5> area{}; // of `rate`, set by the shape: items = u * (area[0] + u * ...)

    double rate_at(double u) const noexcept {
        const double square = u * u; // two short chains instead of one long one
        return rate[0] + u * rate[1] + square * (rate[2] + u * rate[3] + square * rate[4]);
    }
    double rise_at(double u) const noexcept { // of the rate
        return rate[1] + u * (2 * rate[2] + u * (3 * rate[3] + u * 4 * rate[4]));
    }
    double items_until(double u) const noexcept {
        const double square = u * u;
        return u * (area[0] + u * area[1] + square * (area[2] + u * area[3] + square * area[4]));
    }
    void integrate() noexcept {
        for (std::size_t i = 0; i < rate.size(); ++i)
            area[i] = length * rate[i] / static_cast<double>(i + 1);
    }
    bool flat() const noexcept {
        return rate[1] == 0 && rate[2] == 0 && rate[3] == 0 && rate[4] == 0;
    }
};

// Where in a shape an answer was found a moment ago; the next ones are near, and follow from how
// the curve runs there.
struct Place {
    double cycle = 0; // a whole number; a double because it only ever meets doubles
    std::size_t piece = 0;
    double u = 0;
    double count = 0;    // reached there
    double per_item = 0; // how far `u` moves for one item there; 0: unknown
    double drift = 0;    // how much that changes with each item

    void enter(std::size_t index) noexcept {
        piece = index;
        u = 0;
        per_item = 0;
    }
};

// A rate over time with its exact integral. A cycle of pieces runs `cycles` times (0: for ever) and
// then a constant rate holds. Made by `shapes.hpp` and `pattern.hpp`.
class Shape {
public:
    explicit Shape(double constant) : after_{constant} {}
    struct Cycle {
        std::vector<Piece> pieces;
        std::uint64_t cycles = 0;
        double after = 0;
    };
    explicit Shape(Cycle cycle);

    double rate(Duration since_start) const;
    double integral(Duration since_start) const; // items due by then

    // Seconds since the start when `count` items are due; nothing when it never happens. Counts
    // asked one after another with the same place cost a few nanoseconds each.
    std::optional<double> when(double count, Place& near) const {
        if (near.per_item > 0) {
            if (const double u = guessed(count, near); u >= 0) {
                const Piece& piece = pieces_[near.piece];
                return near.cycle * length_ + piece.start + u * piece.length;
            }
        }
        return found(count, near);
    }

    bool periodic() const noexcept { return cycles_ == 0 && !pieces_.empty(); }
    double cycle_seconds() const noexcept { return length_; }
    double cycle_items() const noexcept { return items_; } // due in one cycle
    const std::vector<Piece>& pieces() const noexcept { return pieces_; }

    // The same with every rate multiplied.
    Shape scaled(double factor) const;

private:
    struct Local {
        double cycle; // whole cycles that have passed
        double at;    // seconds into the current one; its length or more once all are over
    };
    Local locate(double at) const;
    const Piece& piece_at(double at) const;
    bool over(double cycle) const noexcept {
        return cycles_ != 0 && cycle >= static_cast<double>(cycles_);
    }
    std::optional<double> when_after(double count) const;
    double guessed(double count, const Place& near) const;
    std::optional<double> found(double count, Place& near) const;
    void solve(double need, Place& near) const;

    std::vector<Piece> pieces_{};
    std::uint64_t cycles_ = 0;
    double length_ = 0;
    double items_ = 0;
    double after_ = 0;
};

// Where the count is by the curve at the place it was found last; below zero when that is too far
// away to be sure. One step of Newton with the slope that is expected there instead of the true
// one: what it leaves is the product of both errors. No division, and no waiting for the answer
// before this one.
inline double Shape::guessed(double count, const Place& near) const {
    constexpr double negligible = 1e-9; // items
    const Piece& piece = pieces_[near.piece];
    const double need = count - near.cycle * items_ - piece.before;
    const double items = count - near.count;
    const double bend = items * near.drift;
    const double guess = near.u + items * (near.per_item + bend / 2);
    const double error = piece.items_until(guess) - need;
    const double u = guess - error * (near.per_item + bend);
    const double unsure = bend * bend * (error < 0 ? -error : error);
    const double square = near.per_item * near.per_item;
    const bool sure = items > 0 && items < 32 && need <= piece.items && u <= 1 &&
                      4 * bend * bend < square && unsure <= negligible * square;
    return sure ? u : -1;
}

} // namespace hive::pace
