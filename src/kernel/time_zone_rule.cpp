#include "kernel/time_zone_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace hive {
namespace {

using namespace std::chrono;
using Day = TimeZoneRule::Day;

// What is left to read of a rule; each step takes what it read.
class Text {
public:
    explicit Text(std::string_view rest) : rest_{rest} {}

    bool empty() const noexcept { return rest_.empty(); }
    bool take(char c) {
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    std::optional<unsigned> number(unsigned most) {
        unsigned value = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error != std::errc{} || value > most) return std::nullopt;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return value;
    }
    // `CEST`, or `<+0330>`.
    bool name() {
        const bool quoted = take('<');
        const auto is_part = [&](char c) {
            if (quoted) return c != '>';
            return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        };
        std::size_t length = 0;
        while (length < rest_.size() && is_part(rest_[length])) ++length;
        rest_.remove_prefix(length);
        return length >= 3 && (!quoted || take('>'));
    }
    // `[+-]hh[:mm[:ss]]`
    std::optional<seconds> clock() {
        constexpr unsigned hours_most = 167; // a week, either way
        const bool negative = take('-');
        if (!negative) take('+');
        const auto h = number(hours_most);
        if (!h) return std::nullopt;
        seconds value = hours{*h};
        for (const seconds unit : {seconds{60}, seconds{1}}) {
            if (!take(':')) break;
            const auto part = number(59);
            if (!part) return std::nullopt;
            value += *part * unit;
        }
        return negative ? -value : value;
    }

private:
    std::string_view rest_;
};

std::optional<Day> weekday_in(Text& text) {
    Day day;
    const auto month = text.number(12);
    if (!month || *month == 0 || !text.take('.')) return std::nullopt;
    const auto week = text.number(5);
    if (!week || *week == 0 || !text.take('.')) return std::nullopt;
    const auto weekday = text.number(6);
    if (!weekday) return std::nullopt;
    day.month = *month;
    day.week = *week;
    day.weekday = *weekday;
    return day;
}

std::optional<Day> numbered_day_in(Text& text) {
    Day day{.kind = text.take('J') ? Day::Kind::without_leap_day : Day::Kind::with_leap_day};
    const auto number = text.number(365);
    if (!number || (day.kind == Day::Kind::without_leap_day && *number == 0)) return std::nullopt;
    day.number = *number;
    return day;
}

std::optional<Day> day_in(Text& text) {
    auto day = text.take('M') ? weekday_in(text) : numbered_day_in(text);
    if (!day || !text.take('/')) return day;
    const auto time = text.clock();
    if (!time) return std::nullopt;
    day->time = *time;
    return day;
}

local_days date_of(const Day& day, year y) {
    switch (day.kind) {
    case Day::Kind::weekday: {
        const std::chrono::weekday on{day.weekday};
        const auto within = y / month{day.month};
        if (day.week == 5) return local_days{within / on[last]};
        return local_days{within / on[day.week]};
    }
    case Day::Kind::without_leap_day: {
        const bool after_february = y.is_leap() && day.number > 59;
        return local_days{y / January / 1} + days{day.number - 1 + (after_february ? 1U : 0U)};
    }
    case Day::Kind::with_leap_day: return local_days{y / January / 1} + days{day.number};
    }
    std::abort();
}

sys_seconds instant(const Day& day, year y, seconds offset) {
    return sys_seconds{(local_seconds{date_of(day, y)} + day.time).time_since_epoch() - offset};
}

} // namespace

Result<TimeZoneRule> TimeZoneRule::parse(std::string_view text) {
    const auto bad =
        fail(Errc::invalid, fmt::format("'{}' is no rule of a time zone", text.substr(0, 80)));
    Text rest{text};
    TimeZoneRule rule;
    if (!rest.name()) return bad;
    const auto standard = rest.clock();
    if (!standard) return bad;
    rule.standard_ = -*standard; // POSIX counts westward
    if (rest.empty()) return rule;
    rule.has_summer_ = true;
    rule.summer_ = rule.standard_ + hours{1};
    if (!rest.name()) return bad;
    if (!rest.take(',')) {
        const auto summer = rest.clock();
        if (!summer || !rest.take(',')) return bad;
        rule.summer_ = -*summer;
    }
    const auto begins = day_in(rest);
    if (!begins || !rest.take(',')) return bad;
    const auto ends = day_in(rest);
    if (!ends || !rest.empty()) return bad;
    rule.summer_begins_ = *begins;
    rule.summer_ends_ = *ends;
    return rule;
}

std::vector<TimeZoneRule::Change> TimeZoneRule::changes_in(year year) const {
    if (!has_summer_) return {};
    std::vector<Change> changes{
        {instant(summer_begins_, year, standard_), summer_},
        {instant(summer_ends_, year, summer_), standard_}};
    std::ranges::sort(changes, {}, &Change::at);
    return changes;
}

} // namespace hive
