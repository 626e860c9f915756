#include "store/settings.hpp"

#include "store/columns.hpp"

namespace hive::store {

Result<std::optional<std::string>>
setting(Session& session, const HiveId& hive, std::string_view name) {
    std::optional<std::string> value;
    const auto read = session.query(
        "SELECT value FROM settings WHERE hive = $1 AND name = $2", {hive.text(), name},
        [&](const Row& row) { value = row.text(0); });
    if (!read) return fail(read.error());
    return value;
}

Status put_setting(Session& session, const HiveId& hive, const Setting& setting, Timestamp now) {
    const auto stored = session.execute(
        "INSERT INTO settings (hive, name, value, changed) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (hive, name) DO UPDATE SET value = excluded.value, changed = excluded.changed",
        {hive.text(), setting.name, setting.value, as_column(now)});
    if (!stored) return fail(stored.error());
    return {};
}

Result<std::string>
setting_or(Session& session, const HiveId& hive, const Setting& first, Timestamp now) {
    const auto kept = session.execute(
        "INSERT INTO settings (hive, name, value, changed) VALUES ($1, $2, $3, $4) "
        "ON CONFLICT (hive, name) DO NOTHING",
        {hive.text(), first.name, first.value, as_column(now)});
    if (!kept) return fail(kept.error());
    auto there = setting(session, hive, first.name);
    if (!there) return fail(there.error());
    return std::move(**there);
}

} // namespace hive::store
