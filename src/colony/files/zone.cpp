#include "colony/files/zone.hpp"

#include "colony/files/text.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::colony::files {
namespace {

using namespace std::chrono;

struct Known {
    std::string_view name;
    minutes offset;
    Summer summer;
};
constexpr std::array places{
    Known{"UTC", 0h, Summer::none},
    Known{"America/New_York", -5h, Summer::american},
    Known{"America/Chicago", -6h, Summer::american},
    Known{"America/Denver", -7h, Summer::american},
    Known{"America/Phoenix", -7h, Summer::none},
    Known{"America/Los_Angeles", -8h, Summer::american},
    Known{"America/Sao_Paulo", -3h, Summer::none},
    Known{"Europe/London", 0h, Summer::european},
    Known{"Europe/Berlin", 1h, Summer::european},
    Known{"Europe/Paris", 1h, Summer::european},
    Known{"Europe/Helsinki", 2h, Summer::european},
    Known{"Asia/Kolkata", 330min, Summer::none},
    Known{"Asia/Shanghai", 8h, Summer::none},
    Known{"Asia/Tokyo", 9h, Summer::none},
};

// As people abbreviate them behind a time.
constexpr std::array abbreviations{
    Known{"CDT", -5h, Summer::none}, Known{"CST", -6h, Summer::none},
    Known{"EDT", -4h, Summer::none}, Known{"EST", -5h, Summer::none},
    Known{"MDT", -6h, Summer::none}, Known{"MST", -7h, Summer::none},
    Known{"PDT", -7h, Summer::none}, Known{"PST", -8h, Summer::none},
    Known{"UTC", 0h, Summer::none},  Known{"GMT", 0h, Summer::none},
    Known{"CEST", 2h, Summer::none}, Known{"CET", 1h, Summer::none},
    Known{"BST", 1h, Summer::none},
};

constexpr std::array<std::string_view, 12> months{"january",   "february", "march",    "april",
                                                  "may",       "june",     "july",     "august",
                                                  "september", "october",  "november", "december"};

std::optional<minutes> offset_in(std::string_view text) {
    const bool sign = text.starts_with('+') || text.starts_with('-');
    if (!sign || text.size() < 6 || text[3] != ':') return std::nullopt;
    const auto h = number(text.substr(1, 2));
    const auto m = number(text.substr(4, 2));
    if (!h || !m || *h > 14 || *m > 59) return std::nullopt;
    const minutes offset = hours{*h} + minutes{*m};
    return text.front() == '-' ? -offset : offset;
}

local_days sunday(int y, unsigned m, unsigned nth) {
    return local_days{year{y} / month{m} / Sunday[nth]};
}
local_days last_sunday(int y, unsigned m) {
    return local_days{year{y} / month{m} / Sunday[last]};
}

// A date, its clock and what follows, as digits were found.
struct Scanned {
    year_month_day day{};
    std::optional<seconds> clock{};
    std::optional<minutes> offset{};
};

std::optional<year_month_day> day_of(int y, int m, int d) {
    const year_month_day day{
        year{y}, month{static_cast<unsigned>(m)}, std::chrono::day{static_cast<unsigned>(d)}};
    if (!day.ok() || y < 1970 || y > 2200) return std::nullopt;
    return day;
}

// `YYYY-MM-DD` or `YYYY/MM/DD` at the start.
std::optional<year_month_day> iso_day(std::string_view text) {
    if (text.size() < 10 || (text[4] != '-' && text[4] != '/') || text[7] != text[4])
        return std::nullopt;
    const auto y = number(text.substr(0, 4));
    const auto m = number(text.substr(5, 2));
    const auto d = number(text.substr(8, 2));
    if (!y || !m || !d) return std::nullopt;
    return day_of(*y, *m, *d);
}

// 24:00 is the end of the day; other impossible times are none.
std::optional<seconds> clock_of(int h, int m, int s) {
    if (h == 24 && m == 0 && s == 0) return 24h;
    if (h > 23 || m > 59 || s > 60) return std::nullopt;
    return hours{h} + minutes{m} + seconds{s};
}

std::size_t digits_at(std::string_view text) {
    std::size_t count = 0;
    while (count < text.size() && is_digit(text[count])) ++count;
    return count;
}

// `15:30[:20[.5]]` or `1530` at the start; takes what it read.
std::optional<seconds> take_clock(std::string_view& text) {
    const auto first = digits_at(text);
    if (first == 4) {
        const auto clock = clock_of(*number(text.substr(0, 2)), *number(text.substr(2, 2)), 0);
        if (clock) text.remove_prefix(4);
        return clock;
    }
    if (first == 0 || first > 2 || text.size() < first + 3 || text[first] != ':')
        return std::nullopt;
    const auto h = number(text.substr(0, first));
    const auto m = number(text.substr(first + 1, 2));
    if (!h || !m) return std::nullopt;
    std::string_view rest = text.substr(first + 3);
    int s = 0;
    if (rest.size() >= 3 && rest[0] == ':' && number(rest.substr(1, 2))) {
        s = *number(rest.substr(1, 2));
        rest.remove_prefix(3);
        if (rest.starts_with('.')) rest.remove_prefix(1 + digits_at(rest.substr(1)));
    }
    const auto clock = clock_of(*h, *m, s);
    if (clock) text = rest;
    return clock;
}

void skip_blank(std::string_view& text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == ',')) text.remove_prefix(1);
}

bool take_word(std::string_view& text, std::string_view word) {
    if (!same_but_case(text.substr(0, word.size()), word)) return false;
    if (text.size() > word.size() && is_word(text[word.size()])) return false;
    text.remove_prefix(word.size());
    return true;
}

// The time and the zone behind a date.
void scan_clock(std::string_view rest, Scanned& scanned) {
    if (rest.starts_with('T') || rest.starts_with('_')) {
        rest.remove_prefix(1);
    } else {
        skip_blank(rest);
        if (rest.starts_with("at ")) rest.remove_prefix(3);
        if (rest.starts_with("- ")) rest.remove_prefix(2);
        if (rest.starts_with('~') || rest.starts_with('(')) rest.remove_prefix(1);
    }
    scanned.clock = take_clock(rest);
    if (!scanned.clock) return;
    skip_blank(rest);
    const bool noon_or_past = *scanned.clock >= 12h;
    if (take_word(rest, "PM") && !noon_or_past) *scanned.clock += 12h;
    if (take_word(rest, "AM") && noon_or_past && *scanned.clock < 13h) *scanned.clock -= 12h;
    skip_blank(rest);
    if (take_word(rest, "Z")) scanned.offset = minutes{0};
    if (const auto offset = offset_in(rest)) scanned.offset = offset;
    if (rest.starts_with('(')) rest.remove_prefix(1);
    for (const Known& known : abbreviations) {
        if (take_word(rest, known.name)) scanned.offset = known.offset;
    }
}

// `October 26, 2025` or `Oct 26 2025` at the start.
std::optional<year_month_day> worded_day(std::string_view& text) {
    for (std::size_t i = 0; i < months.size(); ++i) {
        std::string_view rest = text;
        if (!take_word(rest, months.at(i)) && !take_word(rest, months.at(i).substr(0, 3))) continue;
        skip_blank(rest);
        const auto d = digits_at(rest);
        if (d == 0 || d > 2) return std::nullopt;
        const auto day_number = number(rest.substr(0, d));
        rest.remove_prefix(d);
        skip_blank(rest);
        if (digits_at(rest) != 4) return std::nullopt;
        const auto found = day_of(*number(rest.substr(0, 4)), static_cast<int>(i) + 1, *day_number);
        if (found) text = rest.substr(4);
        return found;
    }
    return std::nullopt;
}

When moment_of(const Scanned& scanned, const Zone& zone) {
    const local_seconds local = local_days{scanned.day} + scanned.clock.value_or(0s);
    When when{.has_clock = scanned.clock.has_value(), .has_zone = scanned.offset.has_value()};
    if (scanned.offset) {
        when.time = Timestamp{local.time_since_epoch() - *scanned.offset};
    } else {
        when.time = zone.to_utc(local);
    }
    return when;
}

} // namespace

Result<Zone> Zone::parse(std::string_view text) {
    for (const Known& place : places) {
        if (same_but_case(place.name, text))
            return Zone{std::string{place.name}, place.offset, place.summer};
    }
    if (text.size() == 6) {
        if (const auto offset = offset_in(text))
            return Zone{std::string{text}, *offset, Summer::none};
    }
    std::string known;
    for (const Known& place : places) known += fmt::format("{}, ", place.name);
    return fail(
        Errc::invalid, fmt::format("'{}' is no known zone; known are {}and +HH:MM", text, known));
}

bool Zone::in_summer(local_seconds standard) const {
    const int y = static_cast<int>(year_month_day{floor<days>(standard)}.year());
    if (summer_ == Summer::american) {
        return standard >= sunday(y, 3, 2) + 2h && standard < sunday(y, 11, 1) + 1h;
    }
    if (summer_ == Summer::european) { // at 01:00 UTC everywhere
        return standard >= last_sunday(y, 3) + 1h + offset_ &&
               standard < last_sunday(y, 10) + 1h + offset_;
    }
    return false;
}

Timestamp Zone::to_utc(local_seconds time) const {
    // What the clock shows in summer is an hour ahead of the standard time.
    const minutes summer = in_summer(time - 1h) ? minutes{60} : minutes{0};
    return Timestamp{time.time_since_epoch() - offset_ - summer};
}

local_seconds Zone::to_local(Timestamp time) const {
    const local_seconds standard{floor<seconds>(time.time_since_epoch()) + offset_};
    return in_summer(standard) ? standard + 1h : standard;
}

std::optional<When> when_in(std::string_view text, const Zone& zone) {
    text = clipped(text, 4096);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (i > 0 && is_word(text[i - 1])) continue;
        std::string_view rest = text.substr(i);
        Scanned scanned;
        if (const auto day = iso_day(rest)) {
            scanned.day = *day;
            rest.remove_prefix(10);
        } else if (const auto worded = worded_day(rest)) {
            scanned.day = *worded;
        } else {
            continue;
        }
        scan_clock(rest, scanned);
        return moment_of(scanned, zone);
    }
    return std::nullopt;
}

std::optional<NamedTime> when_at_start(std::string_view name, const Zone& zone) {
    Scanned scanned;
    std::size_t length = 0;
    if (const auto day = iso_day(name)) {
        scanned.day = *day;
        length = 10;
    } else if (digits_at(name) == 8) {
        const auto compact = day_of(
            *number(name.substr(0, 4)), *number(name.substr(4, 2)), *number(name.substr(6, 2)));
        if (!compact) return std::nullopt;
        scanned.day = *compact;
        length = 8;
    } else {
        return std::nullopt;
    }
    if (name.size() > length && (name[length] == '-' || name[length] == '_')) {
        const std::string_view rest = name.substr(length + 1);
        const auto digits = digits_at(rest);
        const bool ends = digits == rest.size() || !is_word(rest[digits]);
        if (ends && (digits == 4 || digits == 6)) {
            scanned.clock = clock_of(
                *number(rest.substr(0, 2)), *number(rest.substr(2, 2)),
                digits == 6 ? *number(rest.substr(4, 2)) : 0);
            length += 1 + digits; // also when it is no time of day: it was meant as one
        }
    }
    return NamedTime{moment_of(scanned, zone), length};
}

std::string stamp(Timestamp time, const Zone& zone) {
    const auto local = zone.to_local(time);
    const auto day = floor<days>(local);
    const year_month_day date{day};
    const hh_mm_ss clock{local - day};
    return fmt::format(
        "{:04}-{:02}-{:02}-{:02}{:02}{:02}", static_cast<int>(date.year()),
        static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
        clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

} // namespace hive::colony::files
