#include "kernel/duration.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

namespace hive {
namespace {

using namespace std::chrono_literals;

struct Unit {
    std::string_view name;
    Duration size;
};

constexpr std::array<Unit, 7> short_units{{
    {"d", 24h},
    {"h", 1h},
    {"m", 1min},
    {"s", 1s},
    {"ms", 1ms},
    {"us", 1us},
    {"ns", 1ns},
}};
constexpr std::array<Unit, 2> iso_date_units{{{"W", 7 * 24h}, {"D", 24h}}};
constexpr std::array<Unit, 3> iso_time_units{{{"H", 1h}, {"M", 1min}, {"S", 1s}}};

// A century: far beyond any scenario, far below overflow.
constexpr Duration longest = 100 * 365 * 24h;

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Reads one `<number><unit>` off the front of `text`; empty when there is none.
template <std::size_t N>
std::optional<Duration> take_part(std::string_view& text, const std::array<Unit, N>& units) {
    double whole = 0;
    double fraction = 0;
    double scale = 1;
    std::size_t i = 0;
    for (; i < text.size() && is_digit(text[i]); ++i) whole = whole * 10 + (text[i] - '0');
    if (i == 0) return std::nullopt;
    if (i < text.size() && (text[i] == '.' || text[i] == ',')) {
        const std::size_t point = i++;
        for (; i < text.size() && is_digit(text[i]); ++i) {
            scale /= 10;
            fraction += scale * (text[i] - '0');
        }
        if (i == point + 1) return std::nullopt;
    }
    const std::size_t unit_at = i;
    while (i < text.size() && is_letter(text[i])) ++i;
    for (const auto& unit : units) {
        // ISO time parts follow each other without a break, so a unit is matched by prefix there.
        const auto name = text.substr(unit_at, N == 7 ? i - unit_at : 1);
        if (name != unit.name) continue;
        const double size = static_cast<double>(unit.size.count());
        if (whole > static_cast<double>(longest.count()) / size) return longest + 1ns;
        text.remove_prefix(unit_at + name.size());
        return Duration{
            static_cast<Duration::rep>(whole) * unit.size.count() + std::llround(fraction * size)};
    }
    return std::nullopt;
}

template <std::size_t N>
std::optional<Duration> sum_parts(std::string_view text, const std::array<Unit, N>& units) {
    Duration total{0};
    while (!text.empty()) {
        const auto part = take_part(text, units);
        if (!part || (total += *part) > longest) return std::nullopt;
    }
    return total;
}

std::optional<Duration> parse_iso(std::string_view text) {
    text.remove_prefix(1); // P
    const std::size_t t = text.find('T');
    const auto date = text.substr(0, t);
    const auto time = t == text.npos ? std::string_view{} : text.substr(t + 1);
    if (date.empty() && time.empty()) return std::nullopt;
    if (t != text.npos && time.empty()) return std::nullopt;
    const auto days = sum_parts(date, iso_date_units);
    const auto rest = sum_parts(time, iso_time_units);
    if (!days || !rest || *days + *rest > longest) return std::nullopt;
    return *days + *rest;
}

} // namespace

Result<Duration> parse_duration(std::string_view text) {
    constexpr std::size_t text_max = 64;
    std::optional<Duration> parsed;
    if (!text.empty() && text.size() <= text_max) {
        parsed = text.front() == 'P' ? parse_iso(text) : sum_parts(text, short_units);
    }
    if (!parsed) {
        return fail(
            Errc::invalid,
            fmt::format(
                "'{}' is not a duration; write 250ms, 5s, 2m, 1h or ISO-8601 like PT15S",
                text.substr(0, text_max)));
    }
    return *parsed;
}

std::string format_duration(Duration duration) {
    if (duration == Duration::zero()) return "0s";
    std::string out;
    if (duration < Duration::zero()) {
        out += '-';
        duration = -duration;
    }
    for (const auto& unit : short_units) {
        const auto count = duration / unit.size;
        if (count == 0) continue;
        out += fmt::format("{}{}", count, unit.name);
        duration -= count * unit.size;
    }
    return out;
}

} // namespace hive
