#include "colony/tasks/schedule.hpp"

#include "kernel/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace hive::colony::tasks {
namespace {

using std::chrono::days;
using std::chrono::local_days;
using std::chrono::minutes;

constexpr Duration shortest = std::chrono::seconds{10};
constexpr Duration longest = std::chrono::hours{24 * 366};
constexpr std::chrono::hours set_back_most{3};

struct Field {
    std::string_view name;
    unsigned first;
    unsigned last;
};
constexpr std::array fields{
    Field{"minute", 0, 59}, Field{"hour", 0, 23}, Field{"day of month", 1, 31},
    Field{"month", 1, 12}, Field{"day of week", 0, 7}}; // 7 is Sunday as well

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    while (true) {
        const auto end = text.find(at);
        parts.push_back(text.substr(0, end));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

Result<unsigned> number_in(std::string_view text, const Field& field) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < field.first ||
        value > field.last) {
        return fail(
            Errc::invalid, fmt::format(
                               "the {} of a schedule is {} to {}, not '{}'", field.name,
                               field.first, field.last, text.substr(0, 20)));
    }
    return value;
}

// `*`, `5`, `1-5`, `*/15`, `10-50/20`; `mark` gets every number of it.
template <class Mark>
Status read_part(std::string_view part, const Field& field, Mark mark) {
    unsigned step = 1;
    if (const auto slash = part.find('/'); slash != part.npos) {
        const auto value = number_in(part.substr(slash + 1), {field.name, 1, field.last});
        if (!value) return fail(value.error());
        step = *value;
        part = part.substr(0, slash);
    }
    unsigned first = field.first;
    unsigned last = field.last;
    if (part != "*") {
        const auto dash = part.find('-');
        const auto low = number_in(part.substr(0, dash), field);
        if (!low) return fail(low.error());
        const auto high = dash == part.npos ? low : number_in(part.substr(dash + 1), field);
        if (!high) return fail(high.error());
        if (*high < *low) {
            return fail(
                Errc::invalid, fmt::format("the {} range '{}' runs backwards", field.name, part));
        }
        first = *low;
        last = *high;
    }
    for (unsigned n = first; n <= last; n += step) mark(n);
    return {};
}

template <class Bits>
Status read_field(std::string_view text, const Field& field, Bits& bits) {
    for (const auto part : split(text, ',')) {
        if (auto ok = read_part(part, field, [&](unsigned n) { bits.set(n % bits.size()); }); !ok) {
            return ok;
        }
    }
    return {};
}

} // namespace

Result<Schedule> Schedule::parse(std::string_view text) {
    Schedule out;
    if (text.size() > 120) return fail(Errc::invalid, "a schedule has at most 120 characters");
    if (text.find(' ') == text.npos) {
        const auto every = parse_duration(text);
        if (!every) {
            return fail(
                Errc::invalid,
                fmt::format("'{}' is neither an interval (`1h`) nor five cron fields", text));
        }
        if (*every < shortest || *every > longest) {
            return fail(
                Errc::invalid, fmt::format(
                                   "an interval is {} to {}, not {}", format_duration(shortest),
                                   format_duration(longest), text));
        }
        out.every_ = *every;
        return out;
    }
    const auto parts = split(text, ' ');
    if (parts.size() != fields.size()) {
        return fail(
            Errc::invalid,
            fmt::format("a cron schedule has five fields, '{}' has {}", text, parts.size()));
    }
    Status ok = read_field(parts[0], fields[0], out.minutes_);
    if (ok) ok = read_field(parts[1], fields[1], out.hours_);
    if (ok) ok = read_field(parts[2], fields[2], out.days_);
    if (ok) ok = read_field(parts[3], fields[3], out.months_);
    if (ok) ok = read_field(parts[4], fields[4], out.weekdays_);
    if (!ok) return fail(ok.error());
    out.any_day_ = parts[2] == "*";
    out.any_weekday_ = parts[4] == "*";
    return out;
}

bool Schedule::fits(local_days day) const {
    const std::chrono::year_month_day date{day};
    const bool by_day = days_.test(unsigned{date.day()});
    const bool by_weekday = weekdays_.test(std::chrono::weekday{day}.c_encoding());
    const bool fits = any_day_ || any_weekday_ ? by_day && by_weekday : by_day || by_weekday;
    return fits && months_.test(unsigned{date.month()});
}

std::optional<Timestamp> Schedule::next_after(Timestamp time, const TimeZone& zone) const {
    if (is_interval()) return time + every_;
    // Times that clocks showed before they were set back may come again.
    const auto begin = std::chrono::floor<minutes>(zone.to_local(time)) - set_back_most;
    const auto first_day = std::chrono::floor<days>(begin);
    std::optional<Timestamp> again; // the second time of an hour that comes twice
    // A day that comes only with a leap year comes within eight.
    for (auto day = first_day; day < first_day + days{366 * 8 + 2}; day += days{1}) {
        if (!fits(day)) continue;
        const auto from = day == first_day ? begin : std::chrono::local_time<minutes>{day};
        for (auto at = from; at < day + days{1}; at += minutes{1}) {
            const auto minute = static_cast<std::size_t>((at - day).count());
            if (!hours_.test(minute / 60) || !minutes_.test(minute % 60)) continue;
            const auto shown = zone.when(at);
            if (shown.first > time) return again ? std::min(*again, shown.first) : shown.first;
            if (hours_.all() && shown.last > time && !again) again = shown.last;
        }
    }
    return again;
}

} // namespace hive::colony::tasks
