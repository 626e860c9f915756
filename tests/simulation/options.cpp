#include "tests/simulation/options.hpp"

#include <fmt/format.h>

#include <charconv>

namespace hive::simulation {
namespace {

struct Range {
    std::uint64_t low;
    std::uint64_t high;
};
constexpr Range any_seed{0, 1'000'000'000'000'000'000};

Result<std::uint64_t> number_in(std::string_view flag, std::string_view text, Range range) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && value >= range.low && value <= range.high) return value;
    return fail(
        Errc::invalid, fmt::format(
                           "{} wants a whole number from {} to {}, not '{}'", flag, range.low,
                           range.high, text.substr(0, 40)));
}

Status set_number(Options& options, std::string_view flag, std::string_view text) {
    const bool is_seed = flag == "--seed" || flag == "--from";
    const Range range = is_seed               ? any_seed
                        : flag == "--jobs"    ? Range{1, 256}
                        : flag == "--minutes" ? Range{1, 1'000'000}
                                              : Range{1, any_seed.high};
    const auto value = number_in(flag, text, range);
    if (!value) return fail(value.error());
    if (flag == "--seed") options.seed = *value;
    if (flag == "--from") options.from = *value;
    if (flag == "--seeds") options.seeds = *value;
    if (flag == "--minutes") options.minutes = *value;
    if (flag == "--jobs") options.jobs = static_cast<unsigned>(*value);
    return {};
}

Status set_value(Options& options, std::string_view flag, std::string_view text) {
    if (flag == "--scenario") {
        options.scenario = find_scenario(text);
        if (options.scenario != nullptr) return {};
        return fail(
            Errc::invalid,
            fmt::format("no scenario is called '{}'; --list shows them all", text.substr(0, 40)));
    }
    if (flag == "--faults") {
        const auto faults = FaultSet::parse(text);
        if (!faults) return fail(faults.error());
        options.faults = *faults;
        return {};
    }
    return set_number(options, flag, text);
}

bool* switch_called(Options& options, std::string_view flag) {
    if (flag == "--trace") return &options.trace;
    if (flag == "--list") return &options.list;
    if (flag == "--help" || flag == "-h") return &options.help;
    return nullptr;
}

bool takes_value(std::string_view flag) {
    for (const std::string_view known :
         {"--scenario", "--seed", "--seeds", "--from", "--minutes", "--jobs", "--faults"}) {
        if (flag == known) return true;
    }
    return false;
}

} // namespace

Result<Options> parse_options(std::span<const char* const> arguments, unsigned cores) {
    Options options;
    options.scenario = &scenarios().front();
    options.jobs = cores == 0 ? 1 : cores;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string_view flag = arguments[i];
        if (bool* on = switch_called(options, flag)) {
            *on = true;
            continue;
        }
        if (!takes_value(flag)) {
            return fail(
                Errc::invalid,
                fmt::format("unknown argument '{}'; --help shows them all", flag.substr(0, 40)));
        }
        if (i + 1 == arguments.size()) {
            return fail(Errc::invalid, fmt::format("{} wants a value", flag));
        }
        if (auto set = set_value(options, flag, arguments[++i]); !set) return fail(set.error());
    }
    if (options.trace && !options.seed) {
        return fail(Errc::invalid, "--trace tells the story of one run: give its --seed");
    }
    return options;
}

} // namespace hive::simulation
