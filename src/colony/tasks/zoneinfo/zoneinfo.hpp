#pragma once

#include "colony/tasks/zones.hpp"

#include <filesystem>
#include <map>
#include <mutex>
#include <string>

namespace hive::colony::tasks::zoneinfo {

// The tz database of this machine.
class ZoneInfo final : public Zones {
public:
    explicit ZoneInfo(std::filesystem::path directory = "/usr/share/zoneinfo")
        : directory_{std::move(directory)} {}

    Result<std::shared_ptr<const TimeZone>> find(std::string_view name) override;

private:
    std::filesystem::path directory_;
    std::mutex mutex_; // guards what follows
    std::map<std::string, std::shared_ptr<const TimeZone>, std::less<>> known_{}; // of ~600
};

} // namespace hive::colony::tasks::zoneinfo
