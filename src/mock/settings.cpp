#include "mock/settings.hpp"

#include "kernel/duration.hpp"

#include <fmt/format.h>

namespace hive::mock {
namespace {

Status check_shares(const Behaviour& does, std::string_view where) {
    const double sum = does.error_ratio.value + does.reset_ratio.value + does.silent_ratio.value +
                       does.truncate_ratio.value + does.lie_ratio.value;
    if (sum <= 1 + 1e-9) return {};
    return fail(
        Errc::invalid,
        fmt::format(
            "{}: the shares of faults are {:.4g}% together; at most 100% is possible", where,
            sum * 100));
}

} // namespace

Result<Stall> parse_stall(std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto at = parse_duration(text.substr(0, colon));
    const auto lasts = colon == text.npos ? at : parse_duration(text.substr(colon + 1));
    if (colon == text.npos || !at || !lasts)
        return fail(Errc::invalid, "expected " + ConfigType<Stall>::expected());
    return Stall{*at, *lasts};
}

Status check(const Settings& settings) {
    if (!settings.http && settings.tcp.empty())
        return fail(Errc::invalid, "nothing to listen on; give --http PORT or --tcp PORT");
    if (settings.capacity > 0 && settings.threads > 1) {
        return fail(
            Errc::invalid,
            "a capacity is kept by one thread; leave --threads at 1, or give no --capacity");
    }
    if (auto checked = check_shares(settings.usual, "the default answer"); !checked) return checked;
    for (const Route& route : settings.routes) {
        if (auto checked = check_shares(route.does, route.path); !checked) return checked;
    }
    return {};
}

} // namespace hive::mock
