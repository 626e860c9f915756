#include "template/number_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace hive::templates {
namespace {

constexpr std::string_view digit_marks = "#0,.";
constexpr std::size_t fraction_max = 15;

struct Pattern {
    std::string_view before;
    std::string_view after;
    std::size_t whole_least = 0;    // digits before the point
    std::size_t fraction_least = 0; // and behind it
    std::size_t fraction_most = 0;
    bool grouped = false;
};

Result<Pattern> parse(std::string_view text) {
    const std::size_t first = text.find_first_of(digit_marks);
    if (first == text.npos) {
        return fail(Errc::invalid, fmt::format("the number pattern '{}' has no 0 and no #", text));
    }
    const std::size_t end = std::min(text.find_first_not_of(digit_marks, first), text.size());
    const std::string_view digits = text.substr(first, end - first);
    const std::size_t point = digits.find('.');
    const std::string_view whole = digits.substr(0, point);
    const std::string_view fraction = point == digits.npos ? "" : digits.substr(point + 1);
    if (fraction.find_first_of(".,") != fraction.npos || fraction.size() > fraction_max) {
        return fail(
            Errc::invalid,
            fmt::format(
                "the number pattern '{}' needs one point and at most 15 digits behind it", text));
    }
    const auto zeros = [](std::string_view of) {
        return static_cast<std::size_t>(std::ranges::count(of, '0'));
    };
    return Pattern{
        .before = text.substr(0, first),
        .after = text.substr(end),
        .whole_least = zeros(whole),
        .fraction_least = zeros(fraction),
        .fraction_most = fraction.size(),
        .grouped = whole.find(',') != whole.npos};
}

void append_grouped(std::string& out, std::string_view digits, bool grouped) {
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (grouped && i > 0 && (digits.size() - i) % 3 == 0) out += ',';
        out += digits[i];
    }
}

} // namespace

Status append_formatted(std::string& out, const Value& number, std::string_view pattern) {
    const auto parsed = parse(pattern);
    if (!parsed) return fail(parsed.error());
    const bool real = number.is(Kind::real);
    if (real && !std::isfinite(number.real())) {
        append_number(out, number.real());
        return {};
    }
    // Halves go to the even digit, as in Java; fmt rounds the exact value of the double.
    std::string text = real ? fmt::format("{:.{}f}", number.real(), parsed->fraction_most)
                            : fmt::format("{}", number.integer());
    const bool negative = text.starts_with('-') && text.find_first_of("123456789") != text.npos;
    if (text.starts_with('-')) text.erase(0, 1);
    const std::size_t point = text.find('.');
    std::string whole = text.substr(0, point);
    std::string fraction = point == text.npos ? "" : text.substr(point + 1);
    while (fraction.size() > parsed->fraction_least && fraction.ends_with('0')) fraction.pop_back();
    fraction.resize(std::max(fraction.size(), parsed->fraction_least), '0');
    if (whole == "0" && parsed->whole_least == 0) whole.clear();
    if (whole.size() < parsed->whole_least)
        whole.insert(0, parsed->whole_least - whole.size(), '0');
    if (whole.empty() && fraction.empty()) whole = "0";
    if (negative) out += '-';
    out += parsed->before;
    append_grouped(out, whole, parsed->grouped);
    if (!fraction.empty()) out += '.';
    out += fraction;
    out += parsed->after;
    return {};
}

} // namespace hive::templates
