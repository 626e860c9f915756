#include "kernel/text.hpp"
#include "telemetry/threshold.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

namespace hive::telemetry {
namespace {

enum class Unit : std::uint8_t { time, share, per_second, count };

struct Known {
    std::string_view name;
    Metric metric;
    Unit unit;
    bool of_calls; // can be asked for one call
};
constexpr std::array metrics{
    Known{"p50", Metric::p50, Unit::time, true},
    Known{"p90", Metric::p90, Unit::time, true},
    Known{"p95", Metric::p95, Unit::time, true},
    Known{"p99", Metric::p99, Unit::time, true},
    Known{"p999", Metric::p999, Unit::time, true},
    Known{"p99.9", Metric::p999, Unit::time, true},
    Known{"max", Metric::max, Unit::time, true},
    Known{"mean", Metric::mean, Unit::time, true},
    Known{"error_rate", Metric::error_rate, Unit::share, true},
    Known{"success_rate", Metric::success_rate, Unit::share, true},
    Known{"failed", Metric::failed, Unit::count, true},
    Known{"total", Metric::total, Unit::count, true},
    Known{"rate", Metric::rate, Unit::per_second, true},
    Known{"planned", Metric::planned, Unit::count, false},
    Known{"sent", Metric::sent, Unit::count, false},
    Known{"dropped", Metric::dropped, Unit::count, false},
    Known{"max_lag", Metric::max_lag, Unit::time, false},
};

struct Scale {
    std::string_view name;
    double factor;
};
constexpr std::array times{Scale{"ns", 0.001}, Scale{"us", 1},  Scale{"\u00b5s", 1},
                           Scale{"ms", 1e3},   Scale{"s", 1e6}, Scale{"m", 60e6}};

constexpr std::size_t text_max = 256;

class Parser {
public:
    explicit Parser(std::string_view text) : text_{text} {}

    Result<Threshold> parse() {
        if (text_.size() > text_max)
            return fail(Errc::invalid, fmt::format("a threshold is at most {} bytes", text_max));
        spaces();
        const std::size_t begin = at_;
        if (auto read = metric(); !read) return fail(read.error());
        if (auto read = selector(); !read) return fail(read.error());
        if (auto read = comparison(); !read) return fail(read.error());
        if (auto read = limit(); !read) return fail(read.error());
        if (auto read = ending(); !read) return fail(read.error());
        std::size_t end = text_.size();
        while (end > begin && is_space(text_[end - 1])) --end;
        out_.expr = text_.substr(begin, end - begin);
        return std::move(out_);
    }

private:
    static bool is_space(char c) { return c == ' ' || c == '\t'; }
    static bool is_word(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '.' || c == '-';
    }
    void spaces() {
        while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    }
    std::string_view word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }
    bool take(std::string_view sign) {
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    tl::unexpected<Error> wrong(std::size_t at, std::string_view why) const {
        return fail(
            Errc::invalid, fmt::format("'{}', column {}: {}", printable(text_), at + 1, why));
    }

    Status metric() {
        const std::size_t begin = at_;
        std::string_view name = word();
        constexpr std::string_view due = "from_due.";
        out_.from_due = name.starts_with(due);
        if (out_.from_due) name.remove_prefix(due.size());
        const auto* found = std::ranges::find(metrics, name, &Known::name);
        if (found == metrics.end()) return unknown_metric(begin, name);
        if (out_.from_due && (found->unit != Unit::time || found->metric == Metric::max_lag))
            return wrong(begin, "from_due. goes with latencies only, such as from_due.p99");
        known_ = found;
        out_.metric = found->metric;
        return {};
    }

    Status unknown_metric(std::size_t begin, std::string_view name) const {
        std::vector<std::string_view> names;
        for (const Known& known : metrics) names.push_back(known.name);
        if (const auto meant = nearest(name, names))
            return wrong(begin, fmt::format("unknown metric; did you mean '{}'?", *meant));
        return wrong(begin, fmt::format("expected a metric: one of {}", fmt::join(names, ", ")));
    }

    Status selector() {
        spaces();
        const std::size_t begin = at_;
        if (!take("{")) return {};
        if (!known_->of_calls)
            return wrong(begin, fmt::format("{} is not known for single calls", known_->name));
        spaces();
        const std::size_t label = at_;
        constexpr std::string_view dimension = "dimension.";
        const std::string_view of = word();
        const bool found_by_rules = of.starts_with(dimension) && of.size() > dimension.size();
        if (of != "call" && !found_by_rules) {
            return wrong(
                label, "expected 'call' or a dimension, as in {call=login} or "
                       "{dimension.tenant=gold}");
        }
        spaces();
        if (!take("=")) return wrong(at_, "expected '=', as in {call=login}");
        spaces();
        const std::size_t name = at_;
        const std::size_t close = text_.find('}', at_);
        if (close == text_.npos) return wrong(begin, "this '{' is never closed");
        std::size_t end = close;
        while (end > name && is_space(text_[end - 1])) --end;
        if (end == name) {
            return wrong(
                name,
                found_by_rules ? "expected a value of the dimension" : "expected the id of a call");
        }
        const std::string_view value = text_.substr(name, end - name);
        if (found_by_rules)
            out_.dimension = fmt::format("{}={}", of.substr(dimension.size()), value);
        else
            out_.call = value;
        at_ = close + 1;
        return {};
    }

    Status comparison() {
        spaces();
        constexpr std::array<std::pair<std::string_view, Comparison>, 6> signs{{
            {"<=", Comparison::at_most},
            {">=", Comparison::at_least},
            {"==", Comparison::equal},
            {"!=", Comparison::unequal},
            {"<", Comparison::less},
            {">", Comparison::greater},
        }};
        for (const auto& [sign, comparison] : signs) {
            if (!take(sign)) continue;
            out_.comparison = comparison;
            return {};
        }
        if (take("=")) return wrong(at_ - 1, "write == to compare");
        return wrong(at_, "expected a comparison: < <= > >= == !=");
    }

    Status limit() {
        spaces();
        const char* first = text_.data() + at_;
        const auto [stop, error] = std::from_chars(
            first, text_.data() + text_.size(), out_.limit, std::chars_format::fixed);
        if (error != std::errc{} || !std::isfinite(out_.limit) || out_.limit < 0)
            return wrong(at_, "expected a number, 0 or more");
        at_ += static_cast<std::size_t>(stop - first);
        const std::size_t begin = at_;
        const std::size_t end = std::min(text_.find_first_of(" \t", at_), text_.size());
        const std::string_view unit = text_.substr(begin, end - begin);
        at_ = end;
        return scale(begin, unit);
    }

    Status scale(std::size_t begin, std::string_view unit) {
        switch (known_->unit) {
        case Unit::time: {
            const auto* found = std::ranges::find(times, unit, &Scale::name);
            if (found == times.end() && !(unit.empty() && out_.limit == 0))
                return wrong(begin, "a latency needs its unit: ns, us, ms, s or m, as in 50ms");
            if (found != times.end()) out_.limit *= found->factor;
            return {};
        }
        case Unit::share:
            if (unit == "%")
                out_.limit /= 100;
            else if (!unit.empty())
                return wrong(begin, "expected % or nothing, as in 0.1%");
            if (out_.limit > 1) return wrong(begin, "a share is at most 1, or 100%");
            return {};
        case Unit::per_second:
            if (unit == "/s" || unit.empty()) return {};
            if (unit == "/m")
                out_.limit /= 60;
            else
                return wrong(begin, "expected /s or /m, as in 4900/s");
            return {};
        case Unit::count:
            if (unit.empty()) return {};
            return wrong(begin, fmt::format("{} is a count and has no unit", known_->name));
        }
        return {};
    }

    Status ending() {
        spaces();
        const std::size_t begin = at_;
        if (at_ == text_.size()) return {};
        out_.abort = word() == "abort";
        spaces();
        if (out_.abort && at_ == text_.size()) return {};
        return wrong(begin, "expected the end, or 'abort'");
    }

    std::string_view text_;
    std::size_t at_ = 0;
    const Known* known_ = nullptr;
    Threshold out_{};
};

} // namespace

Result<Threshold> parse_threshold(std::string_view text) {
    return Parser{text}.parse();
}

} // namespace hive::telemetry
