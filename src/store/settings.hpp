#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"
#include "store/session.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace hive::store {

// Small texts by name, per hive.
Result<std::optional<std::string>>
setting(Session& session, const HiveId& hive, std::string_view name);

struct Setting {
    std::string name;
    std::string value;
};
Status put_setting(Session& session, const HiveId& hive, const Setting& setting, Timestamp now);

// What is there, or else `first`, which is then kept: for values that servers agree on.
Result<std::string>
setting_or(Session& session, const HiveId& hive, const Setting& first, Timestamp now);

} // namespace hive::store
