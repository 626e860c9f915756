#include "report/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace hive::report {
namespace {

constexpr double whole_max = 1e15; // above it a double has no digits to spare

std::uint64_t whole(double number) {
    return static_cast<std::uint64_t>(std::llround(std::clamp(number, 0.0, whole_max)));
}

// Three digits that matter, without zeros at the end of a fraction.
std::string three_digits(double number) {
    if (number >= 99.95) return count_text(whole(number));
    std::string text = fmt::format(
        "{:.{}f}", number,
        number >= 9.995    ? 1
        : number >= 0.9995 ? 2
                           : 3);
    if (text.find('.') == text.npos) return text;
    while (text.ends_with('0')) text.pop_back();
    if (text.ends_with('.')) text.pop_back();
    return text;
}

// Three digits with the zeros kept: columns of them stay in line.
std::string fixed_digits(double number) {
    if (number >= 99.95) return count_text(whole(number));
    return fmt::format("{:.{}f}", number, number >= 9.995 ? 1 : 2);
}

} // namespace

std::string count_text(std::uint64_t count) {
    std::string text = fmt::format("{}", count);
    for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
    return text;
}

std::string number_text(double number) {
    if (!std::isfinite(number)) return "-";
    return number < 0 ? "-" + three_digits(-number) : three_digits(number);
}

std::string rate_text(double per_sec) {
    return number_text(per_sec) + "/s";
}

std::string micros_text(double us) {
    if (!std::isfinite(us) || us < 0) return "-";
    if (us < 999.5) return (us < 9.995 ? fixed_digits(us) : count_text(whole(us))) + " µs";
    if (us < 999'500) return fixed_digits(us / 1e3) + " ms";
    return fixed_digits(us / 1e6) + " s";
}

std::string share_text(double share) {
    if (!std::isfinite(share)) return "-";
    const double percent = share * 100;
    // Something that failed must not look like nothing.
    if (percent > 0 && percent < 0.0005) return "< 0.001 %";
    if (percent < 100 && percent > 99.9) {
        return percent > 99.9995 ? "> 99.999 %" : fmt::format("{:.3f} %", percent);
    }
    return number_text(percent) + " %";
}

std::string bytes_text(double bytes) {
    constexpr std::array<std::string_view, 6> units{"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
    return fmt::format("{} {}", number_text(bytes), units[unit]);
}

std::string clock_text(double sec) {
    const std::uint64_t all = whole(std::floor(sec));
    const std::uint64_t minutes = all / 60;
    if (minutes < 60) return fmt::format("{}:{:02}", minutes, all % 60);
    return fmt::format("{}:{:02}:{:02}", minutes / 60, minutes % 60, all % 60);
}

std::string seconds_text(double sec) {
    if (sec < 119.5) return number_text(sec) + " s";
    const std::uint64_t all = whole(sec);
    if (all < 3600) return fmt::format("{} min {} s", all / 60, all % 60);
    return fmt::format("{} h {} min", all / 3600, all % 3600 / 60);
}

} // namespace hive::report
