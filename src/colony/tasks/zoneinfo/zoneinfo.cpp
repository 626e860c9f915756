#include "colony/tasks/zoneinfo/zoneinfo.hpp"

#include <fmt/format.h>

#include <fstream>

namespace hive::colony::tasks::zoneinfo {
namespace {

constexpr std::size_t file_bytes_max = std::size_t{64} << 10U; // the longest has 4 kB

Result<std::string> content_of(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::string bytes(file_bytes_max + 1, '\0');
    file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    if (bytes.empty() || bytes.size() > file_bytes_max) {
        return fail(Errc::invalid, "the file of the time zone cannot be read");
    }
    return bytes;
}

} // namespace

Result<std::shared_ptr<const TimeZone>> ZoneInfo::find(std::string_view name) {
    if (auto ok = check_time_zone_name(name); !ok) return fail(ok.error());
    const std::lock_guard lock{mutex_};
    if (const auto found = known_.find(name); found != known_.end()) return found->second;
    std::error_code none;
    if (!std::filesystem::is_directory(directory_, none)) {
        return fail(
            Errc::unavailable,
            fmt::format(
                "this machine knows no time zones: {} is missing; install tzdata on it, or leave "
                "the time zone out for UTC",
                directory_.string()));
    }
    const auto path = directory_ / name;
    if (!std::filesystem::is_regular_file(path, none)) {
        return fail(
            Errc::invalid,
            fmt::format("there is no time zone '{}'; names are as Europe/Berlin", name));
    }
    const auto bytes = content_of(path);
    if (!bytes) return fail(bytes.error());
    auto zone = TimeZone::read(std::string{name}, *bytes);
    if (!zone) return fail(zone.error());
    return known_.emplace(name, std::make_shared<const TimeZone>(*std::move(zone))).first->second;
}

} // namespace hive::colony::tasks::zoneinfo
