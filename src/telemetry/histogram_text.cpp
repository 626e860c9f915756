#include "telemetry/histogram_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace hive::telemetry {
namespace {

constexpr std::string_view mark = "h1;";

std::string digits(Histogram::Sum value) {
    std::string out;
    do {
        out.push_back(static_cast<char>('0' + static_cast<int>(value % 10)));
        value /= 10;
    } while (value != 0);
    std::ranges::reverse(out);
    return out;
}

} // namespace

class HistogramReader {
public:
    explicit HistogramReader(std::string_view text) : text_{text} {}

    Result<Histogram> read() {
        if (!text_.starts_with(mark)) return wrong("it must begin with 'h1;'");
        at_ = mark.size();
        const auto min = number(';');
        const auto max = min ? number(';') : std::nullopt;
        const auto sum = max ? sum_number() : std::nullopt;
        if (!sum) return wrong("minimum, maximum and sum must be whole numbers, each before a ';'");
        if (auto read = buckets(); !read) return fail(read.error());
        return finished(*min, *max, *sum);
    }

private:
    tl::unexpected<Error> wrong(std::string_view why) const {
        return fail(Errc::invalid, fmt::format("histogram text at byte {}: {}", at_, why));
    }

    // Digits up to `end`, which is taken as well; without leading zeros, so that every histogram
    // has one spelling.
    std::optional<std::uint64_t> number(char end) {
        std::uint64_t value = 0;
        const char* first = text_.data() + at_;
        const char* last = text_.data() + text_.size();
        const auto [stop, error] = std::from_chars(first, last, value);
        if (error != std::errc{} || (*first == '0' && stop != first + 1)) return std::nullopt;
        if (stop == last || *stop != end) return std::nullopt;
        at_ += static_cast<std::size_t>(stop - first) + 1;
        return value;
    }

    std::optional<Histogram::Sum> sum_number() {
        const std::size_t end = text_.find(';', at_);
        if (end == text_.npos || end == at_ || end - at_ > 38) return std::nullopt;
        if (text_[at_] == '0' && end - at_ > 1) return std::nullopt;
        Histogram::Sum value = 0;
        for (; at_ < end; ++at_) {
            if (text_[at_] < '0' || text_[at_] > '9') return std::nullopt;
            value = value * 10 + static_cast<unsigned>(text_[at_] - '0');
        }
        ++at_;
        return value;
    }

    Status buckets() {
        std::size_t index = 0;
        for (bool first = true; at_ < text_.size(); first = false) {
            const auto gap = number('*');
            if (!gap) return wrong("a bucket is written as <gap>*<count>,");
            if (!first && *gap == 0) return wrong("a bucket appears twice");
            if (*gap >= Histogram::buckets - index) return wrong("there is no such bucket");
            index += static_cast<std::size_t>(*gap);
            const auto count = number(',');
            if (!count || *count == 0) return wrong("the count of a bucket must be above 0");
            if (made_.count_ + *count < *count) return wrong("the counts are too large together");
            if (first) first_ = index;
            last_ = index;
            made_.add_to(index, *count);
            least_ += Histogram::Sum{Histogram::lowest_of(index)} * *count;
            most_ += Histogram::Sum{Histogram::highest_of(index)} * *count;
        }
        return {};
    }

    Result<Histogram> finished(std::uint64_t min, std::uint64_t max, Histogram::Sum sum) {
        if (made_.count_ == 0) {
            if (min == 0 && max == 0 && sum == 0) return std::move(made_);
            return wrong("it has no buckets, but a minimum, maximum or sum");
        }
        if (Histogram::index_of(min) != first_ || Histogram::index_of(max) != last_ || min > max)
            return wrong("minimum and maximum are not in the first and the last bucket");
        if (sum < least_ || sum > most_) return wrong("no values in these buckets have this sum");
        made_.min_ = min;
        made_.max_ = max;
        made_.sum_ = sum;
        return std::move(made_);
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t first_ = 0;
    std::size_t last_ = 0;
    Histogram::Sum least_ = 0;
    Histogram::Sum most_ = 0;
    Histogram made_{};
};

std::string to_text(const Histogram& histogram) {
    std::string out{mark};
    out += fmt::format(
        "{};{};{};", histogram.min_ns(), histogram.max_ns(), digits(histogram.sum_ns()));
    std::size_t last = 0;
    histogram.each_bucket([&](std::size_t index, std::uint64_t count) {
        out += fmt::format("{}*{},", index - last, count);
        last = index;
    });
    return out;
}

Result<Histogram> parse_histogram(std::string_view text) {
    return HistogramReader{text}.read();
}

} // namespace hive::telemetry
