#include "mock/delay.hpp"

#include "kernel/duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

namespace hive::mock {
namespace {

using Kind = Delay::Kind;

enum class Argument : std::uint8_t { none, duration, sigma, ratio };

struct Form {
    std::string_view name;
    Kind kind;
    Argument second;
    Argument third;
};
constexpr std::array forms{
    Form{"uniform", Kind::uniform, Argument::duration, Argument::none},
    Form{"normal", Kind::normal, Argument::duration, Argument::none},
    Form{"exponential", Kind::exponential, Argument::none, Argument::none},
    Form{"lognormal", Kind::lognormal, Argument::sigma, Argument::none},
    Form{"bimodal", Kind::bimodal, Argument::duration, Argument::ratio},
};
constexpr double sigma_max = 5;

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' ')) text.remove_prefix(1);
    while (text.ends_with(' ')) text.remove_suffix(1);
    return text;
}

std::vector<std::string_view> split(std::string_view text) {
    std::vector<std::string_view> parts;
    for (;;) {
        const std::size_t comma = text.find(',');
        parts.push_back(trimmed(text.substr(0, comma)));
        if (comma == text.npos) return parts;
        text.remove_prefix(comma + 1);
    }
}

double normal(Random& random) {
    const double radius = std::sqrt(-2 * std::log1p(-random.unit()));
    return radius * std::cos(2 * std::numbers::pi * random.unit());
}

Status read_argument(Argument what, std::string_view text, Delay& out) {
    if (what == Argument::duration) {
        const auto duration = parse_duration(text);
        if (!duration) return fail(duration.error());
        out.second = *duration;
    } else if (what == Argument::sigma) {
        const auto sigma = ConfigType<double>::parse(text);
        if (!sigma || *sigma < 0 || *sigma > sigma_max)
            return fail(Errc::invalid, fmt::format("sigma must be from 0 to {}", sigma_max));
        out.share = *sigma;
    } else {
        const auto ratio = parse_ratio(text);
        if (!ratio) return fail(ratio.error());
        out.share = ratio->value;
    }
    return {};
}

Result<Delay> checked(const Delay& delay) {
    if (delay.first > delay_max || delay.second > delay_max)
        return fail(Errc::invalid, "a delay is at most one hour");
    if (delay.kind == Kind::uniform && delay.second < delay.first)
        return fail(Errc::invalid, "uniform(MIN,MAX): the minimum is above the maximum");
    return delay;
}

} // namespace

Duration Delay::sample(Random& random) const {
    const auto mean = static_cast<double>(first.count());
    double ns = mean;
    switch (kind) {
    case Kind::constant: return first;
    case Kind::uniform: ns += static_cast<double>((second - first).count()) * random.unit(); break;
    case Kind::normal: ns += static_cast<double>(second.count()) * normal(random); break;
    case Kind::exponential: ns *= -std::log1p(-random.unit()); break;
    case Kind::lognormal: ns *= std::exp(share * normal(random)); break;
    case Kind::bimodal: return random.chance(share) ? second : first;
    }
    const auto most = static_cast<double>(delay_max.count());
    return Duration{static_cast<Duration::rep>(std::clamp(ns, 0.0, most))};
}

Result<Delay> parse_delay(std::string_view text) {
    text = trimmed(text);
    const std::size_t open = text.find('(');
    if (open == text.npos) {
        const auto duration = parse_duration(text);
        if (!duration) return fail(duration.error());
        return checked({.first = *duration});
    }
    const auto* form = std::ranges::find(forms, text.substr(0, open), &Form::name);
    if (form == forms.end() || !text.ends_with(')'))
        return fail(Errc::invalid, "expected " + ConfigType<Delay>::expected());
    const auto parts = split(text.substr(open + 1, text.size() - open - 2));
    const std::size_t wanted =
        1U + (form->second == Argument::none ? 0U : 1U) + (form->third == Argument::none ? 0U : 1U);
    if (parts.size() != wanted) {
        return fail(
            Errc::invalid, fmt::format("{} takes {} values in brackets", form->name, wanted));
    }
    Delay out{.kind = form->kind};
    const auto first = parse_duration(parts[0]);
    if (!first) return fail(first.error());
    out.first = *first;
    for (const auto& [argument, index] :
         {std::pair{form->second, 1U}, std::pair{form->third, 2U}}) {
        if (argument == Argument::none) continue;
        if (auto read = read_argument(argument, parts[index], out); !read)
            return fail(read.error());
    }
    return checked(out);
}

std::string format_delay(const Delay& delay) {
    const std::string first = format_duration(delay.first);
    const std::string second = format_duration(delay.second);
    switch (delay.kind) {
    case Kind::constant: return first;
    case Kind::uniform: return fmt::format("uniform({},{})", first, second);
    case Kind::normal: return fmt::format("normal({},{})", first, second);
    case Kind::exponential: return fmt::format("exponential({})", first);
    case Kind::lognormal: return fmt::format("lognormal({},{})", first, delay.share);
    case Kind::bimodal:
        return fmt::format("bimodal({},{},{})", first, second, format_ratio({delay.share}));
    }
    return first;
}

Result<Ratio> parse_ratio(std::string_view text) {
    text = trimmed(text);
    const bool percent = text.ends_with('%');
    if (percent) text.remove_suffix(1);
    const auto number = ConfigType<double>::parse(text);
    const double value = number ? *number / (percent ? 100 : 1) : -1;
    if (!(value >= 0 && value <= 1))
        return fail(Errc::invalid, "expected a share from 0% to 100%, like 1% or 0.01");
    return Ratio{value};
}

std::string format_ratio(Ratio ratio) {
    return fmt::format("{}%", ConfigType<double>::show(ratio.value * 100));
}

} // namespace hive::mock
