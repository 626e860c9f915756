#include "kernel/log.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace hive {
namespace {

constexpr std::array<Named<LogLevel>, 6> level_names{{
    {"trace", LogLevel::trace},
    {"debug", LogLevel::debug},
    {"info", LogLevel::info},
    {"warn", LogLevel::warn},
    {"error", LogLevel::error},
    {"off", LogLevel::off},
}};

struct LevelSpec {
    LogLevel fallback = LogLevel::info;
    std::vector<std::pair<std::string_view, LogLevel>> areas{};
};

auto bad_spec(std::string_view part) {
    return fail(
        Errc::invalid,
        fmt::format(
            "'{}' is not a log level; write trace, debug, info, warn, error or off, and "
            "info,bus=debug to set an area apart",
            printable(part)));
}

Result<LevelSpec> parse_spec(std::string_view spec) {
    constexpr std::size_t spec_max = 4096;
    if (spec.size() > spec_max) return bad_spec(spec);
    LevelSpec parsed;
    for (;;) {
        const std::string_view part = spec.substr(0, spec.find(','));
        const std::size_t equals = part.find('=');
        const auto level =
            ConfigType<LogLevel>::parse(equals == part.npos ? part : part.substr(equals + 1));
        if (!level || equals == 0) return bad_spec(part);
        if (equals == part.npos) {
            parsed.fallback = *level;
        } else {
            parsed.areas.emplace_back(part.substr(0, equals), *level);
        }
        if (part.size() == spec.size()) break;
        spec.remove_prefix(part.size() + 1);
    }
    if (parsed.areas.size() > LogLevels::areas_max) {
        return fail(
            Errc::invalid, fmt::format("at most {} areas can be set", LogLevels::areas_max));
    }
    return parsed;
}

} // namespace

std::span<const Named<LogLevel>> names_of(LogLevel) {
    return level_names;
}

std::string_view name_of(LogLevel level) noexcept {
    return level_names[static_cast<std::size_t>(level)].name;
}

Status check_log_levels(std::string_view spec) {
    return parse_spec(spec).map([](const LevelSpec&) {});
}

Status LogLevels::set(std::string_view spec) {
    const auto parsed = parse_spec(spec);
    if (!parsed) return fail(parsed.error());
    for (const auto& [name, level] : parsed->areas) level_of(name); // so that it exists below
    const std::scoped_lock lock{mutex_};
    fallback_ = parsed->fallback;
    for (Area& area : areas_) {
        const auto set_apart = std::ranges::find(
            parsed->areas, area.name, &std::pair<std::string_view, LogLevel>::first);
        area.level = set_apart == parsed->areas.end() ? parsed->fallback : set_apart->second;
    }
    return {};
}

std::atomic<LogLevel>& LogLevels::level_of(std::string_view area) {
    const std::scoped_lock lock{mutex_};
    const auto found = std::ranges::find(areas_, area, &Area::name);
    if (found != areas_.end()) return found->level;
    if (areas_.size() == areas_max) return fallback_;
    return areas_.emplace_back(std::string{area}, fallback_.load()).level;
}

void Logger::log(LogLevel level, std::string_view message, Fields fields) const {
    if (!is_on(level)) return;
    sink_->write(
        {.at = clock_->wall(),
         .level = level,
         .area = area_,
         .message = message,
         .fields = fields});
}

} // namespace hive
