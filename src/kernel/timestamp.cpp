#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>

namespace hive {
namespace {

namespace chrono = std::chrono;

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Reads fixed-width fields off the front of a timestamp.
class Fields {
public:
    explicit Fields(std::string_view text) : rest_{text} {}

    std::optional<int> number(std::size_t digits) {
        if (rest_.size() < digits) return std::nullopt;
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            if (!is_digit(rest_[i])) return std::nullopt;
            value = value * 10 + (rest_[i] - '0');
        }
        rest_.remove_prefix(digits);
        return value;
    }
    bool one_of(std::string_view choices) {
        if (rest_.empty() || choices.find(rest_.front()) == choices.npos) return false;
        taken_ = rest_.front();
        rest_.remove_prefix(1);
        return true;
    }
    // `.123` as nanoseconds; digits beyond the ninth are refused.
    std::optional<Duration> fraction() {
        if (!one_of(".")) return Duration{0};
        std::int64_t value = 0;
        std::size_t digits = 0;
        for (; digits < rest_.size() && is_digit(rest_[digits]); ++digits) {
            if (digits == 9) return std::nullopt;
            value = value * 10 + (rest_[digits] - '0');
        }
        if (digits == 0) return std::nullopt;
        rest_.remove_prefix(digits);
        for (; digits < 9; ++digits) value *= 10;
        return Duration{value};
    }
    // Z or +hh:mm / -hh:mm.
    std::optional<chrono::minutes> offset() {
        if (one_of("Zz")) return chrono::minutes{0};
        if (!one_of("+-")) return std::nullopt;
        const int sign = taken_ == '-' ? -1 : 1;
        const auto hours = number(2);
        if (!hours || *hours > 23 || !one_of(":")) return std::nullopt;
        const auto minutes = number(2);
        if (!minutes || *minutes > 59) return std::nullopt;
        return chrono::minutes{sign * (*hours * 60 + *minutes)};
    }
    bool done() const { return rest_.empty(); }

private:
    std::string_view rest_;
    char taken_ = 0;
};

std::optional<Timestamp> parse(std::string_view text) {
    Fields in{text};
    const auto year = in.number(4);
    if (!year || *year < 1678 || *year > 2261 || !in.one_of("-")) return std::nullopt;
    const auto month = in.number(2);
    if (!month || !in.one_of("-")) return std::nullopt;
    const auto day = in.number(2);
    if (!day || !in.one_of("Tt ")) return std::nullopt;
    const auto hour = in.number(2);
    if (!hour || *hour > 23 || !in.one_of(":")) return std::nullopt;
    const auto minute = in.number(2);
    if (!minute || *minute > 59 || !in.one_of(":")) return std::nullopt;
    const auto second = in.number(2);
    if (!second || *second > 60) return std::nullopt;
    const auto fraction = in.fraction();
    if (!fraction) return std::nullopt;
    const auto offset = in.offset();
    if (!offset || !in.done()) return std::nullopt;

    const chrono::year_month_day date{
        chrono::year{*year}, chrono::month{static_cast<unsigned>(*month)},
        chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok()) return std::nullopt;
    const int leapless = *second == 60 ? 59 : *second;
    return Timestamp{chrono::sys_days{date}} + chrono::hours{*hour} + chrono::minutes{*minute} +
           chrono::seconds{leapless} + *fraction - *offset;
}

void put_digits(char* at, std::int64_t value, int digits) {
    for (int i = digits - 1; i >= 0; --i) {
        at[i] = static_cast<char>('0' + value % 10);
        value /= 10;
    }
}

} // namespace

Result<Timestamp> parse_timestamp(std::string_view text) {
    if (const auto time = parse(text)) return *time;
    return fail(
        Errc::invalid,
        fmt::format("'{}' is not an RFC 3339 time like 2025-09-12T12:34:56Z", text.substr(0, 40)));
}

void append_timestamp(std::string& out, Timestamp time) {
    const auto days = chrono::floor<chrono::days>(time);
    const chrono::year_month_day date{days};
    const std::int64_t nanos = (time - days).count();
    const std::int64_t seconds = nanos / 1'000'000'000;
    std::int64_t fraction = nanos % 1'000'000'000;

    std::array<char, 30> text{"0000-00-00T00:00:00.000000000"};
    put_digits(&text[0], int{date.year()}, 4);
    put_digits(&text[5], unsigned{date.month()}, 2);
    put_digits(&text[8], unsigned{date.day()}, 2);
    put_digits(&text[11], seconds / 3600, 2);
    put_digits(&text[14], seconds / 60 % 60, 2);
    put_digits(&text[17], seconds % 60, 2);
    std::size_t size = 19;
    if (fraction != 0) {
        int digits = 9;
        while (fraction % 1000 == 0) {
            fraction /= 1000;
            digits -= 3;
        }
        put_digits(&text[20], fraction, digits);
        size = 20 + static_cast<std::size_t>(digits);
    }
    out.append(text.data(), size);
    out += 'Z';
}

std::string format_timestamp(Timestamp time) {
    std::string out;
    append_timestamp(out, time);
    return out;
}

} // namespace hive
