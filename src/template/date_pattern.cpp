#include "template/date_pattern.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>
#include <optional>

namespace hive::templates {
namespace {

namespace chrono = std::chrono;

constexpr std::array<std::string_view, 12> months{"January",   "February", "March",    "April",
                                                  "May",       "June",     "July",     "August",
                                                  "September", "October",  "November", "December"};
constexpr std::array<std::string_view, 7> weekdays{"Monday", "Tuesday",  "Wednesday", "Thursday",
                                                   "Friday", "Saturday", "Sunday"};

// A time taken apart, once a pattern asks.
struct Parts {
    explicit Parts(Timestamp time)
        : days{chrono::floor<chrono::days>(time)}, date{days}, nanos{(time - days).count()} {}

    std::int64_t hour() const { return nanos / 3'600'000'000'000; }
    std::int64_t minute() const { return nanos / 60'000'000'000 % 60; }
    std::int64_t second() const { return nanos / 1'000'000'000 % 60; }
    std::int64_t fraction() const { return nanos % 1'000'000'000; }
    std::size_t month() const { return unsigned{date.month()}; }
    std::size_t weekday() const { return chrono::weekday{days}.iso_encoding(); }
    std::int64_t day_of_year() const {
        return (days - chrono::sys_days{date.year() / chrono::January / 1}).count() + 1;
    }

    chrono::sys_days days;
    chrono::year_month_day date;
    std::int64_t nanos;
};

void pad(std::string& out, std::int64_t value, std::size_t width) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    const auto size = static_cast<std::size_t>(end - digits.data());
    if (size < width) out.append(width - size, '0');
    out.append(digits.data(), size);
}

// SSS is the first three digits of the fraction, cut and not rounded.
void append_fraction(std::string& out, std::int64_t nanos, std::size_t count) {
    std::array<char, 9> digits{};
    for (std::size_t i = digits.size(); i-- > 0;) {
        digits[i] = static_cast<char>('0' + nanos % 10);
        nanos /= 10;
    }
    out.append(digits.data(), count);
}

void append_name(std::string& out, std::string_view name, std::size_t count) {
    if (count == 4) out += name;
    if (count == 5) out += name.front();
    if (count <= 3) out += name.substr(0, 3);
}

void append_year(std::string& out, const Parts& parts, std::size_t count) {
    const int year{parts.date.year()};
    if (count == 2) {
        pad(out, year % 100, 2);
    } else {
        pad(out, year, count);
    }
}

void append_zone(std::string& out, char letter, std::size_t count) {
    if (letter == 'X') out += 'Z';
    if (letter == 'x') out += count == 1 ? "+00" : (count % 2 == 0 ? "+0000" : "+00:00");
    if (letter == 'Z') out += count <= 3 ? "+0000" : (count == 4 ? "GMT" : "Z");
    if (letter == 'O') out += "GMT";
    if (letter == 'z' || letter == 'V') out += "UTC";
}

struct Field {
    char letter;
    std::size_t count;
};

std::optional<std::size_t> longest(char letter) {
    switch (letter) {
    case 'y':
    case 'u': return 9;
    case 'S':
    case 'n': return 9;
    case 'M':
    case 'L':
    case 'E':
    case 'X':
    case 'x':
    case 'Z': return 5;
    case 'z':
    case 'O':
    case 'Q': return 4;
    case 'D': return 3;
    case 'd':
    case 'H':
    case 'h':
    case 'k':
    case 'K':
    case 'm':
    case 's':
    case 'V': return 2;
    case 'a':
    case 'e': return 1;
    default: return std::nullopt;
    }
}

void append_clock(std::string& out, const Parts& parts, Field field) {
    const std::int64_t hour = parts.hour();
    switch (field.letter) {
    case 'H': pad(out, hour, field.count); break;
    case 'k': pad(out, hour == 0 ? 24 : hour, field.count); break;
    case 'K': pad(out, hour % 12, field.count); break;
    case 'h': pad(out, hour % 12 == 0 ? 12 : hour % 12, field.count); break;
    case 'm': pad(out, parts.minute(), field.count); break;
    case 's': pad(out, parts.second(), field.count); break;
    case 'S': append_fraction(out, parts.fraction(), field.count); break;
    case 'n': pad(out, parts.fraction(), field.count); break;
    case 'a': out += hour < 12 ? "AM" : "PM"; break;
    default: append_zone(out, field.letter, field.count);
    }
}

void append_field(std::string& out, const Parts& parts, Field field) {
    switch (field.letter) {
    case 'y':
    case 'u': append_year(out, parts, field.count); break;
    case 'M':
    case 'L':
        if (field.count <= 2) {
            pad(out, static_cast<std::int64_t>(parts.month()), field.count);
        } else {
            append_name(out, months[parts.month() - 1], field.count);
        }
        break;
    case 'd': pad(out, unsigned{parts.date.day()}, field.count); break;
    case 'D': pad(out, parts.day_of_year(), field.count); break;
    case 'E': append_name(out, weekdays[parts.weekday() - 1], field.count); break;
    case 'e': pad(out, static_cast<std::int64_t>(parts.weekday()), 1); break;
    case 'Q':
        if (field.count >= 3) out += 'Q';
        pad(out, static_cast<std::int64_t>((parts.month() - 1) / 3 + 1), field.count == 2 ? 2 : 1);
        break;
    default: append_clock(out, parts, field);
    }
}

constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// 'text', with '' for a quote inside it, or '' alone for a quote. False when it does not end.
bool take_quoted(std::string_view& rest, std::string* out) {
    rest.remove_prefix(1);
    if (rest.starts_with('\'')) {
        if (out != nullptr) *out += '\'';
        rest.remove_prefix(1);
        return true;
    }
    while (!rest.empty()) {
        const char c = rest.front();
        rest.remove_prefix(1);
        if (c == '\'') {
            if (!rest.starts_with('\'')) return true;
            rest.remove_prefix(1);
        }
        if (out != nullptr) *out += c;
    }
    return false;
}

Field take_field(std::string_view& rest) {
    const char letter = rest.front();
    const std::size_t count = std::min(rest.find_first_not_of(letter), rest.size());
    rest.remove_prefix(count);
    return {letter, count};
}

Status bad_field(std::string_view pattern, Field field) {
    const auto most = longest(field.letter);
    if (!most) {
        return fail(
            Errc::invalid,
            fmt::format(
                "'{}' in the date pattern '{}' has no meaning; put text into single quotes",
                field.letter, pattern));
    }
    return fail(
        Errc::invalid, fmt::format(
                           "'{}' may stand at most {} times together in the date pattern '{}'",
                           field.letter, *most, pattern));
}

// Walks the pattern; writes only when there is a place and a time to write.
Status walk(std::string_view pattern, std::string* out, const Parts* parts) {
    std::string_view rest = pattern;
    while (!rest.empty()) {
        const char c = rest.front();
        if (c == '\'') {
            if (take_quoted(rest, out)) continue;
            return fail(
                Errc::invalid,
                fmt::format("a quote in the date pattern '{}' is not closed", pattern));
        }
        if (!is_letter(c)) {
            if (out != nullptr) *out += c;
            rest.remove_prefix(1);
            continue;
        }
        const Field field = take_field(rest);
        const auto most = longest(field.letter);
        if (!most || field.count > *most) return bad_field(pattern, field);
        if (out != nullptr) append_field(*out, *parts, field);
    }
    return {};
}

} // namespace

Status check_date_pattern(std::string_view pattern) {
    return walk(pattern, nullptr, nullptr);
}

Status append_date(std::string& out, Timestamp time, std::string_view pattern) {
    const Parts parts{time};
    return walk(pattern, &out, &parts);
}

} // namespace hive::templates
