#include "pace/shape.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hive::pace {
namespace {

constexpr double close = 1e-5; // items; one more step of Newton squares the error

// The `u` at which `need` items of the piece are due: Newton's steps, kept between two bounds that
// halve whenever a step would leave them, as it may where the rate touches zero.
double search(const Piece& piece, double need, double guess) {
    double low = 0;
    double high = 1;
    double u = guess;
    for (int turn = 0; turn < 100 && high - low > 1e-16; ++turn) {
        const double error = piece.items_until(u) - need;
        (error > 0 ? high : low) = u;
        const double slope = piece.length * piece.rate_at(u);
        const double next = u - error / slope;
        const bool inside = slope > 0 && next >= low && next <= high;
        if (inside && std::abs(error) < close) return next;
        u = inside && next != u ? next : (low + high) / 2;
    }
    return u;
}

} // namespace

double seconds(Duration duration) {
    return static_cast<double>(duration.count()) * 1e-9;
}

Duration from_seconds(double seconds) {
    // Never below zero, where cutting off after adding a half is rounding, and a third of its cost.
    constexpr double half = 0.5;
    return Duration{static_cast<Duration::rep>(seconds * 1e9 + half)};
}

Shape::Shape(Cycle cycle)
    : pieces_{std::move(cycle.pieces)}, cycles_{cycle.cycles}, after_{cycle.after} {
    assert(!pieces_.empty());
    for (Piece& piece : pieces_) {
        piece.start = length_;
        piece.before = items_;
        piece.integrate();
        piece.items = std::max(0.0, piece.items_until(1));
        length_ += piece.length;
        items_ += piece.items;
    }
}

Shape::Local Shape::locate(double at) const {
    if (pieces_.empty()) return {0, at};
    const double cycle = std::floor(at / length_);
    if (over(cycle)) {
        const auto all = static_cast<double>(cycles_);
        return {all, at - all * length_};
    }
    return {cycle, at - cycle * length_};
}

const Piece& Shape::piece_at(double at) const {
    const auto later = std::upper_bound(
        pieces_.begin(), pieces_.end(), at, [](double t, const Piece& p) { return t < p.start; });
    return later == pieces_.begin() ? *later : *std::prev(later);
}

double Shape::rate(Duration since_start) const {
    const double at = seconds(std::max(since_start, Duration::zero()));
    const Local local = locate(at);
    if (pieces_.empty() || over(local.cycle)) return after_;
    const Piece& piece = piece_at(local.at);
    return std::max(0.0, piece.rate_at((local.at - piece.start) / piece.length));
}

double Shape::integral(Duration since_start) const {
    const double at = seconds(std::max(since_start, Duration::zero()));
    const Local local = locate(at);
    if (pieces_.empty() || over(local.cycle)) return local.cycle * items_ + local.at * after_;
    const Piece& piece = piece_at(local.at);
    const double u = std::clamp((local.at - piece.start) / piece.length, 0.0, 1.0);
    return local.cycle * items_ + piece.before + piece.items_until(u);
}

std::optional<double> Shape::when_after(double count) const {
    if (after_ <= 0) return std::nullopt;
    const auto all = static_cast<double>(cycles_);
    return all * length_ + std::max(0.0, count - all * items_) / after_;
}

// Finds the place exactly, and how the curve runs there.
void Shape::solve(double need, Place& near) const {
    const Piece& piece = pieces_[near.piece];
    near.per_item = 0;
    if (piece.flat()) {
        near.u = std::min(1.0, need / piece.area[0]);
        return;
    }
    near.u = search(piece, need, near.u);
    const double slope = piece.length * piece.rate_at(near.u);
    if (slope <= 0) return;
    near.per_item = 1 / slope;
    const double square = near.per_item * near.per_item;
    near.drift = -piece.length * piece.rise_at(near.u) * square * near.per_item;
}

std::optional<double> Shape::found(double count, Place& near) const {
    if (pieces_.empty()) return when_after(count);
    if (items_ <= 0 && cycles_ == 0) return std::nullopt;
    double local = count - near.cycle * items_;
    if (local <= 0 || local > items_ || over(near.cycle)) {
        near.cycle = items_ > 0 ? std::max(0.0, std::ceil(count / items_) - 1) : 0;
        near.enter(0);
        local = std::min(count - near.cycle * items_, items_);
        // Without items in the cycle, or past the last one, only the rate that holds is left.
        if (items_ <= 0 || over(near.cycle)) return when_after(count);
    }
    if (local <= pieces_[near.piece].before) near.enter(0);
    while (near.piece + 1 < pieces_.size() &&
           (pieces_[near.piece].before + pieces_[near.piece].items < local ||
            pieces_[near.piece].items <= 0)) {
        near.enter(near.piece + 1);
    }
    const Piece& piece = pieces_[near.piece];
    if (piece.items > 0) solve(std::min(local - piece.before, piece.items), near);
    near.count = count;
    return near.cycle * length_ + piece.start + near.u * piece.length;
}

Shape Shape::scaled(double factor) const {
    Shape scaled = *this;
    scaled.items_ *= factor;
    scaled.after_ *= factor;
    for (Piece& piece : scaled.pieces_) {
        piece.before *= factor;
        piece.items *= factor;
        for (double& c : piece.rate) c *= factor;
        piece.integrate();
    }
    return scaled;
}

} // namespace hive::pace
